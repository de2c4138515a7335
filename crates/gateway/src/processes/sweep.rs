//! Forgets processes that ended long ago, and earlier ones when their logs take too much room or there are
//! too many.
//!
//! The folder goes first and the row last, so a crash in between leaves a row whose folder is gone, which
//! the next look forgets. A process that lives, or whose end was not told yet, is never forgotten.

use std::fs;
use std::io;
use std::path::Path;

use angelia_core::limits;
use angelia_core::process::retention::{self, Spent};
use angelia_process::held::Held;
use angelia_store::StoreError;
use angelia_store::processes::Process;

use super::Processes;

/// What one look reads: one that finds more than are kept has some to forget, whatever stands behind them.
const SPENT_AT_ONCE: usize = limits::PROCESSES_KEPT_MAX + limits::PROCESSES_SWEPT_AT_ONCE;

/// Forgets some, until none is left that should be.
pub(crate) async fn sweep(processes: &Processes) -> Result<(), StoreError> {
    while sweep_some(processes).await? == limits::PROCESSES_SWEPT_AT_ONCE {}
    Ok(())
}

/// Forgets some; tells how many.
async fn sweep_some(processes: &Processes) -> Result<usize, StoreError> {
    let store = &processes.ground.store;
    let spent = store
        .spent_processes(&processes.home, SPENT_AT_ONCE)
        .await?;
    let weighed: Vec<Spent> = spent.iter().map(|one| weigh(processes, one)).collect();
    let count = retention::to_forget(&weighed, processes.ground.env.now());
    let count = count.min(limits::PROCESSES_SWEPT_AT_ONCE);
    let mut forgotten = 0;
    for process in spent.into_iter().take(count) {
        match remove(&processes.folder(process.id)) {
            Ok(()) => {
                store.forget_process(process.id).await?;
                forgotten += 1;
            }
            Err(error) => {
                tracing::warn!(process = %process.id, %error, "a folder cannot be removed");
            }
        }
    }
    Ok(forgotten)
}

fn weigh(processes: &Processes, process: &Process) -> Spent {
    Spent {
        ended_at: process.session.and(process.ended_at),
        // What cannot be measured is not there, or goes when its time comes.
        bytes: Held::at(processes.folder(process.id))
            .kept_bytes()
            .unwrap_or(0),
    }
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
