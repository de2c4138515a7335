//! The keys of `[busy]`: what happens to those who write while an answer is being made.

use super::{Key, Kind};

const MODES: Kind = Kind::Choice(&["queue", "steer", "interrupt"]);

pub(crate) const BUSY_MODE: Key = Key {
    path: "busy.mode",
    kind: MODES,
    default: Some("queue"),
    says: "What a message does while its conversation is being answered: wait for its turn, be \
           taken along by the running turn where the agent can, or end the running turn.",
};

pub(crate) const BUSY_ACKS: Key = Key {
    path: "busy.acks",
    kind: Kind::YesNo,
    default: Some("true"),
    says: "Whether somebody who writes while an answer is being made is told what becomes of the message, at \
           most every half minute. In the terminal, the console and the HTTP interface, where the state of every \
           message is shown, nobody is told unless that place has a table of its own that says so.",
};

pub(crate) const BUSY_GATHER: Key = Key {
    path: "busy.gather",
    kind: Kind::YesNo,
    default: Some("true"),
    says: "Whether what one person writes in one place while an answer is being made is answered together, by one \
           turn. In the terminal, the console and over HTTP each message is answered by itself unless that place \
           has a table of its own that says otherwise; so is everything that is said with `/queue`.",
};

/// What the same keys say below the name of a place.
const AT_A_PLACE: &str = "The same for one place: a platform (`telegram`), a kind of chat (`group`), or both \
                          (`\"telegram.group\"`). The most specific entry holds; what it leaves out is as in \
                          `busy`.";

pub(crate) const BUSY_FOR: [&Key; 3] = [
    &Key {
        path: "busy.for.*.mode",
        kind: MODES,
        default: None,
        says: AT_A_PLACE,
    },
    &Key {
        path: "busy.for.*.acks",
        kind: Kind::YesNo,
        default: None,
        says: AT_A_PLACE,
    },
    &Key {
        path: "busy.for.*.gather",
        kind: Kind::YesNo,
        default: None,
        says: AT_A_PLACE,
    },
];
