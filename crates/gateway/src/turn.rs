//! Steps 7 and 8: runs one turn and settles it.
//!
//! The task owns the machine (`core::turn::machine`) and the agent's conversation. It feeds the machine
//! with what the agent tells, what the clock says and what the node is doing, and performs the effects:
//! record, show, settle, release. It may be dropped at any await; the next owner runs the turn over
//! its journal.

use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use angelia_agents::events::{self, AgentEvent, Events};
use angelia_agents::{Backend, Input};
use angelia_core::limits;
use angelia_core::recovery::{self, TurnRecovery};
use angelia_core::turn::busy::{self, Busy, Mode};
use angelia_core::turn::machine::{Effect, Event, Machine};
use angelia_core::turn::outcome::Outcome;
use angelia_store::Fenced;
use angelia_store::leases::Held;
use angelia_store::turns::ClaimedTurn;
use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::ground::Ground;
use crate::leases::{Grip, Holdings};
use crate::settle::Closing;
use crate::tasks;
use crate::telling::Telling;

/// Runs turns. One for the node, cloned into each turn's task.
#[derive(Clone)]
pub(crate) struct Runner {
    /// The common ground.
    pub(crate) ground: Ground,
    /// The agent.
    pub(crate) backend: Arc<dyn Backend>,
    /// The leases of this node.
    pub(crate) holdings: Holdings,
    /// What a new message means for a running turn.
    pub(crate) busy: Mode,
    /// What is needed to close a turn.
    pub(crate) closing: Closing,
    /// What a turn is told about itself.
    pub(crate) telling: Arc<Telling>,
}

impl Runner {
    /// Runs a claimed turn to its end.
    pub(crate) async fn run(&self, claimed: ClaimedTurn) {
        let held = Held {
            name: claimed.lease.clone(),
            fence: claimed.fence,
        };
        let grip = self.holdings.grip(held);
        self.closing.announce(&claimed, "running");
        let window = self.ground.rules.resume_window;
        let outcome = match recovery::decide(claimed.attempts, claimed.resumed.age(), window) {
            TurnRecovery::Run => return self.answer(&claimed, &grip).await,
            TurnRecovery::GiveUp => Outcome::Abandoned,
            TurnRecovery::TooLate => Outcome::TooLate,
        };
        self.closing.settle(&claimed, outcome, &grip).await;
    }

    async fn answer(&self, claimed: &ClaimedTurn, grip: &Grip) {
        // The agent has ended, and what it had begun is taken down, before anyone else may begin.
        let ending = self.converse(claimed, grip).await;
        match ending {
            Some(Effect::Settle(outcome)) => self.closing.settle(claimed, outcome, grip).await,
            Some(Effect::Release) => self.closing.release(claimed).await,
            // The claim is no longer ours: nothing may be written.
            None | Some(Effect::Show | Effect::Record(..)) => (),
        }
    }

    /// Lets the agent speak until the turn has its end.
    async fn converse(&self, claimed: &ClaimedTurn, grip: &Grip) -> Option<Effect> {
        let stop = grip.lost().child_token();
        let (events, mut told) = events::channel();
        let agent = self.agent(claimed, events, stop.clone());
        let world = self.world(claimed, grip);
        tokio::pin!(agent, world);
        let _asked_to_stop_first = stop.drop_guard();
        let mut talk = Talk::new(claimed, grip, self.ground.env.steady());
        loop {
            let flow = tokio::select! {
                biased;
                event = &mut world => return talk.machine.on(event),
                Some(event) = told.recv() => self.hear(&mut talk, event).await,
                event = &mut agent => {
                    told.close();
                    return self.last_words(&mut talk, told, event).await;
                }
                () = talk.draft_is_due() => {
                    self.show(&mut talk);
                    ControlFlow::Continue(())
                }
            };
            if let ControlFlow::Break(ending) = flow {
                return ending;
            }
        }
    }

    /// What the agent told before it ended comes before its end.
    async fn last_words(
        &self,
        talk: &mut Talk<'_>,
        mut told: mpsc::Receiver<AgentEvent>,
        end: Event,
    ) -> Option<Effect> {
        while let Some(event) = told.recv().await {
            if let ControlFlow::Break(ending) = self.hear(talk, event).await {
                return ending;
            }
        }
        talk.machine.on(end)
    }

    async fn hear(&self, talk: &mut Talk<'_>, event: AgentEvent) -> ControlFlow<Option<Effect>> {
        let (event, durable) = match event {
            AgentEvent::Text(text) => (Event::Text(text), None),
            AgentEvent::Step(step, durable) => (Event::Step(step), Some(durable)),
        };
        match talk.machine.on(event) {
            None => (),
            Some(Effect::Show) => talk.grew(),
            Some(Effect::Record(seq, step)) => {
                let recorded = self.closing.record(talk.claimed, (seq, step), talk.grip);
                if recorded.await == Fenced::Lost {
                    return ControlFlow::Break(None);
                }
            }
            ending @ Some(Effect::Settle(_) | Effect::Release) => {
                return ControlFlow::Break(ending);
            }
        }
        if let Some(durable) = durable {
            // The agent may be gone by now; its step is in the journal all the same.
            let _gone = durable.send(()).is_err();
        }
        ControlFlow::Continue(())
    }

    fn show(&self, talk: &mut Talk<'_>) {
        self.closing.show(talk.claimed, talk.machine.reply());
        talk.shown(self.ground.env.steady());
    }

    /// The agent at work; its end, whatever becomes of it.
    async fn agent(&self, claimed: &ClaimedTurn, events: Events, stop: CancellationToken) -> Event {
        let messages = claimed.batch.iter().map(|waiting| waiting.inbound.clone());
        let input = Input {
            messages: messages.collect(),
            journal: claimed.journal.clone(),
            context: self.telling.context(claimed),
        };
        let run = AssertUnwindSafe(self.backend.run(input, events, stop));
        match run.catch_unwind().await {
            Ok(Ok(())) => Event::Finished,
            Ok(Err(error)) => Event::Failed(error.to_string()),
            Err(panic) => {
                let why = tasks::words(&*panic);
                tracing::error!(turn = %claimed.turn, why, "the agent panicked");
                Event::Failed("the agent broke down".to_owned())
            }
        }
    }

    /// What can end a turn from outside.
    async fn world(&self, claimed: &ClaimedTurn, grip: &Grip) -> Event {
        let phase = self.ground.phase.clone();
        tokio::select! {
            biased;
            () = grip.lost().cancelled() => Event::LeaseLost,
            () = phase.out_of_patience() => Event::Draining,
            () = self.newer_message(claimed) => Event::Interrupted,
            () = tokio::time::sleep(limits::TURN_TIME.to_std()) => Event::TimedOut,
        }
    }

    /// Waits until a newer message ends this turn, if messages do so.
    async fn newer_message(&self, claimed: &ClaimedTurn) {
        if busy::decide(self.busy, self.backend.steering()) != Busy::Interrupt {
            return std::future::pending().await;
        }
        let mut ear = self.ground.bells.inbox.listen();
        while !matches!(self.ground.store.waiting(claimed.session).await, Ok(1..)) {
            // A lost bell costs one period.
            let period = limits::LOOP_PERIOD.to_std();
            let _silent = tokio::time::timeout(period, ear.heard()).await.is_err();
        }
    }
}

/// A turn's conversation with its agent.
struct Talk<'a> {
    claimed: &'a ClaimedTurn,
    grip: &'a Grip,
    machine: Machine,
    draft: Draft,
}

/// Whether people see the reply as it stands.
enum Draft {
    Shown(Instant),
    Grown(Instant),
}

impl<'a> Talk<'a> {
    fn new(claimed: &'a ClaimedTurn, grip: &'a Grip, now: Instant) -> Self {
        let machine = Machine::new(claimed.journal.len());
        Self {
            claimed,
            grip,
            machine,
            draft: Draft::Shown(now - limits::DRAFT_EVERY.to_std()),
        }
    }

    fn grew(&mut self) {
        if let Draft::Shown(at) = self.draft {
            self.draft = Draft::Grown(at + limits::DRAFT_EVERY.to_std());
        }
    }

    fn shown(&mut self, now: Instant) {
        self.draft = Draft::Shown(now);
    }

    /// Waits until the reply has grown and people may be shown it.
    async fn draft_is_due(&self) {
        match self.draft {
            Draft::Shown(_) => std::future::pending().await,
            Draft::Grown(due) => tokio::time::sleep_until(due).await,
        }
    }
}
