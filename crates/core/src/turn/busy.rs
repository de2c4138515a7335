//! What a new message means while its conversation is being answered.
//!
//! The message is an inbox row either way, and says itself what it does: that is decided once, at the door.
//! *Queue*: it waits, and a later turn takes it. *Steer*: the running turn takes it along at its next step, if
//! the agent can; otherwise, or if the turn ends before, it waits like any other. *Interrupt*: the running turn
//! ends as interrupted and the message is answered next.

use serde::{Deserialize, Serialize};

use crate::inbound::Inbound;

/// What a message does to the answer that is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// New messages wait their turn.
    #[default]
    Queue,
    /// New messages steer the running turn where that is possible.
    Steer,
    /// New messages end the running turn.
    Interrupt,
}

/// Whether the agent takes messages along while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steering {
    /// It does.
    Possible,
    /// It answers one message at a time.
    Impossible,
}

/// What a message does while its conversation is being answered; nothing if it waits. Only words steer: a
/// picture or a file is not taken from the words that it came with, so such a message is answered whole.
pub fn of(mode: Mode, inbound: &Inbound) -> Option<Mode> {
    let is_plain = inbound.pictures.is_empty() && inbound.attached.is_empty();
    match mode {
        Mode::Queue => None,
        Mode::Steer if !is_plain => None,
        Mode::Steer | Mode::Interrupt => Some(mode),
    }
}

#[cfg(test)]
#[path = "busy_tests.rs"]
mod tests;
