//! Runs one command to its end while the caller waits.
//!
//! The caller gets what the command said and how it ended. A command that fails is no error here;
//! an error means that it could not be started, or that its end could not be seen. Dropping the
//! future ends the command and everybody it started. The same holds for a command in a target
//! (`inside`).

mod inside;

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;

use tokio::time::timeout;

use crate::command::Command;
use crate::{ladder, spawn};

/// A command that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub status: Status,
    /// What it said, output and errors in the order of their arrival; the middle of a long text is
    /// left out, and that is said.
    pub output: String,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// By us, because its time was up.
    TimedOut,
}

/// Why nothing can be said about a command.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It was not started, and has done nothing.
    #[error(
        "the command could not be started with {} in {}: {source}; \
         check that the directory exists and may be entered",
        spawn::SHELL,
        place(.workdir.as_ref())
    )]
    NotStarted {
        /// Where it should have run.
        workdir: Option<PathBuf>,
        /// What the system said.
        source: io::Error,
    },
    /// It was not started in its target, and has done nothing.
    #[error("the command was not started in its target: {0}")]
    Unreached(String),
    /// It ran, but its exit was not seen.
    #[error("the command ran, but how it ended is not known: {0}; look at what it was to change")]
    Lost(io::Error),
}

/// Runs `command` to its end.
pub async fn run(command: &Command) -> Result<Finished, RunError> {
    match command.target.is_local() {
        true => run_here(command).await,
        false => inside::run(command).await,
    }
}

async fn run_here(command: &Command) -> Result<Finished, RunError> {
    let (mut family, mut output) =
        spawn::start(command).map_err(|source| RunError::NotStarted {
            workdir: command.workdir.clone(),
            source,
        })?;
    let in_time = timeout(command.time.to_std(), family.exited());
    let watched = output.read_until(in_time).await;
    if watched.is_ok() {
        output.drain().await;
    }
    if watched.is_err() || family.leaves_someone() {
        ladder::descend(&mut family, &mut output).await;
    }
    let exit = family.reap().map_err(RunError::Lost)?;
    let status = if watched.is_ok() {
        status(exit)
    } else {
        Status::TimedOut
    };
    Ok(Finished {
        status,
        output: output.into_text(),
    })
}

fn status(exit: ExitStatus) -> Status {
    match (exit.code(), exit.signal()) {
        (Some(code), _) => Status::Exited(code),
        (None, signal) => Status::Signalled(signal.expect("an exit has a code or a signal")),
    }
}

fn place(workdir: Option<&PathBuf>) -> String {
    workdir.map_or_else(
        || "the gateway's own directory".to_owned(),
        |workdir| workdir.display().to_string(),
    )
}

#[cfg(test)]
#[path = "foreground_tests.rs"]
mod tests;
