//! How long processes that ended are kept.
//!
//! For a while, so that people can read what was said; no longer than there is room, and no more than a
//! look at all of them can take. The first to end are the first to go.

use crate::limits;
use crate::time::Timestamp;

/// A process that ended and has nothing left to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// When it ended; nothing if its conversation is gone, and it should be too.
    pub ended_at: Option<Timestamp>,
    /// The room that its log takes.
    pub bytes: u64,
}

/// How many of `spent`, the first to end first, are to be forgotten at `now`.
pub fn to_forget(spent: &[Spent], now: Timestamp) -> usize {
    let mut room = limits::PROCESS_DISK_BYTES_MAX;
    let newest = spent.iter().rev().take(limits::PROCESSES_KEPT_MAX);
    let kept = newest.take_while(|one| {
        let fits = one.bytes <= room;
        room = room.saturating_sub(one.bytes);
        fits && is_kept(one, now)
    });
    spent.len() - kept.count()
}

fn is_kept(spent: &Spent, now: Timestamp) -> bool {
    spent
        .ended_at
        .is_some_and(|ended| now.since(ended) <= limits::PROCESS_KEPT)
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
