//! Files of any kind: what they are by their first bytes, and what their names end in.
//!
//! What somebody called a file or claimed it to be counts for nothing. The kinds are few and closed, because the
//! file of a content is found by its name alone, and so every ending has to be known.

use super::{Kind, MediaId};

/// Bytes at the beginning of a file that are looked at.
pub const LOOKED_AT_BYTES: usize = 8 * 1024;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A picture.
    Picture(Kind),
    /// A text: no zeros, and UTF-8 as far as was looked.
    Text,
    /// A sound in an Ogg, as voice messages are.
    Ogg,
    /// MP3.
    Mp3,
    /// WAVE.
    Wav,
    /// FLAC.
    Flac,
    /// A sound in an MPEG-4.
    M4a,
    /// A film in an MPEG-4.
    Mp4,
    /// WebM or Matroska.
    Webm,
    /// PDF.
    Pdf,
    /// Zip, and what is made of it: documents of offices are.
    Zip,
    /// Gzip.
    Gzip,
    /// Anything else.
    Other,
}

impl FileKind {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::Picture(Kind::Png),
        Self::Picture(Kind::Jpeg),
        Self::Picture(Kind::Gif),
        Self::Picture(Kind::Webp),
        Self::Text,
        Self::Ogg,
        Self::Mp3,
        Self::Wav,
        Self::Flac,
        Self::M4a,
        Self::Mp4,
        Self::Webm,
        Self::Pdf,
        Self::Zip,
        Self::Gzip,
        Self::Other,
    ];

    /// The kind of a file that begins like this.
    pub fn of(head: &[u8]) -> Self {
        if let Some(kind) = Kind::of(head) {
            return Self::Picture(kind);
        }
        let inner = |from: usize| head.get(from..from + 4).unwrap_or_default();
        match head {
            [b'O', b'g', b'g', b'S', ..] => Self::Ogg,
            [b'I', b'D', b'3', ..] | [0xff, 0xfb | 0xf3 | 0xf2, ..] => Self::Mp3,
            [b'f', b'L', b'a', b'C', ..] => Self::Flac,
            [0x1a, 0x45, 0xdf, 0xa3, ..] => Self::Webm,
            [b'%', b'P', b'D', b'F', b'-', ..] => Self::Pdf,
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Self::Zip,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'R', b'I', b'F', b'F', ..] if inner(8) == b"WAVE" => Self::Wav,
            _ if inner(4) == b"ftyp" && inner(8).starts_with(b"M4A") => Self::M4a,
            _ if inner(4) == b"ftyp" => Self::Mp4,
            _ if is_text(head) => Self::Text,
            _ => Self::Other,
        }
    }

    /// The type as HTTP names it.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Picture(kind) => kind.media_type(),
            Self::Text => "text/plain",
            Self::Ogg => "audio/ogg",
            Self::Mp3 => "audio/mpeg",
            Self::Wav => "audio/wav",
            Self::Flac => "audio/flac",
            Self::M4a => "audio/mp4",
            Self::Mp4 => "video/mp4",
            Self::Webm => "video/webm",
            Self::Pdf => "application/pdf",
            Self::Zip => "application/zip",
            Self::Gzip => "application/gzip",
            Self::Other => "application/octet-stream",
        }
    }

    /// What the name of such a file ends in.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Picture(Kind::Png) => "png",
            Self::Picture(Kind::Jpeg) => "jpg",
            Self::Picture(Kind::Gif) => "gif",
            Self::Picture(Kind::Webp) => "webp",
            Self::Text => "txt",
            Self::Ogg => "ogg",
            Self::Mp3 => "mp3",
            Self::Wav => "wav",
            Self::Flac => "flac",
            Self::M4a => "m4a",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::Pdf => "pdf",
            Self::Zip => "zip",
            Self::Gzip => "gz",
            Self::Other => "bin",
        }
    }
}

impl FileKind {
    /// The kind whose names end so.
    pub fn ending_in(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.ending() == ending)
    }
}

/// A file, as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// What it is known by.
    pub id: MediaId,
    /// What it is.
    pub kind: FileKind,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Whether bytes begin as a text does. The last character may be cut.
fn is_text(head: &[u8]) -> bool {
    let head = &head[..head.len().min(LOOKED_AT_BYTES)];
    let is_whole = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    is_whole && !head.contains(&0)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
