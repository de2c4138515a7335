//! Follows commands, in place of the agent.
//!
//! A command is an ordinary message: durable, in order, recognised when it comes again. When its turn is
//! claimed it is followed in four steps: *plan* (read, and make everything concrete), *record* the plan
//! in the turn's journal, *perform* it with verbs that may be repeated, *settle* with the reply. Whoever
//! takes the turn over after a crash finds the plan and performs the same again, harmlessly. Commands
//! that only tell something have no plan.
//!
//! Neither commands nor their replies are part of what a model is given: the settlement writes no rows
//! of the transcript for them. They stand in the inbox and the outbox.

mod access;
mod agent;
mod display;
mod facts;
mod list;
mod perform;
mod place;
mod plan;
mod restart;

use std::sync::Arc;

use angelia_core::command::reply::Work;
use angelia_core::command::{self, Command, Plan, Reading};
use angelia_core::inbound::Inbound;
use angelia_core::session::key::Scope;
use angelia_core::time::Span;
use angelia_core::turn::journal::Step;
use angelia_core::turn::outcome::{Interruption, Outcome};
use angelia_store::turns::{ClaimedTurn, Waiting};
use angelia_store::{Fenced, StoreError};

use crate::agents::Agents;
use crate::door::Door;
use crate::ground::Ground;
use crate::leases::{Grip, Holdings};
use crate::settle::Closing;
use crate::spending::Budget;

/// Follows commands. One for the node, cloned into each turn's task.
#[derive(Clone)]
pub(crate) struct Commands {
    /// The common ground.
    pub(crate) ground: Ground,
    /// What is needed to close a turn.
    pub(crate) closing: Closing,
    /// Where questions that are asked again come in.
    pub(crate) door: Door,
    /// Who can answer.
    pub(crate) agents: Agents,
    /// How much may be spent, and what models cost.
    pub(crate) budget: Budget,
    /// How long a node that goes lets its turns run on.
    pub(crate) drain: Span,
    /// The leases of this node.
    pub(crate) holdings: Holdings,
}

/// The turn is no longer ours, or the node has no patience left: nothing more may be written.
struct Lost;

impl Commands {
    /// Follows the command of a claimed turn and settles it.
    pub(crate) async fn follow(&self, claimed: &ClaimedTurn, command: Command, grip: &Grip) {
        let errand = Errand {
            commands: &self.held_by(claimed),
            claimed,
            grip,
            work: Work::Rests,
        };
        if let Ok(text) = errand.run(command).await {
            let told = Outcome::Completed { text };
            self.closing.settle(claimed, told, grip).await;
            // If it was a wish to restart, it is answered now.
            self.ground.bells.restarts.ring();
        }
    }

    /// The same in the hands of a turn: what its command changes, it changes only while the turn is ours.
    /// A node that stood still may come to itself when another has followed the command, or given it up.
    fn held_by(&self, claimed: &ClaimedTurn) -> Self {
        let store = self.ground.store.held_by(claimed.turn, claimed.fence);
        Self {
            door: self.door.writing_to(Arc::clone(&store)),
            ground: Ground {
                store,
                ..self.ground.clone()
            },
            ..self.clone()
        }
    }

    /// Ends a turn of the agent as somebody asked, and answers who asked along with it.
    pub(crate) async fn stop(&self, claimed: &ClaimedTurn, text: String, grip: &Grip) {
        let store = &self.ground.store;
        let take = || store.take_stops(claimed.turn, claimed.fence);
        let Fenced::Done(batch) = self.closing.insist(grip, take).await else {
            return;
        };
        let claimed = ClaimedTurn {
            batch,
            ..claimed.clone()
        };
        let errand = Errand {
            commands: self,
            claimed: &claimed,
            grip,
            work: Work::Rests,
        };
        if let Ok(waiting) = errand.waiting().await {
            let by = Interruption::Stop { waiting };
            let stopped = Outcome::Interrupted { text, by };
            self.closing.settle(&claimed, stopped, grip).await;
        }
    }
}

impl Commands {
    /// What a command tells that is answered beside a running turn; nothing for one that has to wait.
    pub(crate) async fn aside(
        &self,
        claimed: &ClaimedTurn,
        asked: &Waiting,
        grip: &Grip,
    ) -> Option<String> {
        let command = match command::read(&asked.inbound) {
            Reading::Words => return None,
            Reading::Slip(slip) => return Some(slip.to_string()),
            Reading::Command(command) => command,
        };
        let claimed = ClaimedTurn {
            batch: vec![asked.clone()],
            asked: 1,
            journal: Vec::new(),
            ..claimed.clone()
        };
        let errand = Errand {
            commands: self,
            claimed: &claimed,
            grip,
            work: Work::Running,
        };
        match errand.plan(command).await {
            Ok(Intent::Say(text)) => Some(text),
            Ok(Intent::Do(Plan::Restart { delivery })) => errand.wish_restart(delivery).await.ok(),
            Ok(Intent::Do(_)) | Err(Lost) => None,
        }
    }
}

/// One command being followed.
struct Errand<'a> {
    commands: &'a Commands,
    claimed: &'a ClaimedTurn,
    grip: &'a Grip,
    /// Whether an answer is being made meanwhile.
    work: Work,
}

/// What a command comes to.
enum Intent {
    /// These words, and nothing else.
    Say(String),
    /// Something to be done first.
    Do(Plan),
}

impl Errand<'_> {
    async fn run(&self, command: Command) -> Result<String, Lost> {
        if let Some(plan) = self.recorded() {
            return self.perform_and_tell(plan).await;
        }
        match self.plan(command).await? {
            Intent::Say(text) => Ok(text),
            Intent::Do(plan) => {
                self.record(&plan).await?;
                self.perform_and_tell(&plan).await
            }
        }
    }

    /// The plan of whoever had this turn before.
    fn recorded(&self) -> Option<&Plan> {
        let steps = self.claimed.journal.iter();
        steps
            .map(|recorded| &recorded.step)
            .find_map(|step| match step {
                Step::Command { plan } => Some(plan),
                Step::Answer { .. }
                | Step::ToolBegun { .. }
                | Step::ToolFinished { .. }
                | Step::Planned { .. }
                | Step::Moved { .. }
                | Step::Compacted { .. }
                | Step::Emitted { .. }
                | Step::Steered { .. } => None,
            })
    }

    async fn record(&self, plan: &Plan) -> Result<(), Lost> {
        let step = Step::Command { plan: plan.clone() };
        let closing = &self.commands.closing;
        match closing.record(self.claimed, (1, step), self.grip).await {
            Fenced::Done(()) => Ok(()),
            Fenced::Lost => Err(Lost),
        }
    }

    /// Asks the store until it answers.
    async fn ask<T, W>(&self, verb: impl Fn() -> W) -> Result<T, Lost>
    where
        W: Future<Output = Result<T, StoreError>>,
    {
        let asked = || async { verb().await.map(Fenced::Done) };
        match self.commands.closing.insist(self.grip, asked).await {
            Fenced::Done(answer) => Ok(answer),
            Fenced::Lost => Err(Lost),
        }
    }

    /// How many messages wait for the agent.
    async fn waiting(&self) -> Result<usize, Lost> {
        let store = &self.commands.ground.store;
        let behind = self.ask(|| store.behind(self.claimed.turn)).await?;
        Ok(behind.words)
    }

    /// The message that the command is.
    fn inbound(&self) -> &Inbound {
        let message = self.claimed.batch.first();
        &message
            .expect("a claimed turn has at least one message")
            .inbound
    }

    /// The place that the command was written in.
    async fn scope(&self) -> Result<Scope, Lost> {
        let (door, inbound) = (&self.commands.door, self.inbound());
        let place = self.ask(|| door.place_of(inbound)).await?;
        Ok(place.expect("the message was routed when it was accepted"))
    }
}
