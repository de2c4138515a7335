//! How long pictures are kept that no conversation refers to.
//!
//! For a while, so that one that was just brought can be sent with a message; less long when disk is short.
//! The oldest are the first to go. What a conversation refers to is never forgotten here.

use crate::limits;
use crate::time::Timestamp;

/// A picture that no conversation refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unused {
    /// When it was last brought.
    pub kept_at: Timestamp,
    /// The room that it takes.
    pub bytes: u64,
}

/// How many of `unused`, the oldest first, are to be forgotten at `now`, if all pictures take `total` bytes.
pub fn to_forget(unused: &[Unused], total: u64, now: Timestamp) -> usize {
    let mut total = total;
    let goes = |one: &&Unused| {
        let is_old = now.since(one.kept_at) >= limits::MEDIA_UNUSED;
        let is_tight = total > limits::MEDIA_BYTES_TIGHT;
        total = total.saturating_sub(one.bytes);
        is_old || is_tight
    };
    unused.iter().take_while(goes).count()
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
