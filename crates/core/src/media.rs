//! Pictures: what they are known by, and what may be taken for one.
//!
//! ```text
//! bytes ──Picture::of──▶ Picture: id (their hash), kind (their first bytes), size ──▶ rows carry it
//! ```
//!
//! A picture is kept by its content: the same bytes are the same picture, whoever sent them and whatever they
//! were called. Its kind is what its first bytes say; a file name or a claimed type counts for nothing. Rows
//! carry this reference and never the bytes, which are in a file of the home (`gateway::media`).
//!
//! What else comes with a message, and how it is opened, is `attached`; what any file is, `file`; what an agent names to
//! be sent, `directives`, whether it may be, `policy`, and as what it goes out, `enclosure`.
//!
//! Nothing is decoded here beyond the header: whoever looks at the picture does that.

pub mod attached;
pub mod base64;
pub mod directives;
pub mod enclosure;
pub mod file;
mod header;
pub mod policy;
pub mod retention;
pub mod sticker;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::limits;

/// What a picture is known by: the SHA-256 of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MediaId([u8; 32]);

const PREFIX: &str = "med_";

impl MediaId {
    /// The id of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

/// Finds the id of bytes that come piece by piece.
#[derive(Debug, Clone, Default)]
pub struct Weighing(Sha256);

impl Weighing {
    /// Takes the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The id of all of them.
    pub fn id(self) -> MediaId {
        MediaId(self.0.finalize().into())
    }
}

impl fmt::Display for MediaId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(PREFIX)?;
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

/// A text that is no id of a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is not the id of a picture; expected `med_` and 64 hexadecimal digits")]
pub struct NotAMediaId;

impl FromStr for MediaId {
    type Err = NotAMediaId;

    fn from_str(text: &str) -> Result<Self, NotAMediaId> {
        let digits = text.strip_prefix(PREFIX).ok_or(NotAMediaId)?.as_bytes();
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != 64 || !digits.iter().all(is_digit) {
            return Err(NotAMediaId);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair
                .iter()
                .fold(0, |value, digit| value << 4 | nibble(*digit));
        }
        Ok(Self(bytes))
    }
}

fn nibble(digit: u8) -> u8 {
    match digit {
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit - b'0',
    }
}

impl Serialize for MediaId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MediaId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// What a picture is, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// Portable Network Graphics.
    #[serde(rename = "image/png")]
    Png,
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// GIF; models see its first picture.
    #[serde(rename = "image/gif")]
    Gif,
    /// WebP.
    #[serde(rename = "image/webp")]
    Webp,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Png, Self::Jpeg, Self::Gif, Self::Webp];

    /// The kind that these bytes begin as, if it is one of ours.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        header::kind(bytes)
    }

    /// The type as HTTP and the wires of models name it.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    /// The kind of this name.
    pub fn named(media_type: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.media_type() == media_type)
    }
}

/// How large a picture is, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// A picture, as rows carry it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// What it is known by.
    pub id: MediaId,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// How many bytes it has.
    pub bytes: u64,
    /// How large it is, if its header says so.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
    /// What somebody called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Why bytes are not taken as a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// They are none that is known here.
    #[error("this is not a picture that can be taken; send a PNG, JPEG, GIF or WebP")]
    Unknown,
    /// There are too many of them.
    #[error(
        "the picture has more than {} bytes; send a smaller one",
        limits::PICTURE_BYTES_MAX
    )]
    TooLarge,
    /// It has too many pixels.
    #[error(
        "the picture is more than {} pixels wide or high; send a smaller one",
        limits::PICTURE_SIDE_MAX
    )]
    TooWide,
}

impl Picture {
    /// The picture that these bytes are.
    ///
    /// # Errors
    /// They are none, or too much of one.
    pub fn of(bytes: &[u8], name: Option<&str>) -> Result<Self, Unfit> {
        if bytes.len() > limits::PICTURE_BYTES_MAX {
            return Err(Unfit::TooLarge);
        }
        let kind = Kind::of(bytes).ok_or(Unfit::Unknown)?;
        let size = header::size(kind, bytes);
        let is_wide = |size: Size| size.width.max(size.height) > limits::PICTURE_SIDE_MAX;
        if size.is_some_and(is_wide) {
            return Err(Unfit::TooWide);
        }
        Ok(Self {
            id: MediaId::of(bytes),
            kind,
            bytes: bytes.len() as u64,
            size,
            name: name.and_then(called),
        })
    }

    /// The same picture under another name.
    #[must_use]
    pub fn called(self, name: Option<&str>) -> Self {
        let name = name.and_then(called).or(self.name);
        Self { name, ..self }
    }

    /// What stands in the place of the picture where there are only words.
    pub fn note(&self) -> String {
        let kind = self
            .kind
            .media_type()
            .trim_start_matches("image/")
            .to_uppercase();
        let size = self
            .size
            .map(|Size { width, height }| format!(" {width}×{height}"));
        let name = self.name.as_deref().map(|name| format!(" “{name}”"));
        format!(
            "[picture{}: {kind}{}]",
            name.unwrap_or_default(),
            size.unwrap_or_default()
        )
    }
}

/// A name as it is kept: the last part of a path, on one line, not longer than names are.
fn called(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = last.chars().filter(|letter| !letter.is_control()).collect();
    name.truncate(name.floor_char_boundary(limits::NAME_BYTES_MAX));
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// What stands in the place of some pictures, one behind the other.
pub fn notes(pictures: &[Picture]) -> String {
    let notes: Vec<String> = pictures.iter().map(Picture::note).collect();
    notes.join(" ")
}

/// How many of a conversation's pictures, the oldest first, a model is not shown any more. `newest` of them are
/// the last message's, which are always shown. They go by the ten, so that what is shown begins the same for a
/// while.
pub fn left_out(bytes: &[u64], newest: usize) -> usize {
    let most = bytes.len() - newest.min(bytes.len());
    let fits = |out: &usize| {
        let shown = &bytes[*out..];
        shown.len() <= limits::PICTURES_SHOWN
            && shown.iter().sum::<u64>() <= limits::PICTURES_SHOWN_BYTES
    };
    let steps = (0..most).step_by(limits::PICTURES_LEFT_OUT);
    steps.chain([most]).find(fits).unwrap_or(most)
}

#[cfg(test)]
#[path = "media_tests.rs"]
mod tests;
