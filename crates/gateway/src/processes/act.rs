//! What an agent does with background processes: those of its own conversation, and no others.
//!
//! Every action first asks whose the process is. Somebody else's is not found, like one that never was,
//! so that nobody learns what other conversations do. A conversation's processes are those begun in it,
//! and those that the same place began before it began anew.
//!
//! Waiting holds no thread and no lock: it ends with the end of the process, with a message in the
//! conversation, or with its time, and can be dropped at any moment. Who has seen an end here is noted
//! (`consume`), so that the same end is not told again. What another node holds is asked for there (`errands`).

use angelia_agents::background::act::{Act, Acted, Killed, Looked, Part, Piece, Waited, Words};
use angelia_agents::events::Ended;
use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::process::errand::Beginning;
use angelia_core::process::{Caller, State};
use angelia_core::time::Span;
use angelia_process::held::{HeldError, Outcome};
use angelia_process::text;
use angelia_store::processes::{Process, ProcessFilter};
use angelia_store::turns::ClaimedTurn;
use angelia_store::views::Range;
use angelia_store::{Fenced, StoreError};

use super::log::Form;
use super::{Processes, Unreached};

/// Letters of the end of an output that an agent is told at once.
const SHOWN_CHARS: usize = 2_000;

/// Raw bytes that these letters are made of: escapes and what is hidden take some.
const SHOWN_BYTES: u64 = 16 * 1024;

/// What a turn does with processes.
pub(super) struct Acting<'a> {
    pub(super) processes: &'a Processes,
    pub(super) claimed: &'a ClaimedTurn,
    pub(super) caller: &'a Caller,
}

/// Why something was not done.
enum Not {
    /// There is no such process here.
    Found,
    /// The turn is no longer this node's.
    Ours,
    /// It has ended.
    Living(Box<Process>),
    /// For this reason.
    Done(String),
}

impl From<StoreError> for Not {
    fn from(error: StoreError) -> Self {
        Self::Done(format!("{error}; try again"))
    }
}

impl From<Unreached> for Not {
    fn from(unreached: Unreached) -> Self {
        Self::Done(unreached.to_string())
    }
}

impl Acting<'_> {
    pub(super) async fn act(&self, act: Act) -> Result<Acted, Ended> {
        let done = match act {
            Act::List => self.list().await,
            Act::Poll(id) => self.poll(&id).await,
            Act::Log(id, part) => self.log(&id, part).await,
            Act::Wait(id, span) => self.wait(&id, span).await,
            Act::Kill(id) => self.kill(&id).await,
            Act::Tell(id, words) => self.tell(&id, &words).await,
            Act::Close(id) => self.close(&id).await,
        };
        match done {
            Ok(acted) => Ok(acted),
            Err(Not::Found) => Ok(Acted::NotFound),
            Err(Not::Living(process)) => Ok(Acted::Over(self.looked(&process).await)),
            Err(Not::Done(why)) => Ok(Acted::Failed(why)),
            Err(Not::Ours) => Err(Ended),
        }
    }

    async fn list(&self) -> Result<Acted, Not> {
        let store = &self.processes.ground.store;
        let filter = ProcessFilter {
            session: Some(self.claimed.session),
            ..ProcessFilter::default()
        };
        let range = Range {
            limit: limits::PAGE_ROWS_MAX,
            ..Range::default()
        };
        let mut found = store.processes(filter, range).await?.items;
        let living = store.live_processes(&self.processes.home).await?;
        let older = living.into_iter().map(|live| live.process);
        let known: Vec<ProcessId> = found.iter().map(|process| process.id).collect();
        found.extend(older.filter(|one| self.owns(one) && !known.contains(&one.id)));
        found.sort_by_key(|one| matches!(one.state, State::Ended(_)));
        // Others are not asked for the output of each.
        let looked = found.iter().map(|process| match self.is_ours(process) {
            true => self.shown(process, self.said_here(process)),
            false => self.shown(process, (String::new(), 0)),
        });
        Ok(Acted::Listed(looked.collect()))
    }

    async fn poll(&self, id: &str) -> Result<Acted, Not> {
        let process = self.own(id).await?;
        Ok(Acted::Looked(self.looked(&process).await))
    }

    async fn log(&self, id: &str, part: Part) -> Result<Acted, Not> {
        let process = self.own(id).await?;
        let looked = self.looked(&process).await;
        let (acted, reaches_end) = match part {
            Part::Lines { offset, limit } => {
                let text = self.last_lines(&process).await?;
                let page = text::page(&text, offset, limit);
                let reaches_end = page.reaches_end;
                (Acted::Lines(looked, page), reaches_end)
            }
            Part::After(place) => {
                let (_, page) = self.processes.log(process.id, place, Form::Plain).await?;
                let reaches_end = page.next >= looked.output_bytes;
                let piece = Piece {
                    text: page.text,
                    from: page.from,
                    next: page.next,
                    cut: page.cut,
                };
                (Acted::Piece(looked, piece), reaches_end)
            }
        };
        if reaches_end {
            self.consume(&process).await?;
        }
        Ok(acted)
    }

    async fn wait(&self, id: &str, span: Span) -> Result<Acted, Not> {
        let process = self.own(id).await?;
        let waited = if matches!(process.state, State::Ended(_)) {
            Waited::Ended
        } else {
            tokio::select! {
                biased;
                ended = self.end(&process) => {
                    ended?;
                    Waited::Ended
                }
                () = self.message() => Waited::Interrupted,
                () = tokio::time::sleep(span.to_std()) => Waited::TimedOut,
            }
        };
        let process = self.own(id).await?;
        // The end wins over what came at the same time.
        let is_over = matches!(process.state, State::Ended(_));
        if is_over {
            self.consume(&process).await?;
        }
        let waited = if is_over { Waited::Ended } else { waited };
        Ok(Acted::Waited(self.looked(&process).await, waited))
    }

    /// Waits for the end of a process, which is written down then.
    async fn end(&self, process: &Process) -> Result<(), Not> {
        let processes = self.processes;
        if !self.is_ours(process) {
            processes.until_ended(process.id).await?;
            return Ok(());
        }
        let outcome = processes.held(process.id).wait().await;
        let outcome = outcome.map_err(Unreached::from)?;
        processes.ended(process.id, outcome).await;
        Ok(())
    }

    /// Waits for words in the conversation that this turn will not answer.
    async fn message(&self) {
        let ground = &self.processes.ground;
        let mut inbox = ground.bells.inbox.listen();
        loop {
            // A store that does not answer now costs one period.
            let behind = ground.store.behind(self.claimed.turn).await;
            if behind.is_ok_and(|behind| behind.words > 0) {
                return;
            }
            tokio::select! {
                biased;
                () = inbox.heard() => (),
                () = tokio::time::sleep(limits::LOOP_PERIOD.to_std()) => (),
            }
        }
    }

    async fn kill(&self, id: &str) -> Result<Acted, Not> {
        let process = self.own(id).await?;
        let before = matches!(process.state, State::Ended(_));
        let patience = limits::KILL_GRACE.to_std() + limits::KILL_PATIENCE.to_std();
        let killing = self.processes.kill(process.id);
        let killed = match tokio::time::timeout(patience, killing).await {
            Err(_) => Killed::StillRuns,
            Ok(killed) => {
                killed?;
                if before { Killed::Before } else { Killed::Now }
            }
        };
        let process = self.own(id).await?;
        self.consume(&process).await?;
        Ok(Acted::Killed(self.looked(&process).await, killed))
    }

    async fn tell(&self, id: &str, words: &Words) -> Result<Acted, Not> {
        let process = self.living(id).await?;
        let bytes = words.bytes(process.mode);
        if self.is_ours(&process) {
            let written = self.processes.held(process.id).write(&bytes).await;
            self.reached(process, written).await?;
        } else {
            let written = self.processes.write(process.id, &bytes).await;
            self.reached_far(&process, written).await?;
        }
        Ok(Acted::Told(bytes.len()))
    }

    async fn close(&self, id: &str) -> Result<Acted, Not> {
        let process = self.living(id).await?;
        let mode = process.mode;
        if self.is_ours(&process) {
            let closed = self.processes.held(process.id).close_input().await;
            self.reached(process, closed).await?;
        } else {
            let closed = self.processes.close_input(process.id).await;
            self.reached_far(&process, closed).await?;
        }
        Ok(Acted::Closed(mode))
    }

    /// The same of a process on another node, which writes its end down itself.
    async fn reached_far(
        &self,
        process: &Process,
        asked: Result<(), Unreached>,
    ) -> Result<(), Not> {
        let Err(why) = asked else { return Ok(()) };
        // One that has ended is over, whatever was said about it.
        self.living(&process.id.to_string()).await?;
        Err(why.into())
    }

    /// A process that ended just now is over, like one that did so before.
    async fn reached(&self, process: Process, asked: Result<(), HeldError>) -> Result<(), Not> {
        let outcome = match asked {
            Ok(()) => return Ok(()),
            Err(HeldError::Ended(exit)) => Outcome::Ended(exit),
            Err(HeldError::Lost) => Outcome::Lost,
            Err(other) => return Err(Unreached::from(other).into()),
        };
        self.processes.ended(process.id, outcome).await;
        let process = self.own(&process.id.to_string()).await?;
        Err(Not::Living(Box::new(process)))
    }

    /// A process of this conversation that has not ended.
    async fn living(&self, id: &str) -> Result<Process, Not> {
        let process = self.own(id).await?;
        match process.state {
            State::Ended(_) => Err(Not::Living(Box::new(process))),
            State::Starting | State::Running => Ok(process),
        }
    }

    /// A process of this conversation, which can be reached.
    async fn own(&self, id: &str) -> Result<Process, Not> {
        let id: ProcessId = id.trim().parse().map_err(|_| Not::Found)?;
        let found = self.processes.ground.store.process(id).await?;
        let process = found.filter(|process| self.owns(process));
        let process = process.ok_or(Not::Found)?;
        self.processes.whose(&process)?;
        Ok(process)
    }

    fn is_ours(&self, process: &Process) -> bool {
        *process.home == *self.processes.home
    }

    /// Whether it was begun in this conversation, or in an earlier one of the same place.
    fn owns(&self, process: &Process) -> bool {
        let (theirs, ours) = (&process.caller, self.caller);
        let is_same_place = theirs.address == ours.address && theirs.key == ours.key;
        process.session == Some(self.claimed.session)
            || (process.session.is_some() && is_same_place)
    }

    /// Notes that this turn has seen the end of a process, if it has ended.
    async fn consume(&self, process: &Process) -> Result<(), Not> {
        if !matches!(process.state, State::Ended(_)) {
            return Ok(());
        }
        let (processes, claimed) = (self.processes, self.claimed);
        let store = &processes.ground.store;
        let consume = || store.consume_process(process.id, claimed.turn, claimed.fence);
        match processes.ground.insist("processes", consume).await {
            Fenced::Done(_) => Ok(()),
            Fenced::Lost => Err(Not::Ours),
        }
    }

    async fn looked(&self, process: &Process) -> Looked {
        if self.is_ours(process) {
            return self.shown(process, self.said_here(process));
        }
        let from = Beginning::BeforeEnd(SHOWN_BYTES);
        let said = self.processes.have_said(process.id, from, Form::Plain);
        // What else is known of it can be told all the same.
        let said = said.await.map(|said| (said.text, said.bytes));
        self.shown(process, said.unwrap_or_default())
    }

    /// What a process of this node said last, and how many bytes it said in all.
    fn said_here(&self, process: &Process) -> (String, u64) {
        let output = self.processes.end_of(process, SHOWN_BYTES);
        let bytes = self.processes.held(process.id).output_bytes();
        (output, bytes.unwrap_or(0))
    }

    /// The end of what a process said: from another node as much as a page holds.
    async fn last_lines(&self, process: &Process) -> Result<String, Not> {
        if self.is_ours(process) {
            return Ok(self.processes.end_of(process, limits::LOG_LINES_BYTES));
        }
        let from = Beginning::BeforeEnd(limits::LOG_PAGE_BYTES as u64);
        let said = self.processes.have_said(process.id, from, Form::Plain);
        Ok(said.await?.text)
    }

    fn shown(&self, process: &Process, (output, output_bytes): (String, u64)) -> Looked {
        let processes = self.processes;
        let until = process
            .ended_at
            .unwrap_or_else(|| processes.ground.env.now());
        Looked {
            id: process.id,
            command: processes
                .ground
                .masker
                .shown(&process.command, Surface::Log)
                .into_owned(),
            workdir: process.workdir.clone(),
            mode: process.mode,
            pid: processes.pid(process.id),
            started_at: process.started_at,
            age: until.since(process.started_at),
            state: process.state.clone(),
            watch: process.watch.clone(),
            output: text::tail(&output, SHOWN_CHARS).to_owned(),
            output_bytes,
        }
    }
}
