//! What comes with a message and lies with its platform until somebody opens it.
//!
//! ```text
//! arrives (row: Attached) ──turn fetches──▶ Found ──opened──▶ row: words, pictures, nothing attached
//! ```
//!
//! A row names what came along by what the platform gives it out for, so the message is durable before anything
//! is fetched. The turn that answers it fetches, and the message is written down once more as the agent reads it:
//! pictures as pictures, short texts word for word, what was spoken as it was understood, a sticker as what it shows,
//! everything else as the path of a file. What could not be had is said in its place.
//!
//! Nothing is fetched here, and nothing is asked again: a message without attachments is opened.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::Picture;
use super::sticker::Sticker;
use crate::inbound::Inbound;
use crate::limits;

/// Something that came with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// What it is, as the platform says.
    pub sort: Sort,
    /// What the platform gives it out for.
    pub remote: String,
    /// What somebody called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many bytes the platform says it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The sign that a sticker stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    /// What a sticker is known by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sticker: Option<Sticker>,
}

/// What something is that came with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// A picture.
    Picture,
    /// Something spoken.
    Voice,
    /// Music, or another sound.
    Audio,
    /// A film.
    Video,
    /// Any file.
    File,
    /// A drawn sign.
    Sticker,
    /// A drawn sign that moves; nobody here can look at it.
    MovingSticker,
}

impl Sort {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Voice => "voice message",
            Self::Audio => "audio file",
            Self::Video => "video",
            Self::File => "file",
            Self::Sticker | Self::MovingSticker => "sticker",
        }
    }
}

impl Attached {
    /// Something of which only this is known.
    pub fn new(sort: Sort, remote: impl Into<String>) -> Self {
        Self {
            sort,
            remote: remote.into(),
            name: None,
            bytes: None,
            sign: None,
            sticker: None,
        }
    }

    /// What stands in its place where there are only words.
    pub fn note(&self) -> String {
        format!("[{}]", self.called())
    }

    fn called(&self) -> String {
        let mut words = self.sort.word().to_owned();
        if let Some(sign) = &self.sign {
            let _infallible = write!(words, " {sign}");
        }
        let set = self.sticker.as_ref().and_then(|known| known.set.as_ref());
        if let Some(set) = set {
            let _infallible = write!(words, " of the set “{set}”");
        }
        if let Some(name) = self.name.as_deref().and_then(super::called) {
            let _infallible = write!(words, " “{name}”");
        }
        words
    }
}

/// What came of opening something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A picture that is kept.
    Picture(Picture),
    /// A text, word for word, and where it lies if it is kept.
    Text(String, Option<Lying>),
    /// What somebody said, as it was understood.
    Spoken(String),
    /// What it shows, as somebody saw it who looked at it once.
    Described(String),
    /// A file that is kept, and why it is no more than that, if it needs words.
    File(Lying, Option<String>),
    /// Nothing: this is why.
    Nothing(String),
    /// There was nothing to open.
    Sign,
}

/// A file that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lying {
    /// What it is, by its bytes.
    pub media_type: &'static str,
    /// How many bytes it has.
    pub bytes: u64,
    /// Where it lies.
    pub path: String,
}

/// The message as it is once everything that came with it was opened, in order. What was not looked at counts as
/// not had.
#[must_use]
pub fn opened(inbound: &Inbound, found: Vec<Found>) -> Inbound {
    let mut opened = Inbound {
        attached: Vec::new(),
        ..inbound.clone()
    };
    let mut found = found.into_iter();
    for attached in &inbound.attached {
        let found = found
            .next()
            .unwrap_or_else(|| Found::Nothing(UNSEEN.to_owned()));
        if let Some(words) = words(attached, &found, &opened) {
            add(&mut opened.text, &words);
        }
        if let Found::Picture(picture) = found {
            opened
                .pictures
                .push(picture.called(attached.name.as_deref()));
        }
    }
    opened
}

const UNSEEN: &str = "it was not looked at";

/// What is said of it; nothing for a picture, which speaks for itself.
fn words(attached: &Attached, found: &Found, so_far: &Inbound) -> Option<String> {
    let called = attached.called();
    Some(match found {
        Found::Picture(_) if attached.sort == Sort::Picture => return None,
        Found::Picture(_) | Found::Sign => attached.note(),
        Found::Spoken(words) => format!("[{called}, written down: “{}”]", words.trim()),
        Found::Described(words) => format!("[{called}: {words}]"),
        Found::Text(words, _) if fits(words, so_far) => {
            format!("[{called}]\n{}\n[end of the file]", words.trim_end())
        }
        Found::Text(_, Some(lying)) => lies(&called, lying, None),
        Found::Text(words, None) => {
            format!("[{called}: {} bytes, too long for a message]", words.len())
        }
        Found::File(lying, why) => lies(&called, lying, why.as_deref()),
        Found::Nothing(why) => format!("[{called}: {why}]"),
    })
}

fn lies(called: &str, lying: &Lying, why: Option<&str>) -> String {
    let Lying {
        media_type,
        bytes,
        path,
    } = lying;
    let why = why.map(|why| format!("; {why}")).unwrap_or_default();
    format!("[{called}: {media_type}, {bytes} bytes, at {path}{why}]")
}

/// Whether the words can stand in the message: a message has a most that a turn can carry.
fn fits(words: &str, so_far: &Inbound) -> bool {
    words.len() <= limits::ATTACHED_TEXT_BYTES_MAX
        && words.len() + so_far.text.len() + limits::ATTACHED_NOTE_BYTES < limits::TEXT_BYTES_MAX
}

fn add(text: &mut String, words: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(words);
    text.truncate(text.floor_char_boundary(limits::TEXT_BYTES_MAX));
}

/// What stands in the place of some things that nobody opened, one behind the other.
pub fn notes(attached: &[Attached]) -> String {
    let notes: Vec<String> = attached.iter().map(Attached::note).collect();
    notes.join(" ")
}

#[cfg(test)]
#[path = "attached_tests.rs"]
mod tests;
