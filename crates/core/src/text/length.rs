//! Lengths as platforms count them: code points, UTF-16 code units, or UTF-8 bytes.
//!
//! A limit is meaningless without its unit: the same emoji is one, two or four. Every length in
//! this module tree goes through [`Unit`]. Graphemes are not a unit here; no platform counts them.

use serde::{Deserialize, Serialize};

/// What a platform counts when it limits the length of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Unicode code points.
    Chars,
    /// UTF-16 code units: a character outside the basic plane counts twice.
    Utf16,
    /// UTF-8 bytes.
    Bytes,
}

impl Unit {
    /// Measures a text in this unit.
    #[must_use]
    pub fn len(self, text: &str) -> usize {
        match self {
            Self::Chars => text.chars().count(),
            Self::Utf16 if text.is_ascii() => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
            Self::Bytes => text.len(),
        }
    }

    /// Returns the longest beginning of the text that measures at most `max`.
    ///
    /// It ends between two characters, so neither a surrogate pair nor a character's bytes are
    /// parted. It reads no further than it must: the cost depends on `max`, not on the text.
    #[must_use]
    pub fn prefix(self, text: &str, max: usize) -> &str {
        // No character has fewer bytes than units, and an ASCII one has one of each.
        match text.as_bytes().get(..max) {
            None => return text,
            Some(first) if first.is_ascii() => return &text[..max],
            Some(_) => (),
        }
        let mut used = 0;
        for (at, char) in text.char_indices() {
            used += self.of(char);
            if used > max {
                return &text[..at];
            }
        }
        text
    }

    fn of(self, char: char) -> usize {
        match self {
            Self::Chars => 1,
            Self::Utf16 => char.len_utf16(),
            Self::Bytes => char.len_utf8(),
        }
    }
}

/// The greatest length of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// The length itself.
    pub max: usize,
    /// What is counted.
    pub unit: Unit,
}

impl Limit {
    /// Tells whether the text is within the limit, reading no more of it than the limit allows.
    #[must_use]
    pub fn admits(self, text: &str) -> bool {
        self.unit.prefix(text, self.max).len() == text.len()
    }

    pub(crate) fn less(self, taken: usize) -> Self {
        Self {
            max: self.max.saturating_sub(taken),
            unit: self.unit,
        }
    }
}

#[cfg(test)]
#[path = "length_tests.rs"]
mod tests;
