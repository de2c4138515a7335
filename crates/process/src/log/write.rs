//! The writing end of a log.
//!
//! What is in a pipe is moved into the log by the kernel, which saves a copy through our own memory; what
//! is said on a terminal is copied.
//!
//! A write that fails (a full disk) must not stop the process whose words it holds: the bytes are
//! left out, the next segment begins behind them, and readers see the gap as they see any other.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
#[cfg(target_os = "linux")]
use std::os::fd::BorrowedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::{TAIL_SEGMENTS, file};

/// What is moved at once: more than a pipe holds.
#[cfg(target_os = "linux")]
const MOVED_BYTES_MAX: u64 = 1024 * 1024;

/// Makes an empty log, unless it is there from a start that was given up.
pub(crate) fn make(log: &Path) -> io::Result<()> {
    segment(log, 0).map(drop)
}

fn segment(log: &Path, from: u64) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // Not for appending: nothing is moved into such a file. Nobody else writes to it.
    let options = options.create(true).write(true).mode(0o600);
    options.open(file(log, from))
}

/// Writes a log.
#[derive(Debug)]
pub(crate) struct Writer {
    log: PathBuf,
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
    /// Writes the empty log `log`, to at most `bytes_max` bytes.
    pub(crate) fn open(log: PathBuf, bytes_max: u64) -> Self {
        // Half for the beginning, half for the end; nothing is too little for one byte of each.
        let head_bytes = (bytes_max / 2).max(1);
        Self {
            log,
            head_bytes,
            segment_bytes: (head_bytes / TAIL_SEGMENTS).max(1),
            at: 0,
            current: None,
            tail: VecDeque::new(),
        }
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

    /// Moves some of what is in `pipe` to the end of the log; nothing at the end of the pipe. What could
    /// not be moved is still in the pipe.
    #[cfg(target_os = "linux")]
    pub(crate) fn take(&mut self, pipe: BorrowedFd<'_>) -> io::Result<usize> {
        use rustix::pipe::{SpliceFlags, splice};

        let current = self.roomy()?;
        let most = current.room.min(MOVED_BYTES_MAX) as usize;
        let flags = SpliceFlags::NONBLOCK | SpliceFlags::MOVE;
        let count = splice(pipe, None, &current.file, None, most, flags)?;
        current.room -= count as u64;
        self.at += count as u64;
        Ok(count)
    }

    fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let current = self.roomy()?;
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

    /// The segment being written, which has room.
    fn roomy(&mut self) -> io::Result<&mut Current> {
        if self.current.as_ref().is_none_or(|it| it.room == 0) {
            self.begin_segment()?;
        }
        self.current
            .as_mut()
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn begin_segment(&mut self) -> io::Result<()> {
        if self.at > 0 {
            self.make_room();
        }
        let file = segment(&self.log, self.at)?;
        let room = if self.at == 0 {
            self.head_bytes
        } else {
            self.tail.push_back(self.at);
            self.segment_bytes
        };
        self.current = Some(Current { file, room });
        Ok(())
    }

    fn make_room(&mut self) {
        while self.tail.len() as u64 >= TAIL_SEGMENTS {
            let Some(oldest) = self.tail.pop_front() else {
                return;
            };
            // What cannot be removed is kept for longer than it need be, which harms nobody.
            let _kept = fs::remove_file(file(&self.log, oldest)).is_err();
        }
    }
}
