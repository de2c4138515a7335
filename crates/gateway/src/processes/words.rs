//! The end of an output, as words that may be shown: without escapes and without secrets.

use std::io;

use angelia_core::limits;
use angelia_process::held::Held;
use angelia_process::text;
use angelia_store::processes::Process;

use super::Processes;

impl Processes {
    /// What it said last, made of at most so many raw bytes. Output that cannot be read is none: what
    /// else is known of a process can be told all the same.
    pub(super) fn end_of(&self, process: &Process, bytes_max: u64) -> String {
        self.masked_end(process, bytes_max).unwrap_or_else(|error| {
            let id = process.id;
            tracing::warn!(process = %id, %error, "the output of a process cannot be read");
            String::new()
        })
    }

    fn masked_end(&self, process: &Process, bytes_max: u64) -> io::Result<String> {
        let (from, bytes) = end(&self.held(process.id), bytes_max)?;
        let clean = text::strip(&String::from_utf8_lossy(&bytes));
        Ok(self.pieces(process, from)?.shown(&clean))
    }
}

/// The last bytes of a log, and their place.
fn end(held: &Held, bytes_max: u64) -> io::Result<(u64, Vec<u8>)> {
    let total = held.output_bytes()?;
    let begin = total.saturating_sub(bytes_max);
    let (mut from, mut bytes) = (begin, Vec::new());
    while from < total {
        let piece = held.read(from, limits::LOG_PAGE_BYTES)?;
        if piece.bytes.is_empty() {
            break;
        }
        from = piece.next();
        bytes.extend(piece.bytes);
    }
    Ok((begin, bytes))
}
