//! Spawning: every task has a name, is counted, and can be ended.
//!
//! A task that panics is a fault of the node: the node ends with a report, and restart is start. A
//! turn guards its agent's panics itself (`turn`), so one bad answer does not end the node.

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use tokio::task::AbortHandle;
use tokio_util::task::TaskTracker;

use crate::watched::Watched;

/// Why a node cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{task} failed: {why}")]
pub struct Fault {
    /// The task that failed.
    pub task: String,
    /// What happened.
    pub why: String,
}

/// The tasks of one node.
#[derive(Debug, Clone)]
pub struct Tasks {
    tracker: TaskTracker,
    running: Arc<Mutex<Running>>,
    fault: Watched<Option<Fault>>,
    ended: Watched<u64>,
}

#[derive(Debug, Default)]
struct Running {
    next: u64,
    handles: BTreeMap<u64, (String, AbortHandle)>,
}

impl Default for Tasks {
    fn default() -> Self {
        Self {
            tracker: TaskTracker::new(),
            running: Arc::default(),
            fault: Watched::new(None),
            ended: Watched::new(0),
        }
    }
}

impl Tasks {
    /// Starts a task.
    pub fn spawn(&self, name: impl Into<String>, task: impl Future<Output = ()> + Send + 'static) {
        let mut running = self.running();
        let number = running.next;
        running.next += 1;
        let name = name.into();
        let guarded = self.clone().guard(name.clone(), number, task);
        let handle = self.tracker.spawn(guarded).abort_handle();
        running.handles.insert(number, (name, handle));
    }

    async fn guard(self, name: String, number: u64, task: impl Future<Output = ()> + Send) {
        let outcome = AssertUnwindSafe(task).catch_unwind().await;
        self.running().handles.remove(&number);
        self.ended.change(|count| *count += 1);
        if let Err(panic) = outcome {
            self.report(Fault {
                task: name,
                why: words(&*panic),
            });
        }
    }

    /// Ends the node because of `fault`. The first one is kept.
    pub fn report(&self, fault: Fault) {
        tracing::error!(task = %fault.task, why = %fault.why, "the node cannot go on");
        self.fault.change(|kept| {
            kept.get_or_insert(fault);
        });
    }

    /// Waits for a fault.
    pub async fn fault(&self) -> Fault {
        let found = self.fault.until(Option::is_some).await;
        found.expect("it was waited for until there is one")
    }

    /// Waits until no task runs whose name begins with `prefix`.
    pub async fn ended(&self, prefix: &str) {
        self.ended.until(|_| !self.runs(prefix)).await;
    }

    fn runs(&self, prefix: &str) -> bool {
        self.running()
            .handles
            .values()
            .any(|(name, _)| name.starts_with(prefix))
    }

    /// Waits until every task has ended. No task may be spawned any more.
    pub async fn joined(&self) {
        self.tracker.close();
        self.tracker.wait().await;
    }

    /// Ends every task at its next await, as a kill would.
    pub fn abort(&self) {
        let handles = std::mem::take(&mut self.running().handles);
        handles.into_values().for_each(|(_, handle)| handle.abort());
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a panic said.
pub fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic".to_owned())
}
