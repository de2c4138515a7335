//! Processes that another node holds: what is wanted of them goes there as a row, and comes back as one.
//!
//! ```text
//! asker    row → bell → … → answer, and the row is gone
//! holder   bell or period → takes rows of its home → does each → answers → bell
//! ```
//!
//! A kill needs no errand: the row of a process says that it shall end, and its own node sees to it. A node that does
//! not answer is waited for a little; what it has not begun by then is taken back and will not be done.

use angelia_core::id::{ErrandId, ProcessId};
use angelia_core::limits;
use angelia_core::process::State;
use angelia_core::process::errand::{Beginning, Errand, Form, Outcome, Said};
use angelia_core::ring::Ring;
use angelia_store::errands::{Answer, Asked, NewErrand};
use angelia_store::processes::Process;

use super::log::LogPage;
use super::{Processes, Unreached};

/// Errands that are taken at once.
const TAKEN_AT_ONCE: usize = 16;

/// Does what other nodes want of processes that this one holds.
pub(crate) async fn run(processes: Processes) {
    let ground = processes.ground.clone();
    if !ground.store.is_shared() {
        return;
    }
    let mut ear = ground.bells.processes.listen();
    loop {
        let store = &ground.store;
        let taken = store.take_errands(&processes.home, ground.node, TAKEN_AT_ONCE);
        let taken = taken.await;
        ground.note("errands", &taken);
        let count = taken.as_ref().map_or(0, Vec::len);
        for errand in taken.unwrap_or_default() {
            processes.run_errand(errand).await;
        }
        tokio::select! {
            biased;
            () = ground.phase.stopping() => return,
            () = std::future::ready(()), if count == TAKEN_AT_ONCE => (),
            () = ear.heard() => (),
            () = tokio::time::sleep(limits::LOOP_PERIOD.to_std()) => (),
        }
    }
}

impl Processes {
    async fn run_errand(&self, errand: NewErrand) {
        let done = tokio::time::timeout(limits::ERRAND_TIME.to_std(), self.done(&errand));
        let outcome = match done.await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(Unreached::Silent(why))) => Outcome::Silent(why),
            Ok(Err(why)) => Outcome::Refused(why.to_string()),
            // Some of it may have been done.
            Err(_) => Outcome::Unknown,
        };
        let (ground, store) = (&self.ground, &self.ground.store);
        let answer = || store.answer_errand(errand.id, outcome.clone());
        ground.insist("errands", answer).await;
        ground.bells.far.ring(|| Ring::Processes);
    }

    async fn done(&self, wanted: &NewErrand) -> Result<Outcome, Unreached> {
        let id = wanted.process;
        match wanted.errand {
            Errand::Write => self.write(id, &wanted.input).await?,
            Errand::CloseInput => self.close_input(id).await?,
            Errand::Resize { rows, columns } => self.resize(id, (rows, columns)).await?,
            Errand::Read { from, form } => return self.said(id, from, form).await,
        }
        Ok(Outcome::Done)
    }

    async fn said(&self, id: ProcessId, from: Beginning, form: Form) -> Result<Outcome, Unreached> {
        let bytes = self.output_bytes(id).await?;
        let after = match from {
            Beginning::At(place) => place,
            Beginning::BeforeEnd(last) => bytes.saturating_sub(last),
        };
        let (_, page) = self.log(id, after, form).await?;
        Ok(Outcome::Said(Said {
            from: page.from,
            next: page.next,
            cut: page.cut,
            text: page.text,
            bytes,
        }))
    }

    /// Has the node of the process do something.
    pub(super) async fn have_done(
        &self,
        id: ProcessId,
        errand: Errand,
        input: &[u8],
    ) -> Result<(), Unreached> {
        match self.have(id, errand, input).await? {
            Outcome::Done | Outcome::Said(_) => Ok(()),
            outcome @ (Outcome::Refused(_) | Outcome::Silent(_) | Outcome::Unknown) => {
                Err(refused(outcome))
            }
        }
    }

    /// Has the node of the process tell what it said.
    pub(super) async fn have_said(
        &self,
        id: ProcessId,
        from: Beginning,
        form: Form,
    ) -> Result<Said, Unreached> {
        match self.have(id, Errand::Read { from, form }, &[]).await? {
            Outcome::Said(said) => Ok(said),
            outcome @ (Outcome::Done
            | Outcome::Refused(_)
            | Outcome::Silent(_)
            | Outcome::Unknown) => Err(refused(outcome)),
        }
    }

    async fn have(
        &self,
        process: ProcessId,
        errand: Errand,
        input: &[u8],
    ) -> Result<Outcome, Unreached> {
        let ground = &self.ground;
        let id = ground.env.errand_id();
        let new = NewErrand {
            id,
            process,
            errand,
            input: input.to_vec(),
        };
        match ground.store.ask_errand(new).await? {
            Asked::Now => ground.bells.far.ring(|| Ring::Processes),
            Asked::Unknown => return Err(Unreached::Unknown(process)),
            Asked::Full => {
                let why = format!("too much is wanted of the process {process} at once; try again");
                return Err(Unreached::Refused(why));
            }
        }
        self.answer(process, id).await
    }

    async fn answer(&self, process: ProcessId, id: ErrandId) -> Result<Outcome, Unreached> {
        let (ground, store) = (&self.ground, &self.ground.store);
        let mut ear = ground.bells.processes.listen();
        let late = ground.env.steady() + limits::ERRAND_TIME.to_std();
        loop {
            let is_late = ground.env.steady() >= late;
            match store.errand_answer(id).await? {
                Answer::Here(outcome) => return Ok(outcome),
                Answer::Gone => return Ok(Outcome::Unknown),
                Answer::Waiting if is_late && store.withdraw_errand(id).await? => {
                    return Err(Unreached::Silent(unanswered(process)));
                }
                Answer::Begun if is_late => return Ok(Outcome::Unknown),
                Answer::Waiting | Answer::Begun => (),
            }
            tokio::select! {
                biased;
                () = ear.heard() => (),
                () = tokio::time::sleep(limits::ERRAND_LOOK.to_std()) => (),
            }
        }
    }

    /// Has the node of the process end it, and waits until it has.
    pub(super) async fn have_killed(&self, id: ProcessId) -> Result<Process, Unreached> {
        let ground = &self.ground;
        ground.store.ask_to_end(id).await?;
        ground.bells.far.ring(|| Ring::Processes);
        let patience = limits::KILL_GRACE.to_std() + limits::ERRAND_TIME.to_std();
        let ended = tokio::time::timeout(patience, self.until_ended(id));
        let late = |_| Err(Unreached::Silent(unanswered(id)));
        ended.await.unwrap_or_else(late)
    }

    /// Waits until the row of a process says that it has ended.
    pub(super) async fn until_ended(&self, id: ProcessId) -> Result<Process, Unreached> {
        let ground = &self.ground;
        let mut ear = ground.bells.processes.listen();
        loop {
            let process = ground.store.process(id).await?;
            let process = process.ok_or(Unreached::Unknown(id))?;
            if matches!(process.state, State::Ended(_)) {
                return Ok(process);
            }
            tokio::select! {
                biased;
                () = ear.heard() => (),
                () = tokio::time::sleep(limits::ERRAND_LOOK.to_std()) => (),
            }
        }
    }
}

fn refused(outcome: Outcome) -> Unreached {
    match outcome {
        Outcome::Refused(why) => Unreached::Refused(why),
        Outcome::Silent(why) => Unreached::Silent(why),
        Outcome::Done | Outcome::Said(_) | Outcome::Unknown => Unreached::Silent(
            "it is not known whether it was done: the node of the process was cut off on the way; \
             look at what the process says before you ask again"
                .to_owned(),
        ),
    }
}

fn unanswered(id: ProcessId) -> String {
    format!(
        "another node holds the process {id}, and does not answer now; look whether it runs and reaches the \
         database (`angelia status` lists the nodes)"
    )
}

impl From<Said> for LogPage {
    fn from(said: Said) -> Self {
        Self {
            from: said.from,
            next: said.next,
            cut: said.cut,
            text: said.text,
        }
    }
}
