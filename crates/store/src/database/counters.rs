//! How much the store wrote: counted by whoever commits, read by whoever asks.

use std::sync::atomic::{AtomicU64, Ordering};

/// How much was written since the store was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Verbs that ran.
    pub verbs: u64,
    /// Commits that they shared.
    pub commits: u64,
    /// How often a server was waited for, by them and by those who read. Without a server, never.
    pub journeys: u64,
}

/// The counters behind `Stats`.
#[derive(Default)]
pub(crate) struct Counters {
    verbs: AtomicU64,
    commits: AtomicU64,
    journeys: AtomicU64,
}

impl Counters {
    pub(crate) fn add(&self, verbs: usize) {
        self.verbs.fetch_add(verbs as u64, Ordering::Relaxed);
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    /// A commit that was counted for one verb was that of so many.
    pub(crate) fn share(&self, verbs: usize) {
        let more = verbs.saturating_sub(1) as u64;
        self.verbs.fetch_add(more, Ordering::Relaxed);
    }

    /// A server was waited for so often.
    pub(crate) fn travel(&self, journeys: u64) {
        self.journeys.fetch_add(journeys, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Stats {
        Stats {
            verbs: self.verbs.load(Ordering::Relaxed),
            commits: self.commits.load(Ordering::Relaxed),
            journeys: self.journeys.load(Ordering::Relaxed),
        }
    }
}
