//! Whether a stranger gets a code, and what a code that somebody wrote is worth.
//!
//! ```text
//! stranger writes ─▶ knock ─▶ waiting (one hour) ─▶ approved: a grant, the knock is over
//!                      │                         ╰▶ nobody did: over
//!                      ╰▶ silence: asked lately, too many wait, locked
//! ```
//!
//! Guessing is met twice: a code has 40 random bits, and after a few wrong ones an account neither gives nor takes
//! codes for an hour. A code that was right ends the count. Whoever approves by the id of a knock guesses nothing
//! and is not counted.
//!
//! Rows, randomness and the sending of codes are elsewhere; `now` is an argument.

use super::code::{Code, Sealed};
use crate::id::KnockId;
use crate::limits::access::{CODE_LIFE, FAILURES_MAX, KNOCK_INTERVAL, LOCK_TIME, WAITING_MAX};
use crate::time::Timestamp;

/// What is known on an account about whoever knocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    /// When the same person was last answered.
    pub answered: Option<Timestamp>,
    /// How many wait there.
    pub waiting: usize,
    /// How guessing went there.
    pub lock: Lock,
}

/// How often somebody was wrong on an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lock {
    /// Wrong codes since the last right one, or since the last time it was locked.
    pub failures: u32,
    /// Until when no code is given or taken.
    pub until: Option<Timestamp>,
}

impl Lock {
    /// Whether codes are neither given nor taken.
    pub fn is_shut(&self, now: Timestamp) -> bool {
        self.until.is_some_and(|until| now < until)
    }

    /// After one more that was wrong.
    #[must_use]
    pub fn after_failure(self, now: Timestamp) -> Self {
        match self.failures + 1 {
            failures if failures >= FAILURES_MAX => Self {
                failures: 0,
                until: Some(now + LOCK_TIME),
            },
            failures => Self {
                failures,
                until: self.until.filter(|until| now < *until),
            },
        }
    }
}

/// Whether a knock is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// With a code.
    Answered,
    /// With nothing, and why.
    Unanswered(Silence),
}

/// Why a stranger hears nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Silence {
    /// The very message came before.
    #[error("it came before")]
    Before,
    /// They were answered a moment ago.
    #[error("they were answered a moment ago")]
    Lately,
    /// As many wait as may.
    #[error("too many wait for an answer already")]
    Many,
    /// Somebody guesses.
    #[error("somebody has guessed codes")]
    Locked,
}

/// Whether whoever knocks gets a code.
pub fn knock(view: &View, now: Timestamp) -> Heard {
    let lately = |at: Timestamp| now < at + KNOCK_INTERVAL;
    if view.lock.is_shut(now) {
        Heard::Unanswered(Silence::Locked)
    } else if view.answered.is_some_and(lately) {
        Heard::Unanswered(Silence::Lately)
    } else if view.waiting >= WAITING_MAX {
        Heard::Unanswered(Silence::Many)
    } else {
        Heard::Answered
    }
}

/// When a code that is made now ends.
pub fn end(now: Timestamp) -> Timestamp {
    now + CODE_LIFE
}

/// Whether a knock that ends then may still be approved.
pub fn is_waiting(ends_at: Timestamp, now: Timestamp) -> bool {
    now <= ends_at
}

/// The knock that the code was made for. All are compared, whichever it is.
pub fn find<'k>(
    waiting: impl IntoIterator<Item = &'k (KnockId, Sealed)>,
    code: &Code,
) -> Option<KnockId> {
    let fits = |found: Option<KnockId>, (id, sealed): &(KnockId, Sealed)| {
        let is_it = sealed.fits(code);
        if is_it { Some(*id) } else { found }
    };
    waiting.into_iter().fold(None, fits)
}

#[cfg(test)]
#[path = "pairing_tests.rs"]
mod tests;
