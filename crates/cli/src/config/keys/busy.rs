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

/// What the same keys say below the name of a place.
const AT_A_PLACE: &str = "The same for one place: a platform (`telegram`), a kind of chat (`group`), or both \
                          (`\"telegram.group\"`). The most specific entry holds; what it leaves out is as in \
                          `busy`.";

pub(crate) const BUSY_FOR: [&Key; 1] = [&Key {
    path: "busy.for.*.mode",
    kind: MODES,
    default: None,
    says: AT_A_PLACE,
}];
