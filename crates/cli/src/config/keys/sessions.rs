//! The keys of `[sessions]`: who shares a conversation, and how long one goes on and is kept.

use super::{Key, Kind};

pub(crate) const PER_USER_IN_GROUPS: Key = Key {
    path: "sessions.per_user_in_groups",
    kind: Kind::YesNo,
    default: Some("true"),
    says: "Whether each member of a group has a conversation of their own.",
};

pub(crate) const PER_USER_IN_THREADS: Key = Key {
    path: "sessions.per_user_in_threads",
    kind: Kind::YesNo,
    default: Some("false"),
    says: "Whether each member of a thread has a conversation of their own; otherwise a thread is \
           shared. Needs `per_user_in_groups`.",
};

pub(crate) const RESUME_WINDOW: Key = Key {
    path: "sessions.resume_window",
    kind: Kind::Text { example: "1h" },
    default: Some("1h"),
    says: "How long after an interruption a conversation still goes on by itself; later, the next \
           message begins anew. `0`: always.",
};

pub(crate) const FORGET_AFTER: Key = Key {
    path: "sessions.forget_after",
    kind: Kind::Text { example: "90d" },
    default: Some("never"),
    says: "How long after its end a conversation is deleted with everything said in it; at least a \
           day. `never`: it is kept.",
};
