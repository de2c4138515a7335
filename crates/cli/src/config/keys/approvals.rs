//! The keys of `[approvals]`: what becomes of commands that somebody should agree to.

use super::{Key, Kind};

pub(crate) const APPROVAL_MODE: Key = Key {
    path: "approvals.mode",
    kind: Kind::Choice(&["ask", "off", "deny"]),
    default: Some("ask"),
    says: "What becomes of a command that needs somebody's approval: the person who asked for it is \
           asked, it runs unasked, or it does not run. What is never allowed is refused in every mode.",
};

pub(crate) const APPROVAL_TIMEOUT: Key = Key {
    path: "approvals.timeout",
    kind: Kind::Text { example: "10m" },
    default: Some("10m"),
    says: "How long such a question stays open, from 10 seconds to 25 minutes. Without an answer the \
           command is not run.",
};

pub(crate) const APPROVAL_DENY: Key = Key {
    path: "approvals.deny",
    kind: Kind::Patterns {
        example: "git push*",
    },
    default: Some(""),
    says: "Commands that are refused in every mode, as patterns with `*` and `?`, whatever the case.",
};

pub(crate) const APPROVAL_ALLOW: Key = Key {
    path: "approvals.allow",
    kind: Kind::Patterns {
        example: "docker restart web",
    },
    default: Some(""),
    says: "Commands that run without a question, whole or as patterns with `*` and `?`. A pattern \
           covers no command that has operators of the shell.",
};
