//! How long a turn may work: a clock that stands still while somebody is asked.
//!
//! ```text
//! working ── asks ──▶ asking (one question or several) ── goes on, the last one ──▶ working
//! ```
//!
//! It has no time of its own: it is told how long ago the turn began, and answers how long after its beginning it ends.
//! A question has a time of its own, which the clock does not shorten; but all questions of a turn together hold it up
//! for a bounded time, or a turn that does nothing but ask would never end.

use crate::limits;
use crate::time::Span;

/// The clock of one attempt at a turn. Each time it is told counts from the beginning of the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    allowed: Span,
    /// How many questions are open.
    open: usize,
    /// Since when at least one is.
    since: Span,
    /// How long it stood still before that.
    asked: Span,
}

impl Clock {
    /// A turn that may work for so long.
    #[must_use]
    pub const fn allowing(allowed: Span) -> Self {
        Self {
            allowed,
            open: 0,
            since: Span::ms(0),
            asked: Span::ms(0),
        }
    }

    /// A question is open from now on.
    pub fn asks(&mut self, now: Span) {
        if self.open == 0 {
            self.since = now;
        }
        self.open += 1;
    }

    /// One question less is open.
    pub fn goes_on(&mut self, now: Span) {
        if self.open == 1 {
            let stood_still = (now.as_ms() - self.since.as_ms()).max(0);
            self.asked = Span::ms(self.asked.as_ms() + stood_still);
        }
        self.open = self.open.saturating_sub(1);
    }

    /// When the turn has worked for as long as it may. While somebody is asked it is the latest that this can become,
    /// so whoever waits for it is told anew when the question is over.
    #[must_use]
    pub fn ends(&self) -> Span {
        let stood_still = match self.open {
            0 => self.asked.min(limits::TURN_ASKS_MAX),
            _ => limits::TURN_ASKS_MAX,
        };
        Span::ms(self.allowed.as_ms() + stood_still.as_ms())
    }
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;
