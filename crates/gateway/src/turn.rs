//! Steps 7 and 8: runs one turn and settles it.
//!
//! The task owns the machine (`core::turn::machine`) and the agent's conversation. It feeds the machine
//! with what the agent tells, what the clock says and what the node is doing, and performs the effects:
//! record, show, settle, release. It may be dropped at any await; the next owner runs the turn over
//! its journal.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use angelia_agents::events::{self, AgentEvent};
use angelia_agents::{Backend, Input};
use angelia_core::limits;
use angelia_core::recovery::{self, TurnRecovery};
use angelia_core::turn::busy::{self, Busy, Mode};
use angelia_core::turn::machine::{Effect, Event, Machine};
use angelia_core::turn::outcome::Outcome;
use angelia_store::leases::Held;
use angelia_store::turns::ClaimedTurn;
use futures_util::FutureExt;

use crate::common::Common;
use crate::leases::{Grip, Holdings};
use crate::settle::Closing;
use crate::tasks;

/// Runs turns. One for the node, cloned into each turn's task.
#[derive(Clone)]
pub(crate) struct Runner {
    /// The common ground.
    pub(crate) common: Common,
    /// The agent.
    pub(crate) backend: Arc<dyn Backend>,
    /// The leases of this node.
    pub(crate) holdings: Holdings,
    /// What a new message means for a running turn.
    pub(crate) busy: Mode,
    /// What is needed to close a turn.
    pub(crate) closing: Closing,
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
        match recovery::decide(claimed.attempts) {
            TurnRecovery::Run => self.answer(&claimed, &grip).await,
            TurnRecovery::GiveUp => {
                self.closing
                    .settle(&claimed, Outcome::Abandoned, &grip)
                    .await
            }
        }
    }

    async fn answer(&self, claimed: &ClaimedTurn, grip: &Grip) {
        let mut machine = Machine::new(claimed.journal.len());
        let stop = grip.lost().child_token();
        let (events, mut told) = events::channel();
        let messages = claimed
            .batch
            .iter()
            .map(|waiting| waiting.inbound.clone())
            .collect();
        let input = Input {
            messages,
            journal: claimed.journal.clone(),
        };
        let agent = AssertUnwindSafe(self.backend.run(input, events, stop.clone())).catch_unwind();
        let agent = agent.map(|ended| match ended {
            Ok(Ok(())) => Event::Finished,
            Ok(Err(error)) => Event::Failed(error.to_string()),
            Err(panic) => {
                tracing::error!(turn = %claimed.turn, why = tasks::words(&*panic), "the agent panicked");
                Event::Failed("the agent broke down".to_owned())
            }
        });
        let world = self.world(claimed, grip);
        tokio::pin!(agent, world);
        while !machine.has_ended() {
            let event = tokio::select! {
                biased;
                event = &mut world => event,
                Some(event) = told.recv() => {
                    self.hear(&mut machine, event, (claimed, grip)).await;
                    continue;
                }
                event = &mut agent => {
                    // What the agent told before it ended comes first.
                    told.close();
                    while let Some(event) = told.recv().await {
                        self.hear(&mut machine, event, (claimed, grip)).await;
                    }
                    event
                }
            };
            let effect = machine.on(event);
            self.perform(effect, (claimed, grip)).await;
        }
        stop.cancel();
    }

    /// What can end a turn from outside.
    async fn world(&self, claimed: &ClaimedTurn, grip: &Grip) -> Event {
        let mut phase = self.common.phase.clone();
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
        let mut ear = self.common.bells.inbox.listen();
        while !matches!(self.common.store.waiting(claimed.session).await, Ok(1..)) {
            ear.heard().await;
        }
    }

    async fn hear(&self, machine: &mut Machine, event: AgentEvent, turn: (&ClaimedTurn, &Grip)) {
        match event {
            AgentEvent::Text(text) => self.perform(machine.on(Event::Text(text)), turn).await,
            AgentEvent::Step(step, durable) => {
                self.perform(machine.on(Event::Step(step)), turn).await;
                // The agent may be gone by now; the step is in the journal either way.
                let _gone = durable.send(()).is_err();
            }
        }
    }

    async fn perform(&self, effect: Option<Effect>, (claimed, grip): (&ClaimedTurn, &Grip)) {
        match effect {
            None => (),
            Some(Effect::Show(text)) => self.closing.show(claimed, text),
            Some(Effect::Record(seq, step)) => {
                self.closing.record(claimed, (seq, step), grip).await;
            }
            Some(Effect::Settle(outcome)) => self.closing.settle(claimed, outcome, grip).await,
            Some(Effect::Release) => self.closing.release(claimed).await,
        }
    }
}
