//! Making commits durable beside the thread that writes.
//!
//! ```text
//! writer:  commit A ─ commit B ─ commit C ─ …        (nothing is synced in these commits)
//! here:              └ sync, tell A ─ sync, tell B and C ─ …
//! ```
//!
//! The log is written from front to back and each commit's checksum covers all before it, so a sync
//! that begins after a commit makes that commit and every earlier one durable. Nobody is answered
//! before such a sync has returned.
//!
//! A sync that fails is final. The kernel may have dropped the pages that it could not write, and the
//! next sync would succeed without them; so nothing is ever synced or answered well again, and the
//! store must be opened anew, after somebody has looked at the disk.
//!
//! It does not commit, and it knows nothing of SQLite but the file that it syncs.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use crate::StoreError;
use crate::database::job::{self, Group};

/// Commits that may wait for a sync. When the disk stalls the writer waits too, and with it the door.
const COMMITS_MAX: usize = 16;

/// How the log is made durable.
pub(crate) type SyncLog = Box<dyn Fn() -> io::Result<()> + Send>;

/// The handle of the thread that syncs.
pub(crate) struct Syncing {
    queue: Option<SyncSender<Group>>,
    thread: Option<JoinHandle<()>>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Groups that were handed over and are not durable yet.
    behind: AtomicUsize,
    /// Why nothing can be durable any more.
    failed: OnceLock<StoreError>,
}

impl Syncing {
    /// Starts the thread; `place` names the file.
    pub(crate) fn start(sync: SyncLog, place: &str) -> Result<Self, StoreError> {
        let (queue, groups) = sync_channel(COMMITS_MAX);
        let state = Arc::new(State::default());
        let log = Log {
            sync,
            place: place.to_owned(),
            state: Arc::clone(&state),
        };
        let thread = thread::Builder::new()
            .name("angelia-sync".to_owned())
            .spawn(move || log.serve(&groups))
            .map_err(|error| {
                StoreError::Unavailable(format!("no thread can be started: {error}"))
            })?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
            state,
        })
    }

    /// Answers the group once everything that is committed now is durable.
    pub(crate) fn hand_over(&self, group: Group) {
        self.state.behind.fetch_add(1, Ordering::Relaxed);
        // Without the thread the group is dropped, and its callers learn that the writer has stopped.
        let _gone = self.queue.as_ref().map(|queue| queue.send(group));
    }

    /// Whether a commit that was handed over is not durable yet.
    pub(crate) fn is_behind(&self) -> bool {
        self.state.behind.load(Ordering::Acquire) > 0
    }

    /// An error once a sync has failed.
    pub(crate) fn intact(&self) -> Result<(), StoreError> {
        self.state.intact()
    }
}

impl Drop for Syncing {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported by the panic hook, and its callers were told.
            let _ = thread.join();
        }
    }
}

impl State {
    fn intact(&self) -> Result<(), StoreError> {
        self.failed.get().cloned().map_or(Ok(()), Err)
    }
}

/// What the thread works with.
struct Log {
    sync: SyncLog,
    place: String,
    state: Arc<State>,
}

impl Log {
    fn serve(self, groups: &Receiver<Group>) {
        while let Ok(first) = groups.recv() {
            let mut covered = vec![first];
            covered.extend(groups.try_iter());
            let durable = self.make_durable();
            // First the verdict, then the count: who sees nothing behind must see a failure.
            self.state
                .behind
                .fetch_sub(covered.len(), Ordering::Release);
            for group in covered {
                job::answer_all(group, &durable);
            }
        }
    }

    /// Syncs, unless that failed before.
    fn make_durable(&self) -> Result<(), StoreError> {
        self.state.intact()?;
        (self.sync)().map_err(|error| {
            let said = self.lost(&error);
            self.state.failed.get_or_init(|| said).clone()
        })
    }

    fn lost(&self, error: &io::Error) -> StoreError {
        StoreError::Unavailable(format!(
            "{}: its disk did not confirm what was written ({error}), so nothing more is accepted; \
             look at the system's log, then start the gateway again",
            self.place
        ))
    }
}

#[cfg(test)]
#[path = "syncing_tests.rs"]
mod tests;
