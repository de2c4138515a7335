//! What a server's program complains about, line by line, to the log.
//!
//! Lines are shortened, secrets in them are hidden, and only so many are logged within a minute: a
//! program that never stops complaining must not fill a disk. Reading goes on in any case, or the
//! program would stand still.

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface};
use angelia_core::time::Span;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::time::Instant;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 4 * 1024;

/// How long a count of lines holds.
const MINUTE: Span = Span::minutes(1);

/// Logs what comes, to the end.
pub(super) async fn log(server: &str, mut errors: impl AsyncRead + Unpin, masker: &Masker) {
    let mut chunk = vec![0; CHUNK_BYTES];
    let (mut lines, mut pace) = (Lines::default(), Pace::new(Instant::now()));
    loop {
        let read = errors.read(&mut chunk).await;
        let Some(bytes) = read.ok().filter(|bytes| *bytes > 0) else {
            return;
        };
        for line in lines.take(&chunk[..bytes]) {
            let line = masker.shown(&line, Surface::Log);
            match pace.next(Instant::now()) {
                Told::Whole => tracing::info!(server, "{line}"),
                Told::Last => tracing::info!(server, "{line} (no more of this for a minute)"),
                Told::Nothing => (),
            }
        }
    }
}

/// Makes lines of pieces. What is beyond the limit of a line is lost.
#[derive(Debug, Default)]
struct Lines(Vec<u8>);

impl Lines {
    /// The lines that are whole now.
    fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut whole = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = String::from_utf8_lossy(&self.0).trim_end().to_owned();
                    self.0.clear();
                    whole.extend(Some(line).filter(|line| !line.is_empty()));
                }
                _ if self.0.len() < limits::mcp::COMPLAINT_BYTES_MAX => self.0.push(*byte),
                _ => (),
            }
        }
        whole
    }
}

/// What is told of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Whole,
    Last,
    Nothing,
}

/// How many lines there were within this minute.
#[derive(Debug)]
struct Pace {
    since: Instant,
    lines: usize,
}

impl Pace {
    fn new(now: Instant) -> Self {
        Self {
            since: now,
            lines: 0,
        }
    }

    fn next(&mut self, now: Instant) -> Told {
        if now.duration_since(self.since) >= MINUTE.to_std() {
            *self = Self::new(now);
        }
        self.lines += 1;
        match self.lines.cmp(&limits::mcp::COMPLAINTS_PER_MINUTE) {
            std::cmp::Ordering::Less => Told::Whole,
            std::cmp::Ordering::Equal => Told::Last,
            std::cmp::Ordering::Greater => Told::Nothing,
        }
    }
}

#[cfg(test)]
#[path = "complaints_tests.rs"]
mod tests;
