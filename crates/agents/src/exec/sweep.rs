//! Forgets runs that nobody will ask for again.
//!
//! A run whose answer was written down is forgotten at once. What is left are failures, and runs whose turn was given
//! up while they ran: they are ended when no turn can be that old, and forgotten a week later. Agents share the folder and
//! each has a time of its own, so what counts is the longest that there can be. The time is that of the files, compared
//! with one that was just written.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use angelia_core::limits;
use angelia_process::held::{Found, adopt};

use super::Setup;

/// How long a run is kept that may still be asked for.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Looks at all runs beside the one whose message was just written.
pub(super) async fn sweep(setup: &Setup, message: &Path) {
    let (Ok(now), Ok(runs)) = (written_at(message), fs::read_dir(&setup.folder)) else {
        return;
    };
    for run in runs.flatten() {
        let age = written_at(&run.path()).map(|at| now.duration_since(at).unwrap_or_default());
        let Ok(age) = age else { continue };
        if age > longest() {
            look_at(&run.path(), age).await;
        }
    }
}

/// How old a run can be whose turn may still be open.
fn longest() -> Duration {
    limits::TURN_TIME_MAX.to_std() * limits::TURN_ATTEMPTS + limits::RESUME_WINDOW.to_std()
}

async fn look_at(run: &Path, age: Duration) {
    match adopt(run).await {
        Ok(Found::Running(held)) => {
            let ended = held.kill(limits::KILL_GRACE).await;
            let is_left = ended.is_err();
            tracing::info!(is_left, "an agent's command outlived its turn");
        }
        Ok(Found::Ended(_) | Found::Lost | Found::Absent) if age > KEPT => {
            // What stays is tried again by the next run.
            let _kept = fs::remove_dir_all(run).is_err();
        }
        Ok(Found::Ended(_) | Found::Lost | Found::Absent) | Err(_) => (),
    }
}

/// A folder is as old as its last entry, so a run is as old as its end, or its start.
fn written_at(path: &Path) -> io::Result<SystemTime> {
    fs::metadata(path)?.modified()
}

#[cfg(test)]
#[path = "sweep_tests.rs"]
mod tests;
