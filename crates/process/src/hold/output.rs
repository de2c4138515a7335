//! What a command says, on its way into the log.
//!
//! A pipe is emptied by the kernel, straight into the file. Where that cannot be done (a terminal, a full
//! disk, another system) the bytes are read and written: a terminal gives little at a time, so some of it
//! goes into one write.
//!
//! Reading stops when nothing is there, or when others should have a turn. It never waits. A command that floods
//! a pipe is let wait between two gulps: while it and we work without a pause, a gateway on a small machine that
//! wants the processor for a moment gets it only when the system thinks that one of us had it for long enough.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::log::Writer;
use crate::spec::Surface;

/// What is written at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// What a terminal gives at once. For less it is not worth reading on.
const READ_BYTES_MIN: usize = 4096;

/// How often something is taken before somebody else has a turn.
const TAKES_AT_ONCE: usize = 64;

/// What is moved before others have the processor: half a millisecond of it.
const GULP_BYTES: u64 = 512 * 1024;

/// How long they have it, if they want it.
const REST: Duration = Duration::from_micros(100);

/// The output of a command.
#[derive(Debug)]
pub(super) struct Output {
    from: OwnedFd,
    way: Way,
    /// How much was moved since the last rest.
    gulp: u64,
    /// Until when nothing is taken.
    rests_until: Option<Instant>,
}

/// How bytes come into the log.
#[derive(Debug)]
enum Way {
    /// From file to file.
    Moved,
    /// Through this memory.
    Copied(Vec<u8>),
}

/// What is to be expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// More may come.
    Goes,
    /// It has ended.
    Ended,
}

impl Output {
    pub(super) fn new(surface: Surface, from: OwnedFd) -> Self {
        let way = match surface {
            Surface::Pipes(_) if cfg!(target_os = "linux") => Way::Moved,
            Surface::Pipes(_) | Surface::Terminal(_) => copied(),
        };
        Self {
            from,
            way,
            gulp: 0,
            rests_until: None,
        }
    }

    /// What to wait for, unless nothing is taken now.
    pub(super) fn waiting(&self, now: Instant) -> Option<BorrowedFd<'_>> {
        let rests = self.rests_until.is_some_and(|until| now < until);
        (!rests).then(|| self.from.as_fd())
    }

    /// When something is taken again, if nothing is taken now.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        self.rests_until.filter(|until| now < *until)
    }

    /// Takes what is there.
    pub(super) fn take(&mut self, log: &mut Writer, now: Instant) -> Flow {
        if matches!(self.way, Way::Moved) {
            let before = log.length();
            let flow = moved(self.from.as_fd(), log);
            self.swallow(log.length() - before, now);
            match flow {
                Ok(flow) => return flow,
                // What was not moved is still there to be read, and is left out if it cannot be kept.
                Err(_) => self.way = copied(),
            }
        }
        match &mut self.way {
            Way::Moved => Flow::Goes,
            Way::Copied(chunk) => copy(self.from.as_fd(), chunk, log),
        }
    }

    fn swallow(&mut self, bytes: u64, now: Instant) {
        self.gulp += bytes;
        if self.gulp >= GULP_BYTES {
            self.gulp = 0;
            self.rests_until = Some(now + REST);
        }
    }
}

impl AsFd for Output {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.from.as_fd()
    }
}

fn copied() -> Way {
    Way::Copied(vec![0; CHUNK_BYTES])
}

#[cfg(target_os = "linux")]
fn moved(from: BorrowedFd<'_>, log: &mut Writer) -> io::Result<Flow> {
    let before = log.length();
    for _ in 0..TAKES_AT_ONCE {
        match log.take(from) {
            Ok(0) => return Ok(Flow::Ended),
            Ok(_) if log.length() - before >= GULP_BYTES => break,
            Ok(_) => (),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(Flow::Goes)
}

#[cfg(not(target_os = "linux"))]
fn moved(_from: BorrowedFd<'_>, _log: &mut Writer) -> io::Result<Flow> {
    Err(io::ErrorKind::Unsupported.into())
}

fn copy(from: BorrowedFd<'_>, chunk: &mut [u8], log: &mut Writer) -> Flow {
    let (mut filled, mut flow) = (0, Flow::Goes);
    for _ in 0..TAKES_AT_ONCE {
        if chunk.len() - filled < READ_BYTES_MIN {
            log.append(&chunk[..filled]);
            filled = 0;
        }
        match rustix::io::read(from, &mut chunk[filled..]) {
            Ok(count) if count > 0 => filled += count,
            Err(Errno::INTR) => (),
            Err(Errno::AGAIN) => break,
            // A terminal ends with an error: the last one who had it open is gone.
            Ok(_) | Err(_) => {
                flow = Flow::Ended;
                break;
            }
        }
    }
    log.append(&chunk[..filled]);
    flow
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
