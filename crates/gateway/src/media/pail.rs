//! What catches a file that comes piece by piece: onto disk, counted, weighed and bounded on the way.
//!
//! Memory holds the beginning of the file and one piece of it, however large it is. What is dropped before it got
//! its name is removed. Where nothing is kept on disk, the beginning is all there is: enough for a short text.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use angelia_core::limits;
use angelia_core::media::file::{FileKind, Kept};
use angelia_core::media::{Picture, Weighing};
use angelia_platforms::pail::{Enough, Pail};
use async_trait::async_trait;

use super::apart;
use super::files::Files;

/// Bytes that are written at once.
const PIECE_BYTES: usize = 256 * 1024;

/// The beginning of a file that is remembered: a text that stands in a message, and a byte more, to know that it is
/// longer.
const HEAD_BYTES: usize = limits::ATTACHED_TEXT_BYTES_MAX + 1;

/// Catches one file.
pub(crate) struct Bucket {
    files: Option<Arc<Files>>,
    disk: Option<Beside>,
    head: Vec<u8>,
    piece: Vec<u8>,
    weighing: Weighing,
    bytes: u64,
    /// What it is, if it is a picture that can be shown; known once it is placed.
    pub(super) picture: Option<Picture>,
    trouble: Option<Trouble>,
}

/// Why no more is caught.
pub(crate) enum Trouble {
    /// There is more of it than may be.
    TooLarge,
    /// The disk did not take it.
    Disk(io::Error),
}

/// What was caught.
pub(crate) struct Content {
    /// What it is.
    pub(crate) kind: FileKind,
    /// How many bytes it has.
    pub(crate) bytes: u64,
    /// Its row and file, if it is kept.
    pub(crate) kept: Option<Kept>,
    /// The picture that it is, if it can be shown.
    pub(crate) picture: Option<Picture>,
    /// All of it, if it is a text that is short enough for a message.
    pub(crate) text: Option<String>,
}

/// A file that has no name yet. It goes when this does.
struct Beside {
    file: File,
    path: PathBuf,
}

impl Drop for Beside {
    fn drop(&mut self) {
        // One that got its name is not here any more.
        let _gone = std::fs::remove_file(&self.path);
    }
}

impl Bucket {
    pub(super) fn new(files: Option<Arc<Files>>) -> Self {
        Self {
            files,
            disk: None,
            head: Vec::new(),
            piece: Vec::new(),
            weighing: Weighing::default(),
            bytes: 0,
            picture: None,
            trouble: None,
        }
    }

    /// Why no more was caught.
    pub(crate) fn trouble(&mut self) -> Option<Trouble> {
        self.trouble.take()
    }

    /// What it is, with what is known of it on disk.
    pub(super) fn content(self, kept: Option<Kept>) -> Content {
        let kind = FileKind::of(&self.head);
        let is_whole = self.bytes <= limits::ATTACHED_TEXT_BYTES_MAX as u64;
        let text = (kind == FileKind::Text && is_whole).then_some(self.head);
        Content {
            kind,
            bytes: self.bytes,
            kept,
            picture: self.picture,
            text: text.and_then(|bytes| String::from_utf8(bytes).ok()),
        }
    }

    /// Gives the file its name. It is durable when this returns.
    pub(super) async fn placed(mut self) -> io::Result<(Self, Kept)> {
        self.flush().await?;
        let kept = Kept {
            id: self.weighing.clone().id(),
            kind: FileKind::of(&self.head),
            bytes: self.bytes,
        };
        let (Some(files), Some(beside)) = (self.files.clone(), self.disk.take()) else {
            return Err(io::Error::other("there is no file"));
        };
        self.picture = apart(move || {
            let mut beside = beside;
            let picture = picture(&mut beside.file, &kept)?;
            beside.file.sync_all()?;
            files.adopt(&beside.path, &kept)?;
            Ok(picture)
        })
        .await?;
        Ok((self, kept))
    }

    async fn flush(&mut self) -> io::Result<()> {
        let Some(files) = self.files.clone() else {
            self.piece.clear();
            return Ok(());
        };
        let (disk, piece) = (self.disk.take(), std::mem::take(&mut self.piece));
        let written = apart(move || {
            let mut beside = match disk {
                Some(beside) => beside,
                None => {
                    let (file, path) = files.begin()?;
                    Beside { file, path }
                }
            };
            beside.file.write_all(&piece)?;
            Ok(beside)
        });
        self.disk = Some(written.await?);
        Ok(())
    }
}

#[async_trait]
impl Pail for Bucket {
    async fn pour(&mut self, piece: &[u8]) -> Result<(), Enough> {
        self.bytes += piece.len() as u64;
        if self.bytes > limits::ATTACHED_BYTES_MAX {
            self.trouble = Some(Trouble::TooLarge);
            return Err(Enough);
        }
        let room = HEAD_BYTES.saturating_sub(self.head.len());
        self.head.extend_from_slice(&piece[..piece.len().min(room)]);
        self.weighing.add(piece);
        self.piece.extend_from_slice(piece);
        if self.piece.len() >= PIECE_BYTES
            && let Err(error) = self.flush().await
        {
            self.trouble = Some(Trouble::Disk(error));
            return Err(Enough);
        }
        Ok(())
    }
}

/// The picture in a file, if it is one that can be shown.
fn picture(file: &mut File, kept: &Kept) -> io::Result<Option<Picture>> {
    if !matches!(kept.kind, FileKind::Picture(_)) || kept.bytes > limits::PICTURE_BYTES_MAX as u64 {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(Picture::of(&bytes, None).ok())
}

#[cfg(test)]
#[path = "pail_tests.rs"]
mod tests;
