//! Background processes: what a running node can do with them.
//!
//! A process is a row (`store::processes`) and a folder (`process::held`). The row says who started it and
//! how it ended; the folder has its holder, its output and its exit. Neither needs this node to go on:
//!
//! ```text
//! start   a turn's wish → row → holder          one process for one call, also after a crash
//! act     what an agent does with its own       looks, waits, writes, kills; others' are not found
//! keep    rows that live → wait → the end       a loop; also what ended while no gateway ran
//! watch   what they say → news in the rows      wanted words at once, new output from time to time
//! tell    news and ends → inbox                 told once, to whoever started it
//! log     output as text, by place              read from the files, followed while it grows
//! sweep   what ended long ago                   folder first, row last
//! errands what another node holds               asked for by a row, answered by a row
//! ```
//!
//! `Processes` holds no state: any number of them stand for the same place. Ending the node ends no
//! process. What a process was told to do stays in its row as it is, since that is what runs; whatever shows
//! it, or what it said, hides the secrets in it (`core::mask`).

mod act;
pub(crate) mod errands;
mod following;
pub(crate) mod keep;
pub mod log;
mod looking;
pub(crate) mod start;
pub(crate) mod sweep;
mod tell;
mod watch;
mod words;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::process::errand::{Beginning, Errand, Form};
use angelia_core::process::watch::Notifications;
use angelia_core::process::{End, How, State};
use angelia_process::exit::{self, Exit};
use angelia_process::held::{self, Held, HeldError, Outcome, Program};
use angelia_process::spec::Size;
use angelia_process::target::Target;
use angelia_store::StoreError;
use angelia_store::processes::{Moved, Process, Seen};

use crate::feed::Frame;
use crate::ground::Ground;

/// Where processes are held, and what holds them.
#[derive(Debug, Clone)]
pub struct Place {
    /// One folder below it for each process.
    pub folder: PathBuf,
    /// What becomes a holder.
    pub program: Program,
    /// What is told of processes that are looked at from time to time.
    pub notifications: Notifications,
    /// How much of what one of them says is kept.
    pub log_bytes_max: u64,
    /// How far each of them steps back behind us when both want the processor.
    pub nice: u8,
}

/// Why nothing could be done with a process.
#[derive(Debug, thiserror::Error)]
pub enum Unreached {
    /// There is none.
    #[error("there is no process {0}")]
    Unknown(ProcessId),
    /// Another gateway holds it.
    #[error("the process {0} is held by another gateway")]
    Elsewhere(ProcessId),
    /// It is about to be started.
    #[error("the process {0} is about to be started")]
    Starting(ProcessId),
    /// It has ended, is lost, or its holder says no.
    #[error("{0}")]
    Refused(String),
    /// It cannot be talked to, or its files cannot be read.
    #[error("{0}")]
    Silent(String),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<HeldError> for Unreached {
    fn from(error: HeldError) -> Self {
        match error {
            HeldError::Ended(_) | HeldError::Lost | HeldError::Refused(_) => {
                Self::Refused(error.to_string())
            }
            HeldError::Unreachable { .. } => Self::Silent(error.to_string()),
        }
    }
}

impl From<io::Error> for Unreached {
    fn from(error: io::Error) -> Self {
        Self::Silent(format!("the output of the process cannot be read: {error}"))
    }
}

/// Who holds a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// This node.
    Ours,
    /// Another node that shares the store.
    Another,
}

/// The background processes of one node.
#[derive(Clone)]
pub struct Processes {
    pub(crate) ground: Ground,
    pub(crate) place: Arc<Place>,
    /// Where commands run; the holders are here.
    pub(crate) target: Target,
    pub(crate) home: Arc<str>,
}

impl Processes {
    pub(crate) fn new(ground: Ground, place: Place, target: Target, home: &str) -> Self {
        Self {
            ground,
            place: Arc::new(place),
            target,
            home: home.into(),
        }
    }

    /// Takes a process and everybody it started down; returns it as it is then. One that has ended is
    /// left as it is.
    pub async fn kill(&self, id: ProcessId) -> Result<Process, Unreached> {
        let (process, whose) = self.found(id).await?;
        if matches!(process.state, State::Ended(_)) {
            return Ok(process);
        }
        if whose == Whose::Another {
            return self.have_killed(id).await;
        }
        self.ground.store.ask_to_end(id).await?;
        let outcome = self.held(id).kill(limits::KILL_GRACE).await?;
        self.ended(id, outcome).await;
        let process = self.ground.store.process(id).await?;
        process.ok_or(Unreached::Unknown(id))
    }

    /// How many bytes it said until now.
    pub async fn output_bytes(&self, id: ProcessId) -> Result<u64, Unreached> {
        if self.found(id).await?.1 == Whose::Another {
            let said = self.have_said(id, Beginning::BeforeEnd(0), Form::Plain);
            return Ok(said.await?.bytes);
        }
        Ok(self.held(id).output_bytes()?)
    }

    /// Writes to its input.
    pub async fn write(&self, id: ProcessId, bytes: &[u8]) -> Result<(), Unreached> {
        if self.found(id).await?.1 == Whose::Another {
            return self.have_done(id, Errand::Write, bytes).await;
        }
        Ok(self.held(id).write(bytes).await?)
    }

    /// Lets its input end.
    pub async fn close_input(&self, id: ProcessId) -> Result<(), Unreached> {
        if self.found(id).await?.1 == Whose::Another {
            return self.have_done(id, Errand::CloseInput, &[]).await;
        }
        Ok(self.held(id).close_input().await?)
    }

    /// Gives its terminal so many rows and columns.
    pub async fn resize(
        &self,
        id: ProcessId,
        (rows, columns): (u16, u16),
    ) -> Result<(), Unreached> {
        if self.found(id).await?.1 == Whose::Another {
            let errand = Errand::Resize { rows, columns };
            return self.have_done(id, errand, &[]).await;
        }
        let size = Size { rows, columns };
        Ok(self.held(id).resize(size).await?)
    }

    /// The process, if it can be reached, and who holds it.
    async fn found(&self, id: ProcessId) -> Result<(Process, Whose), Unreached> {
        let process = self.ground.store.process(id).await?;
        let process = process.ok_or(Unreached::Unknown(id))?;
        let whose = self.whose(&process)?;
        match process.state {
            State::Starting => Err(Unreached::Starting(id)),
            State::Running | State::Ended(_) => Ok((process, whose)),
        }
    }

    /// Who holds it, if that is somebody who can be asked.
    fn whose(&self, process: &Process) -> Result<Whose, Unreached> {
        match (*process.home == *self.home, self.ground.store.is_shared()) {
            (true, _) => Ok(Whose::Ours),
            (false, true) => Ok(Whose::Another),
            (false, false) => Err(Unreached::Elsewhere(process.id)),
        }
    }

    fn folder(&self, id: ProcessId) -> PathBuf {
        self.place.folder.join(id.to_string())
    }

    /// The number of its command on this machine. What cannot be read now is not known now.
    fn pid(&self, id: ProcessId) -> Option<i32> {
        self.held(id).pid().ok().flatten()
    }

    fn held(&self, id: ProcessId) -> Held {
        Held::at(self.folder(id))
    }

    /// Writes down how a process ended, once, after all it said was looked at. What a lost one left behind
    /// is ended with it.
    async fn ended(&self, id: ProcessId, outcome: Outcome) {
        self.look_to_the_end(id).await;
        let seen = match outcome {
            Outcome::Ended(exit) => seen(&exit),
            Outcome::Lost => {
                let left = held::end_lost(&self.place.program, self.folder(id));
                if let Err(error) = left {
                    tracing::warn!(process = %id, %error, "what a lost process left cannot be ended");
                }
                self.seen_now(End::Lost)
            }
        };
        self.write_end(id, seen).await;
    }

    /// Output that cannot be read does not keep an end from being written down.
    async fn look_to_the_end(&self, id: ProcessId) {
        let store = &self.ground.store;
        let process = self.ground.insist("processes", || store.process(id)).await;
        let Some(process) = process.filter(|process| process.ended_at.is_none()) else {
            return;
        };
        if let Err(error) = self.watch(&process).await {
            tracing::warn!(process = %id, %error, "not all that a process said was looked at");
        }
    }

    fn seen_now(&self, end: End) -> Seen {
        let at = self.ground.env.now();
        Seen { end, at }
    }

    /// Writes an end down until the store has it.
    async fn write_end(&self, id: ProcessId, seen: Seen) {
        let store = &self.ground.store;
        let moved = self
            .ground
            .insist("processes", || store.end_process(id, seen.clone()))
            .await;
        self.announce(moved);
        self.ground.bells.processes.ring();
    }

    /// Tells watchers about a process that changed.
    fn announce(&self, moved: Moved) {
        let Moved::Now(process) = moved else {
            return;
        };
        metrics::counter!("angelia_process_total", "state" => process.state.name()).increment(1);
        if let Some(session) = process.session {
            self.ground.feed.publish(|feed| Frame::Process {
                session,
                process: feed.keep(process.command.len(), *process),
            });
        }
    }
}

fn seen(exit: &Exit) -> Seen {
    let end = match &exit.how {
        exit::How::Exited(code) => End::Itself(How::Exited(*code)),
        exit::How::Signalled(signal) => End::Itself(How::Signalled(*signal)),
        exit::How::NotStarted(why) => End::Failed(why.clone()),
    };
    Seen { end, at: exit.at }
}
