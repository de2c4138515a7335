//! The loop that looks after processes: finds those that live, watches them, sees them end, and tells it.
//!
//! Woken by its bell (a process began, said something or ended) or a period, it reads the rows. Each that
//! lives is followed and waited for by a future of this one task: a connection to its holder, no thread. After a restart the rows are
//! the same and so are the holders; one that ended meanwhile is met as ended, one whose holder died as
//! lost. Nothing is lost with this task.
//!
//! A row that is still `starting` is its turn's business as long as the turn is open. One that was asked to
//! end is ended here too: whoever asked may have died before the holder was told.

use std::collections::BTreeSet;

use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::process::{End, State};
use angelia_process::held::{self, Found, Outcome};
use angelia_store::StoreError;
use angelia_store::processes::{Live, Starter, Wanted};
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt as _};

use super::{Processes, Unreached};
use crate::door::Door;

/// Looks after processes until the node ends. They do not end with it.
pub(crate) async fn run(processes: Processes, door: Door) {
    let phase = processes.ground.phase.clone();
    let keeper = Keeper {
        processes,
        door,
        known: BTreeSet::new(),
        ending: BTreeSet::new(),
        waiting: FuturesUnordered::new(),
    };
    tokio::select! {
        biased;
        () = phase.stopping() => (),
        () = keeper.keep() => (),
    }
}

struct Keeper {
    processes: Processes,
    door: Door,
    /// Those that are waited for.
    known: BTreeSet<ProcessId>,
    /// Those that are being ended.
    ending: BTreeSet<ProcessId>,
    waiting: FuturesUnordered<BoxFuture<'static, ProcessId>>,
}

impl Keeper {
    async fn keep(mut self) {
        let mut ear = self.processes.ground.bells.processes.listen();
        loop {
            let looked = self.look().await;
            self.processes.ground.note("processes", &looked);
            tokio::select! {
                biased;
                Some(ended) = self.waiting.next() => self.forget(ended),
                () = ear.heard(), if looked.is_ok() => (),
                () = tokio::time::sleep(limits::LOOP_PERIOD.to_std()) => (),
            }
        }
    }

    async fn look(&mut self) -> Result<(), StoreError> {
        let processes = &self.processes;
        let store = &processes.ground.store;
        for live in store.live_processes(&processes.home).await? {
            let id = live.process.id;
            if live.wanted == Wanted::End && self.ending.insert(id) {
                self.waiting
                    .push(Box::pin(processes.clone().see_to_its_kill(id)));
            }
            if is_ours(&live) && self.known.insert(id) {
                self.waiting.push(Box::pin(processes.clone().wait(live)));
            }
        }
        metrics::gauge!("angelia_processes_live").set(self.known.len() as f64);
        processes.check().await?;
        processes.tell(&self.door).await
    }

    fn forget(&mut self, ended: ProcessId) {
        self.known.remove(&ended);
        self.ending.remove(&ended);
    }
}

fn is_ours(live: &Live) -> bool {
    live.process.state != State::Starting || live.turn == Starter::Closed
}

impl Processes {
    /// Waits for the end of a process and writes it down.
    async fn wait(self, live: Live) -> ProcessId {
        let id = live.process.id;
        while let Err(why) = self.see_to_its_end(&live).await {
            tracing::warn!(process = %id, why, "a process cannot be looked after now; trying again");
            tokio::time::sleep(limits::LOOP_PERIOD.to_std()).await;
        }
        id
    }

    /// Ends a process that was asked to, however often that takes.
    async fn see_to_its_kill(self, id: ProcessId) -> ProcessId {
        loop {
            match self.kill(id).await {
                Ok(_) | Err(Unreached::Unknown(_)) => return id,
                Err(why) => {
                    tracing::warn!(process = %id, %why, "a process cannot be ended now; trying again");
                    tokio::time::sleep(limits::LOOP_PERIOD.to_std()).await;
                }
            }
        }
    }

    async fn see_to_its_end(&self, live: &Live) -> Result<(), String> {
        let id = live.process.id;
        let found = held::adopt(self.folder(id)).await;
        let outcome = match found.map_err(|error| error.to_string())? {
            Found::Running(held) => {
                self.runs(live).await;
                let watched = self.watch(&live.process).await;
                watched.map_err(|error| error.to_string())?;
                held.wait().await.map_err(|error| error.to_string())?
            }
            Found::Ended(exit) => Outcome::Ended(exit),
            Found::Lost => Outcome::Lost,
            Found::Absent if live.process.state == State::Starting => {
                let why = "the gateway stopped before it was started".to_owned();
                self.write_end(id, self.seen_now(End::Failed(why))).await;
                return Ok(());
            }
            // It ran, and there is nothing left of it: the machine went down with it.
            Found::Absent => Outcome::Lost,
        };
        self.ended(id, outcome).await;
        Ok(())
    }

    /// A process that was started although nobody wrote it down.
    async fn runs(&self, live: &Live) {
        if live.process.state == State::Starting {
            let store = &self.ground.store;
            let moved = self
                .ground
                .insist("processes", || store.process_runs(live.process.id))
                .await;
            self.announce(moved);
        }
    }
}
