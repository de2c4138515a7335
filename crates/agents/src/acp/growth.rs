//! When people see again what grows: at once, and then no more often than an eye needs it.
//!
//! What grew in between is seen when its time has come, also if nothing more is said by then. Nothing of it is kept.

use std::collections::BTreeSet;

use angelia_core::limits;
use tokio::time::{Instant, sleep_until};

/// What grew since it was seen last.
#[derive(Debug, Default)]
pub(super) struct Growth {
    grown: BTreeSet<String>,
    seen: Option<Instant>,
}

impl Growth {
    /// This one has grown.
    pub(super) fn grew(&mut self, name: &str) {
        if !self.grown.contains(name) {
            self.grown.insert(name.to_owned());
        }
    }

    /// This one is whole, and grows no more.
    pub(super) fn is_whole(&mut self, name: &str) {
        self.grown.remove(name);
    }

    /// Waits until something has grown and may be seen.
    pub(super) async fn is_due(&self) {
        match (self.grown.is_empty(), self.seen) {
            (true, _) => std::future::pending().await,
            (false, None) => (),
            (false, Some(seen)) => sleep_until(seen + limits::AGENT_OUTPUT_EVERY.to_std()).await,
        }
    }

    /// What has grown; all of it is seen now.
    pub(super) fn take(&mut self) -> BTreeSet<String> {
        self.seen = Some(Instant::now());
        std::mem::take(&mut self.grown)
    }
}

#[cfg(test)]
#[path = "growth_tests.rs"]
mod tests;
