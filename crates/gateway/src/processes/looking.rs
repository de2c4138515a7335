//! A look at an output, piece by piece: raw bytes in, lines with wanted words out, and the place from which
//! somebody else could go on.
//!
//! That place is the beginning of the line that has not ended: whoever goes on there reads the whole line,
//! and knows from the scan whether it was told. Of a line without end only the last part is read again.

use angelia_core::limits;
use angelia_core::process::watch::scan::{Found, Scan};
use angelia_core::time::Timestamp;
use angelia_process::Piece;
use angelia_process::text::Cleaner;
use angelia_store::watches::{Look, Looked};

pub(super) struct Looking {
    looks: u32,
    scan: Scan,
    cleaner: Cleaner,
    /// Where the line begins that has not ended.
    line: u64,
    /// The byte before `at`.
    last: u8,
    at: u64,
    written: u64,
    written_at: Timestamp,
}

impl Looking {
    pub(super) fn from(looked: Looked, now: Timestamp) -> Self {
        Self {
            looks: looked.looks,
            scan: looked.scan,
            cleaner: Cleaner::default(),
            line: looked.place,
            last: b'\n',
            at: looked.place,
            written: looked.place,
            written_at: now,
        }
    }

    /// Looks at the next piece.
    pub(super) fn read(&mut self, patterns: &[String], piece: &Piece) -> Option<Found> {
        if piece.from != self.at {
            self.scan.skip();
            self.cleaner = Cleaner::default();
            (self.line, self.last) = (piece.from, b'\n');
        }
        for (place, byte) in (piece.from..).zip(&piece.bytes) {
            if self.last == b'\r' && *byte != b'\n' {
                self.line = place;
            }
            if *byte == b'\n' {
                self.line = place + 1;
            }
            self.last = *byte;
        }
        self.at = piece.next();
        self.scan.read(patterns, &self.cleaner.push(&piece.bytes))
    }

    /// Looks at what never became whole.
    pub(super) fn finish(&mut self, patterns: &[String]) -> Option<Found> {
        self.scan.read(patterns, &self.cleaner.finish())
    }

    /// How much was looked at since that was last written down.
    pub(super) fn unwritten(&self) -> u64 {
        self.at - self.written
    }

    /// Whether enough was looked at, and enough time has passed, to write it down although nothing was
    /// found.
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        self.unwritten() >= limits::WATCH_UNWRITTEN_BYTES
            && now.since(self.written_at) >= limits::WATCH_WRITTEN_EVERY
    }

    /// The look until now, to be written down.
    pub(super) fn look(&self, found: Option<Found>) -> Look {
        let last_part = self.at.saturating_sub(limits::WATCH_LINE_BYTES as u64);
        Look {
            looked: Looked {
                looks: self.looks,
                place: self.line.max(last_part),
                scan: self.scan.for_another(),
            },
            found,
        }
    }

    /// It was written down.
    pub(super) fn wrote(&mut self, now: Timestamp) {
        self.written_at = now;
        self.looks += 1;
        self.written = self.at;
    }
}

#[cfg(test)]
#[path = "looking_tests.rs"]
mod tests;
