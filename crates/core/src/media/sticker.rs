//! Stickers: what one is known by wherever it is sent, and what it shows, in words.
//!
//! A sticker is sent again and again, by everybody who likes it. So somebody looks at it once, and what it shows is
//! remembered under the id that its platform gives it everywhere. Words of a model are as long as it likes; what is
//! kept of them is one line. Nobody looks at anything here.

use serde::{Deserialize, Serialize};

use crate::address::Platform;
use crate::limits;

/// What a sticker is known by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sticker {
    /// Its id, the same in every chat and for every account.
    pub id: String,
    /// The set that it belongs to, if the platform tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
}

impl Sticker {
    /// A sticker with this id; none if that is no id.
    pub fn of(id: &str, set: Option<&str>) -> Option<Self> {
        let is_id = (1..=limits::STICKER_ID_BYTES_MAX).contains(&id.len());
        is_id.then(|| Self {
            id: id.to_owned(),
            set: set.and_then(super::called),
        })
    }
}

/// A sticker that somebody looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// Where people send it.
    pub platform: Platform,
    /// What it is known by there.
    pub sticker: Sticker,
    /// The sign that it stands for, if any.
    pub sign: Option<String>,
    /// What it shows.
    pub words: String,
}

/// What is kept of somebody's words about a sticker: one line, without the brackets that it will stand in. Nothing if
/// nothing was said.
pub fn line(words: &str) -> Option<String> {
    let words: String = words
        .chars()
        .map(|letter| match letter {
            '[' => '(',
            ']' => ')',
            letter if letter.is_control() => ' ',
            letter => letter,
        })
        .collect();
    let mut line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    line.truncate(line.floor_char_boundary(limits::STICKER_WORDS_BYTES_MAX));
    let line = line.trim_end();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
#[path = "sticker_tests.rs"]
mod tests;
