//! The day on which something was said, as a model is told it.
//!
//! A model knows no date by itself. Each message stands below its day, which is that of its row and not of the moment: so
//! a turn that is run again says the same, and so does every later turn that reads the message among what was said
//! before. What a server has read stays the same byte by byte.

use crate::time::Timestamp;
use crate::zone::Zone;

/// A moment, and in whose calendar its day is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// The zone of the house.
    pub zone: Zone,
    /// When the message was accepted.
    pub at: Timestamp,
}

impl Day {
    /// The line above the words.
    #[must_use]
    pub fn line(&self) -> String {
        self.line_at(self.at)
    }

    /// The line above words of another time, in the same calendar.
    #[must_use]
    pub fn line_at(&self, at: Timestamp) -> String {
        format!("Date: {} ({})", self.zone.named_day(at), self.zone.name())
    }
}

#[cfg(test)]
#[path = "day_tests.rs"]
mod tests;
