//! Files that go out: as what each is sent, and which go together.
//!
//! A file is kept like what people send, so that it is the same whenever it is sent, and a row of the outbox carries this
//! reference. Pictures and films that follow one another are one message, as far as platforms show albums.
//!
//! Nothing is read or sent here.

use serde::{Deserialize, Serialize};

use super::directives::Way;
use super::file::{FileKind, Kept};
use super::{Kind, MediaId, Picture};
use crate::limits;
use crate::time::Span;

/// A file that goes out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enclosure {
    /// What it is known by.
    pub id: MediaId,
    /// What it is: what its name ends in here.
    pub ending: String,
    /// What it is called.
    pub name: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// As what it is sent.
    #[serde(rename = "as")]
    pub form: Form,
}

/// As what a file is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// As a picture.
    Picture,
    /// As a picture that moves.
    Animation,
    /// As a film.
    Video,
    /// As a piece of music.
    Audio,
    /// As something spoken.
    Voice,
    /// As a file.
    File,
}

impl Form {
    /// The name used in the HTTP interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Animation => "animation",
            Self::Video => "video",
            Self::Audio => "audio",
            Self::Voice => "voice",
            Self::File => "file",
        }
    }

    /// As what a file of this kind goes out. What players of platforms do not take is a file.
    #[must_use]
    pub const fn of(kind: FileKind, way: Way) -> Self {
        match (way, kind) {
            (Way::Document, _) => Self::File,
            (Way::AsItIs | Way::Voice, FileKind::Picture(Kind::Gif)) => Self::Animation,
            (Way::AsItIs | Way::Voice, FileKind::Picture(Kind::Png | Kind::Jpeg | Kind::Webp)) => {
                Self::Picture
            }
            (Way::AsItIs | Way::Voice, FileKind::Mp4) => Self::Video,
            (Way::AsItIs | Way::Voice, FileKind::Mp3 | FileKind::M4a) => Self::Audio,
            (Way::Voice, FileKind::Ogg) => Self::Voice,
            (Way::AsItIs, FileKind::Ogg)
            | (
                Way::AsItIs | Way::Voice,
                FileKind::Text
                | FileKind::Wav
                | FileKind::Flac
                | FileKind::Webm
                | FileKind::Pdf
                | FileKind::Zip
                | FileKind::Gzip
                | FileKind::Other,
            ) => Self::File,
        }
    }

    const fn is_of_albums(self) -> bool {
        matches!(self, Self::Picture | Self::Video)
    }
}

impl Enclosure {
    /// A file that is kept, sent as it was wished; one that is too large to be shown as a picture is a file.
    #[must_use]
    pub fn of(kept: &Kept, picture: Option<&Picture>, (name, way): (String, Way)) -> Self {
        let form = Form::of(kept.kind, way);
        let is_too_large = form == Form::Picture && !is_fit(kept, picture);
        Self {
            id: kept.id,
            ending: kept.kind.ending().to_owned(),
            name,
            bytes: kept.bytes,
            form: if is_too_large { Form::File } else { form },
        }
    }

    /// What it is, by its content.
    #[must_use]
    pub fn kind(&self) -> FileKind {
        FileKind::ending_in(&self.ending).unwrap_or(FileKind::Other)
    }

    fn note(&self) -> String {
        let word = match self.form {
            Form::Picture | Form::Animation => "picture",
            Form::Video => "video",
            Form::Audio => "audio",
            Form::Voice => "voice message",
            Form::File => "file",
        };
        format!("[{word} “{}”]", self.name)
    }
}

/// Whether platforms show a picture of this size.
fn is_fit(kept: &Kept, picture: Option<&Picture>) -> bool {
    let size = picture.and_then(|picture| picture.size);
    let is_sized = size.is_none_or(|size| {
        let (short, long) = (size.width.min(size.height), size.width.max(size.height));
        short.saturating_add(long) <= limits::SENT_PICTURE_SIDES_MAX
            && long <= short.saturating_mul(limits::SENT_PICTURE_RATIO_MAX)
    });
    picture.is_some() && is_sized && kept.bytes <= limits::SENT_PICTURE_BYTES_MAX
}

/// What stands in the place of files where there are only words.
#[must_use]
pub fn note(files: &[Enclosure]) -> String {
    let notes: Vec<String> = files.iter().map(Enclosure::note).collect();
    notes.join("\n")
}

/// How long files may take on their way.
#[must_use]
pub fn time(files: &[Enclosure]) -> Span {
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    let more = bytes.saturating_mul(1_000) / limits::UPLOAD_BYTES_PER_SECOND;
    Span::ms(limits::SEND_TIME.as_ms() + i64::try_from(more).unwrap_or(i64::MAX / 2))
}

/// The messages that carry files, in order: an album for pictures and films that follow one another, else one each.
#[must_use]
pub fn messages(files: Vec<Enclosure>) -> Vec<Vec<Enclosure>> {
    let mut messages: Vec<Vec<Enclosure>> = Vec::new();
    for file in files {
        match messages.last_mut().filter(|album| joins(album, &file)) {
            Some(album) => album.push(file),
            None => messages.push(vec![file]),
        }
    }
    messages
}

fn joins(album: &[Enclosure], file: &Enclosure) -> bool {
    let bytes: u64 = album.iter().map(|one| one.bytes).sum();
    let is_of_albums = |one: &Enclosure| one.form.is_of_albums();
    is_of_albums(file)
        && album.iter().all(is_of_albums)
        && album.len() < limits::ALBUM_FILES_MAX
        && bytes + file.bytes <= limits::ALBUM_BYTES_MAX
}

#[cfg(test)]
#[path = "enclosure_tests.rs"]
mod tests;
