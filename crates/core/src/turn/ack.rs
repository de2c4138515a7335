//! What somebody is told who writes while an answer is being made.
//!
//! Only what stands in a row is told, and only what really becomes of it. It is told once for many messages:
//! not again within half a minute, and not to somebody who writes on right after the question that is being
//! answered. A message that ends the running turn needs no word of its own: the end of that turn is one.
//!
//! It does not say whether anybody is told at all: see `manners`.

use super::busy::{Mode, Steering};
use crate::limits;
use crate::time::{Span, Timestamp};

/// A message that waits behind a running turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Newcomer {
    /// What it does to the running turn.
    pub mode: Mode,
    /// How many messages wait before it.
    pub before: usize,
    /// How long the running turn has been at work.
    pub working: Span,
}

/// Whether it is time to tell somebody again. A clock that was set back does not silence anybody for long.
pub fn is_due(told_at: Option<Timestamp>, now: Timestamp) -> bool {
    told_at.is_none_or(|told_at| now < told_at || now.since(told_at) >= limits::ACK_EVERY)
}

/// Whether the message still belongs to the question that the running turn answers.
pub fn is_afterthought(claimed_at: Timestamp, received_at: Timestamp) -> bool {
    received_at.since(claimed_at) < limits::AFTERTHOUGHT
}

/// What its sender is told; nothing where the end of the running turn says it.
pub fn words(newcomer: Newcomer, steering: Steering) -> Option<String> {
    let waits = || format!("{} {}", at_work(newcomer.working), turn(newcomer.before));
    match (newcomer.mode, steering) {
        (Mode::Interrupt, _) => None,
        (Mode::Steer, Steering::Possible) => Some(
            "I take this along at my next step; if I am done before, it is answered next."
                .to_owned(),
        ),
        (Mode::Steer, Steering::Impossible) => Some(format!(
            "I cannot be told something while I work, so your message waits. {}",
            waits()
        )),
        (Mode::Queue, _) => Some(waits()),
    }
}

fn at_work(working: Span) -> String {
    match working.as_ms() / 60_000 {
        ..1 => "I am still at work on what was asked before.".to_owned(),
        1 => "I have been at work on what was asked before for a minute.".to_owned(),
        minutes => format!("I have been at work on what was asked before for {minutes} minutes."),
    }
}

fn turn(before: usize) -> String {
    match before {
        0 => "Your message is answered next; /stop ends what runs.".to_owned(),
        1 => "Your message is answered after one other; /stop ends what runs.".to_owned(),
        more => format!("Your message is answered after {more} others; /stop ends what runs."),
    }
}

#[cfg(test)]
#[path = "ack_tests.rs"]
mod tests;
