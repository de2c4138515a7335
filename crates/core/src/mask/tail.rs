//! The newest part of a text that grows, without secrets.
//!
//! ```text
//! words → kept as they came → whole lines, once there are many → masked → the newest of them
//! ```
//!
//! What is masked was whole by then, and what is let go was masked before: a secret that loses its beginning would not
//! be known for one. A line that has no end for too long may be a single secret, so all of it is let go.

use super::growing::EARLIER;
use super::{Masker, Surface, newest};

/// The newest part of a text.
#[derive(Debug)]
pub struct Tail {
    surface: Surface,
    /// Bytes that are shown at most.
    room: usize,
    /// What went before, as it may be seen.
    before: String,
    /// What came behind it, as it came.
    text: String,
    line: Line,
}

/// What becomes of the rest of the line that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Kept,
    PassedOver,
}

impl Tail {
    /// Of a text that is shown there, so many bytes at most.
    #[must_use]
    pub const fn new(surface: Surface, room: usize) -> Self {
        Self {
            surface,
            room,
            before: String::new(),
            text: String::new(),
            line: Line::Kept,
        }
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.text.is_empty()
    }

    /// Another text begins.
    pub fn clear(&mut self) {
        *self = Self::new(self.surface, self.room);
    }

    /// More was said.
    pub fn push(&mut self, more: &str, masker: &Masker) {
        let kept = match self.line {
            Line::Kept => Some(more),
            Line::PassedOver => more.split_once('\n').map(|(_, behind)| behind),
        };
        let Some(kept) = kept else { return };
        self.line = Line::Kept;
        self.text.push_str(kept);
        // Twice as much is let grow, so that it is not masked with every word.
        while self.text.len() > 2 * self.room {
            self.settle(masker);
        }
    }

    fn settle(&mut self, masker: &Masker) {
        let whole = masker.whole_lines(&self.text);
        let rest = self.text.split_off(whole);
        let whole = std::mem::replace(&mut self.text, rest);
        if whole.is_empty() {
            self.text.clear();
            self.before = EARLIER.to_owned();
            self.line = Line::PassedOver;
            return;
        }
        self.before.push_str(&masker.shown(&whole, self.surface));
        self.before = newest(&self.before, self.room).into_owned();
    }

    /// As it may be seen while more is to come.
    #[must_use]
    pub fn growing(&self, masker: &Masker) -> String {
        self.with(&masker.growing(&self.text, self.surface))
    }

    /// As it may be seen once it is whole.
    #[must_use]
    pub fn whole(&self, masker: &Masker) -> String {
        self.with(&masker.shown(&self.text, self.surface))
    }

    fn with(&self, shown: &str) -> String {
        newest(&format!("{}{shown}", self.before), self.room).into_owned()
    }
}

#[cfg(test)]
#[path = "tail_tests.rs"]
mod tests;
