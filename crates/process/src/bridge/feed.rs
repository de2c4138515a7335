//! The input of a command in a target, on its way there: each byte once, in order, whatever becomes
//! of the line.
//!
//! What was read from our own input stays here until the other side says that it has arrived. After a
//! broken line it says how far that was, and sending goes on from there.

use std::collections::VecDeque;

use crate::target::script::{self, FEED_BYTES};

/// From here on nothing more is read from our input.
const WAITING_BYTES: usize = 64 * 1024;

/// What may be on its way at once.
const UNDERWAY_BYTES: u64 = 16 * 1024;

/// The input of a command in a target.
#[derive(Debug, Default)]
pub(super) struct Feed {
    /// What has not arrived yet.
    bytes: VecDeque<u8>,
    /// How many bytes have arrived.
    arrived: u64,
    /// How many bytes were sent on the present line, or arrived before.
    sent: u64,
    end: End,
}

/// How far the end of the input has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum End {
    #[default]
    Open,
    /// Our own input has ended.
    Seen,
    /// The present line was told.
    Sent,
}

impl Feed {
    /// Whether more of our input should be read.
    pub(super) fn has_room(&self) -> bool {
        self.end == End::Open && self.bytes.len() < WAITING_BYTES
    }

    /// Takes more of our input.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Our input has ended.
    pub(super) fn close(&mut self) {
        self.end = End::Seen;
    }

    /// A line stands, at whose end this many bytes have arrived.
    pub(super) fn go_on(&mut self, arrived: u64) {
        self.arrive(arrived);
        self.sent = self.arrived;
        if self.end == End::Sent {
            self.end = End::Seen;
        }
    }

    /// This many bytes have arrived.
    pub(super) fn arrive(&mut self, arrived: u64) {
        let fresh = arrived.saturating_sub(self.arrived);
        let fresh = usize::try_from(fresh)
            .unwrap_or(usize::MAX)
            .min(self.bytes.len());
        self.bytes.drain(..fresh);
        self.arrived += fresh as u64;
        self.sent = self.sent.max(self.arrived);
    }

    /// What is to be sent now.
    pub(super) fn next(&mut self) -> Vec<u8> {
        let mut lines = Vec::new();
        while self.sent - self.arrived < UNDERWAY_BYTES {
            let from = usize::try_from(self.sent - self.arrived).unwrap_or(usize::MAX);
            let piece: Vec<u8> = self
                .bytes
                .iter()
                .skip(from)
                .take(FEED_BYTES)
                .copied()
                .collect();
            if piece.is_empty() {
                break;
            }
            self.sent += piece.len() as u64;
            lines.extend(script::feed(&piece, self.sent).bytes());
        }
        if self.end == End::Seen && self.bytes.is_empty() {
            self.end = End::Sent;
            lines.extend(script::CLOSE);
        }
        lines
    }
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;
