//! Starts what a turn wishes for: the row first, then the holder.
//!
//! The row stands under the call, so a turn that is run again finds what it began. A row without a holder
//! is started now; one with a holder is found. A turn that is dropped on the way leaves both as they are:
//! what runs is found by `keep`, what does not is started by the turn's next owner.

use std::fmt;

use angelia_agents::background::act::{Act, Acted};
use angelia_agents::background::{Background, NotStarted, Started, Wish};
use angelia_agents::events::Ended;
use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::process::{Caller, End, Mode, State};
use angelia_process::held::{self, SpawnError};
use angelia_process::spec::{Size, Spec, Surface};
use angelia_process::target::Target;
use angelia_store::Fenced;
use angelia_store::processes::{Begun, Limit, NewProcess, Process};
use angelia_store::turns::ClaimedTurn;
use async_trait::async_trait;

use super::Processes;
use super::act::Acting;

/// What starts commands for one turn.
pub(crate) struct Starting {
    processes: Processes,
    claimed: ClaimedTurn,
    caller: Caller,
}

impl fmt::Debug for Starting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Starting({})", self.claimed.turn)
    }
}

#[async_trait]
impl Background for Starting {
    async fn start(&self, mut wish: Wish) -> Result<Started, NotStarted> {
        if let Some(why) = too_much(&wish) {
            return Err(NotStarted::Refused(why));
        }
        if !self.processes.target.is_local() {
            // There is no terminal on the way to another place.
            wish.mode = Mode::Pipe;
        }
        let process = self.begin(&wish).await?;
        match process.state {
            // Its node may be about to start it, or have done so without writing it down.
            State::Starting if *process.home != *self.processes.home => {
                return Err(unknown(process.id, "another node was to start it"));
            }
            State::Starting => self.spawn(process.id, wish).await?,
            State::Ended(End::Failed(why)) => return Err(failed(process.id, &why)),
            State::Running | State::Ended(_) => (),
        }
        let pid = self.processes.pid(process.id);
        Ok(Started {
            id: process.id,
            pid,
        })
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        let acting = Acting {
            processes: &self.processes,
            claimed: &self.claimed,
            caller: &self.caller,
        };
        acting.act(act).await
    }
}

impl Starting {
    /// For a turn; nothing if it answers nobody.
    pub(crate) fn of(processes: &Processes, claimed: &ClaimedTurn) -> Option<Self> {
        let inbound = &claimed.batch.last()?.inbound;
        let caller = Caller {
            address: inbound.address.clone(),
            person: inbound.person.clone(),
            about: inbound.about.clone(),
            key: claimed.key.clone(),
        };
        Some(Self {
            processes: processes.clone(),
            claimed: claimed.clone(),
            caller,
        })
    }

    async fn begin(&self, wish: &Wish) -> Result<Process, NotStarted> {
        let new = self.new_process(wish);
        let store = &self.processes.ground.store;
        let begun = self
            .processes
            .ground
            .insist("processes", || store.begin_process(new.clone()));
        match begun.await {
            Fenced::Lost => Err(NotStarted::Ended),
            Fenced::Done(Begun::New(process) | Begun::Before(process)) => Ok(process),
            Fenced::Done(Begun::Full(limit)) => Err(NotStarted::Refused(full(limit))),
        }
    }

    fn new_process(&self, wish: &Wish) -> NewProcess {
        let ground = &self.processes.ground;
        NewProcess {
            id: ground.env.process_id(),
            turn: self.claimed.turn,
            fence: self.claimed.fence,
            call: wish.call.clone(),
            node: ground.node,
            home: self.processes.home.to_string(),
            command: wish.command.clone(),
            workdir: wish.workdir.as_ref().map(|path| path.display().to_string()),
            mode: wish.mode,
            caller: self.caller.clone(),
            watch: wish.watch.clone(),
        }
    }

    async fn spawn(&self, id: ProcessId, wish: Wish) -> Result<(), NotStarted> {
        let (processes, folder) = (&self.processes, self.processes.folder(id));
        // Output that is held back until a buffer is full would come late, or never.
        let environment = wish.environment.clone().with("PYTHONUNBUFFERED", "1");
        let spec = Spec {
            log_bytes_max: processes.place.log_bytes_max,
            nice: processes.place.nice,
            ..spec(wish, &processes.target)
        };
        let spawned = held::spawn(&processes.place.program, &folder, &spec, &environment);
        match spawned.await {
            Ok(_) => {
                self.started(id).await;
                Ok(())
            }
            Err(SpawnError::NotStarted(why) | SpawnError::NotHeld { why, .. }) => {
                Err(self.failed(id, &why).await)
            }
            // The row stays as it is: what became of it is found out by `keep`, once the turn is closed.
            Err(SpawnError::Unknown { why, .. }) => Err(unknown(id, &why)),
        }
    }

    async fn started(&self, id: ProcessId) {
        let (processes, store) = (&self.processes, &self.processes.ground.store);
        let moved = processes
            .ground
            .insist("processes", || store.process_runs(id))
            .await;
        processes.announce(moved);
        processes.ground.bells.processes.ring();
    }

    /// Writes down that it could not be started. Whoever asked for it is told now, so it is not told later.
    async fn failed(&self, id: ProcessId, why: &str) -> NotStarted {
        let (processes, store) = (&self.processes, &self.processes.ground.store);
        let seen = processes.seen_now(End::Failed(why.to_owned()));
        let moved = processes
            .ground
            .insist("processes", || store.end_told_process(id, seen.clone()));
        processes.announce(moved.await);
        failed(id, why)
    }
}

/// Why a wish is larger than a row may be.
fn too_much(wish: &Wish) -> Option<String> {
    if wish.command.len() > limits::COMMAND_BYTES_MAX {
        let most = limits::COMMAND_BYTES_MAX / 1024;
        return Some(format!(
            "the command is longer than {most} KiB; put it into a file and run that"
        ));
    }
    let patterns = &wish.watch.patterns;
    let (most, longest) = (limits::WATCH_PATTERNS_MAX, limits::WATCH_PATTERN_BYTES);
    let is_long = |pattern: &String| pattern.len() > longest;
    (patterns.len() > most || patterns.iter().any(is_long)).then(|| {
        format!("at most {most} patterns of {longest} bytes can be watched for; give fewer or shorter ones")
    })
}

fn spec(wish: Wish, target: &Target) -> Spec {
    Spec {
        workdir: wish.workdir,
        target: target.clone(),
        surface: match wish.mode {
            Mode::Pipe => Surface::Pipes(wish.input),
            Mode::Pty => Surface::Terminal(Size::default()),
        },
        ..Spec::new(wish.command)
    }
}

fn failed(id: ProcessId, why: &str) -> NotStarted {
    let why = format!("The command could not be started: {why}");
    NotStarted::Failed { id, why }
}

fn unknown(id: ProcessId, why: &str) -> NotStarted {
    let why = format!(
        "It is not known whether the command was started: {why}. Look at what it was to do before you \
         start it again"
    );
    NotStarted::Failed { id, why }
}

fn full(limit: Limit) -> String {
    let (most, whose) = match limit {
        Limit::Session => (limits::PROCESSES_PER_SESSION, "this conversation has"),
        Limit::Node => (limits::PROCESSES_PER_NODE, "this gateway holds"),
    };
    format!(
        "The command was not started: {whose} {most} background processes, and may have no more. End \
         one with the tool `process` and its action `kill`, then try again."
    )
}
