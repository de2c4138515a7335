//! The writing end of a log.
//!
//! A write that fails (a full disk) must not stop the process whose words it holds: the bytes are
//! left out, the next segment begins behind them, and readers see the gap as they see any other.

use std::collections::VecDeque;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

use super::{TAIL_SEGMENTS, name};

/// Writes a log.
#[derive(Debug)]
pub(crate) struct Writer {
    folder: PathBuf,
    head_bytes: u64,
    segment_bytes: u64,
    /// Where the next byte goes.
    at: u64,
    current: Option<Current>,
    /// Where the small segments begin.
    tail: VecDeque<u64>,
}

/// The segment being written.
#[derive(Debug)]
struct Current {
    file: File,
    room: u64,
}

impl Writer {
    /// A new log in `folder`, of at most `bytes_max` bytes.
    pub(crate) fn create(folder: PathBuf, bytes_max: u64) -> io::Result<Self> {
        DirBuilder::new().mode(0o700).create(&folder)?;
        // Half for the beginning, half for the end; nothing is too little for one byte of each.
        let head_bytes = (bytes_max / 2).max(1);
        Ok(Self {
            folder,
            head_bytes,
            segment_bytes: (head_bytes / TAIL_SEGMENTS).max(1),
            at: 0,
            current: None,
            tail: VecDeque::new(),
        })
    }

    /// How much was said until now.
    pub(crate) fn length(&self) -> u64 {
        self.at
    }

    /// Adds to the log.
    pub(crate) fn append(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match self.write_some(bytes) {
                Ok(count) => {
                    self.at += count as u64;
                    bytes = &bytes[count..];
                }
                Err(_full) => {
                    self.at += bytes.len() as u64;
                    self.current = None;
                    return;
                }
            }
        }
    }

    fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let current = match &mut self.current {
            Some(current) if current.room > 0 => current,
            _ => self.begin_segment()?,
        };
        let fitting = bytes
            .len()
            .min(usize::try_from(current.room).unwrap_or(usize::MAX));
        let count = current.file.write(&bytes[..fitting])?;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        current.room -= count as u64;
        Ok(count)
    }

    fn begin_segment(&mut self) -> io::Result<&mut Current> {
        let room = if self.at == 0 {
            self.head_bytes
        } else {
            self.make_room();
            self.tail.push_back(self.at);
            self.segment_bytes
        };
        let path = self.folder.join(name(self.at));
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).mode(0o600).open(path)?;
        Ok(self.current.insert(Current { file, room }))
    }

    fn make_room(&mut self) {
        while self.tail.len() as u64 >= TAIL_SEGMENTS {
            let Some(oldest) = self.tail.pop_front() else {
                return;
            };
            // What cannot be removed is kept for longer than it need be, which harms nobody.
            let _kept = fs::remove_file(self.folder.join(name(oldest))).is_err();
        }
    }
}
