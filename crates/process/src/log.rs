//! What a background process said, as raw bytes on disk: the beginning and the end of it.
//!
//! The log is a row of segments: files that begin with the name of the log. Each is named by the place of
//! its first byte in all that was ever said, so the names alone tell what is there and what was left
//! out, and a place once told stays true for ever. The first segment is half of what may be kept and stays; the others are
//! small, and the oldest of them makes room for the newest.
//!
//! `write` is for the holder, `read` for everybody else. Nothing is forced to the disk: the bytes
//! outlive every process, though not a power cut.

mod read;
mod write;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use read::Piece;
pub(crate) use read::{kept, length, read};
pub(crate) use write::{Writer, make};

/// Small segments that are kept, the one being written included.
const TAIL_SEGMENTS: u64 = 8;

/// One file of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    from: u64,
    bytes: u64,
}

impl Segment {
    fn end(self) -> u64 {
        self.from + self.bytes
    }
}

/// The file of the segment that begins at `from`; names sort as the places do.
fn file(log: &Path, from: u64) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(format!(".{from:020}"));
    name.into()
}

/// Where a segment of the log begins that has this name; nothing for other files.
fn place(log: &Path, name: &OsStr) -> Option<u64> {
    let rest = name.to_str()?.strip_prefix(log.file_name()?.to_str()?)?;
    rest.strip_prefix('.')?.parse().ok()
}

/// The segments in order.
fn segments(log: &Path) -> io::Result<Vec<Segment>> {
    // The parent of a bare name is empty.
    let folder = log.parent().filter(|folder| *folder != Path::new(""));
    let entries = match fs::read_dir(folder.unwrap_or(Path::new("."))) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let Some(from) = place(log, &entry.file_name()) else {
            continue;
        };
        // One that went away meanwhile made room for others.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        found.push(Segment {
            from,
            bytes: metadata.len(),
        });
    }
    found.sort_by_key(|segment| segment.from);
    Ok(found)
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
