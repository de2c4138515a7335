//! Whether a line stands inside a private key, for whoever shows some lines of a text and not all: alone,
//! such a line looks like nothing in particular.
//!
//! Only whole lines are passed. The stored form has no words.

use serde::{Deserialize, Serialize};

use super::block::{self, Armour};
use crate::limits;

/// What is shown instead of a line of a key.
pub const LINE_HIDDEN: &str = block::INSTEAD;

/// How a text stands that is read line by line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// Outside of any key.
    #[default]
    Outside,
    /// So many bytes after the beginning of one.
    Inside(usize),
}

impl Key {
    /// Whether no key has begun.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        *self == Self::Outside
    }

    /// Goes over a line.
    #[must_use]
    pub fn after(self, line: &str) -> Self {
        let (mut key, mut from) = (self, 0);
        while let Some((found, armour)) = block::next(line, from) {
            key = match (armour, key) {
                (Armour::Begin, Self::Outside) => Self::Inside(0),
                (Armour::Begin, inside @ Self::Inside(_)) => inside,
                (Armour::End, _) => Self::Outside,
            };
            from = found.end;
        }
        match key {
            // One that goes on for so long was none.
            Self::Inside(bytes) if bytes + line.len() <= limits::MASK_KEY_BYTES => {
                Self::Inside(bytes + line.len())
            }
            Self::Inside(_) | Self::Outside => Self::Outside,
        }
    }
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
