//! What an agent may use besides words.
//!
//! A tool is called through a turn's journal: the call is durable before it is made, and so is what
//! came of it. A turn that is run again therefore reads what it did instead of doing it again. What a
//! tool may touch comes in as an argument; nothing is kept between calls.

pub(crate) mod process;
pub(crate) mod terminal;

use angelia_core::turn::journal::Recorded;

use crate::events::Events;

/// One call of a tool within a turn.
pub(crate) struct Call<'a> {
    /// Its name: the same whenever the turn is run again, and no other call's.
    pub(crate) name: &'a str,
    /// What earlier attempts at the turn did.
    pub(crate) journal: &'a [Recorded],
    /// Where the call and its output are written down.
    pub(crate) events: &'a Events,
}
