//! The reading end of a log: bytes from a place on, and how many before them were left out.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use super::{Segment, file, segments};

/// Some of a log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Piece {
    /// How many bytes were left out between the place asked for and the first byte here.
    pub cut: u64,
    /// The place of the first byte here.
    pub from: u64,
    /// The bytes. None mean that nothing more was said until now.
    pub bytes: Vec<u8>,
}

impl Piece {
    /// The place to ask for next.
    pub fn next(&self) -> u64 {
        self.from + self.bytes.len() as u64
    }
}

/// How much was said until now.
pub(crate) fn length(log: &Path) -> io::Result<u64> {
    Ok(segments(log)?.last().map_or(0, |last| last.end()))
}

/// How many bytes are there, without what was left out.
pub(crate) fn kept(log: &Path) -> io::Result<u64> {
    Ok(segments(log)?.iter().map(|segment| segment.bytes).sum())
}

/// Reads at most `bytes_max` bytes from the place `from` on.
pub(crate) fn read(log: &Path, from: u64, bytes_max: usize) -> io::Result<Piece> {
    loop {
        let all = segments(log)?;
        let Some(segment) = all.into_iter().find(|segment| segment.end() > from) else {
            return Ok(nothing(from));
        };
        match read_in(log, segment, from, bytes_max) {
            // It has just made room for newer bytes, which are now listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            piece => return piece,
        }
    }
}

fn nothing(from: u64) -> Piece {
    Piece {
        from,
        ..Piece::default()
    }
}

fn read_in(log: &Path, segment: Segment, from: u64, bytes_max: usize) -> io::Result<Piece> {
    let file = File::open(file(log, segment.from))?;
    let start = from.max(segment.from);
    let there = usize::try_from(segment.end() - start).unwrap_or(usize::MAX);
    let mut bytes = vec![0; there.min(bytes_max)];
    file.read_exact_at(&mut bytes, start - segment.from)?;
    Ok(Piece {
        cut: start - from,
        from: start,
        bytes,
    })
}
