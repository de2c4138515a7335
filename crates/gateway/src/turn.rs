//! Steps 7 and 8: runs one turn and settles it.
//!
//! The task owns the machine (`core::turn::machine`) and the agent's conversation. It feeds the machine
//! with what the agent tells, what the clock says and what the node is doing, and performs the effects:
//! record, show, settle, release. It may be dropped at any await; the next owner runs the turn over
//! its journal.

mod errand;
mod patience;

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use angelia_agents::background::{Background, NoBackground};
use angelia_agents::consent::{Consent, NobodyAsked};
use angelia_agents::events::{self, AgentEvent, Events};
use angelia_agents::links::Links;
use angelia_agents::past::{NoPast, Past};
use angelia_agents::spending::Spending;
use angelia_agents::{Backend, Choice as Chosen, Input};
use angelia_core::command::{self, Command, Reading, reply};
use angelia_core::limits;
use angelia_core::mask::Surface;
use angelia_core::recovery::{self, TurnRecovery};
use angelia_core::session::key::Sharing;
use angelia_core::turn::journal::Recorded;
use angelia_core::turn::machine::{Effect, Event};
use angelia_core::turn::manners::Manners;
use angelia_core::turn::outcome::{Interruption, Outcome, Repeating};
use angelia_core::turn::shown::Shown;
use angelia_store::Fenced;
use angelia_store::leases::Held;
use angelia_store::turns::{ClaimedTurn, Waiting};
use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::agents::Agents;
use crate::approvals::{Asking, Choice};
use crate::commands::Commands;
use crate::glimpses::easel::Easel;
use crate::ground::Ground;
use crate::leases::{Grip, Holdings};
use crate::links::TurnLinks;
use crate::opening::Opening;
use crate::past::StoredPast;
use crate::processes::{Processes, start::Starting};
use crate::settle::{Closing, RUNNING};
use crate::spending::TurnSpending;
use crate::standing::Standing;
use crate::talk::Talk;
use crate::tasks;
use crate::telling::Telling;

pub(crate) use errand::Errand;
pub(crate) use patience::Patience;

/// Who does it, and what is to be done.
pub(crate) type Doing<'a> = (&'a Arc<dyn Backend>, &'a Errand);

/// Runs turns. One for the node, shared by all turns' tasks.
pub(crate) struct Runner {
    /// The common ground.
    pub(crate) ground: Ground,
    /// Who can answer.
    pub(crate) agents: Agents,
    /// The leases of this node.
    pub(crate) holdings: Holdings,
    /// What happens to those who write meanwhile.
    pub(crate) manners: Arc<Manners>,
    /// What is needed to close a turn.
    pub(crate) closing: Closing,
    /// What a turn is told about itself.
    pub(crate) telling: Arc<Telling>,
    /// What answers commands.
    pub(crate) commands: Commands,
    /// Whose turn it is.
    pub(crate) standing: Standing,
    /// How people are asked.
    pub(crate) approvals: Choice,
    /// What opens what came with messages.
    pub(crate) opening: Opening,
    /// Where commands are started that outlive their turn, if anywhere.
    pub(crate) processes: Option<Processes>,
    /// The data directory, as a name that only this machine's boots share.
    pub(crate) home: Arc<str>,
}

impl Runner {
    /// Runs a claimed turn to its end. Whatever is logged meanwhile says whose it is.
    pub(crate) async fn run(&self, claimed: ClaimedTurn) {
        let span =
            tracing::info_span!("turn", id = %claimed.turn, session = claimed.key.for_logs());
        self.run_to_its_end(claimed).instrument(span).await;
    }

    async fn run_to_its_end(&self, claimed: ClaimedTurn) {
        let held = Held {
            name: claimed.lease.clone(),
            fence: claimed.fence,
        };
        let grip = self.holdings.grip(held);
        self.closing.announce(&claimed, RUNNING);
        let window = self.ground.rules.resume_window;
        let outcome = match recovery::decide(claimed.attempts, claimed.resumed.age(), window) {
            TurnRecovery::Run => return self.attend(&claimed, &grip).await,
            TurnRecovery::GiveUp => Outcome::Abandoned,
            TurnRecovery::TooLate => Outcome::TooLate,
        };
        self.closing.settle(&claimed, outcome, &grip).await;
    }

    /// Words are the agent's to answer, a command is ours. A call to stop that was taken along is the end.
    async fn attend(&self, claimed: &ClaimedTurn, grip: &Grip) {
        let mut readings = claimed.batch.iter().map(|one| command::read(&one.inbound));
        match readings.next() {
            None | Some(Reading::Words) => {
                if readings.any(|reading| reading.stops()) {
                    return self.commands.stop(claimed, String::new(), grip).await;
                }
                self.answer(claimed, &Errand::Answer, grip).await;
            }
            Some(Reading::Command(Command::Compress(focus))) => {
                if readings.any(|reading| reading.stops()) {
                    return self.commands.stop(claimed, String::new(), grip).await;
                }
                self.answer(claimed, &Errand::Shorten(focus), grip).await;
            }
            Some(Reading::Command(command)) => self.commands.follow(claimed, command, grip).await,
            Some(Reading::Slip(slip)) => {
                let text = slip.to_string();
                let told = Outcome::Completed { text };
                self.closing.settle(claimed, told, grip).await;
            }
        }
    }

    async fn answer(&self, claimed: &ClaimedTurn, errand: &Errand, grip: &Grip) {
        let Some(backend) = self.agents.find(&claimed.agent) else {
            let text = reply::agent_gone(&claimed.agent, &self.agents.names());
            let told = Outcome::Completed { text };
            return self.closing.settle(claimed, told, grip).await;
        };
        // The agent has ended, and what it had begun is taken down, before anyone else may begin.
        let (ending, done, breaks) = self.converse(claimed, (backend, errand), grip).await;
        let claimed = &*done.on(claimed);
        match ending {
            Some(Effect::Settle(Outcome::Interrupted {
                text,
                by: Interruption::Stop { .. },
            })) => self.commands.stop(claimed, text, grip).await,
            Some(Effect::Settle(outcome)) => {
                let parted = (outcome, &*breaks);
                self.closing.settle_parted(claimed, parted, grip).await;
            }
            Some(Effect::Release) => {
                self.tell_going(claimed, grip).await;
                self.closing.release(claimed).await;
            }
            // The claim is no longer ours: nothing may be written.
            None | Some(Effect::Show | Effect::Record(..)) => (),
        }
    }

    /// Lets the agent speak until the turn has its end; returns what is to be done then, the steps that were
    /// written down meanwhile, and where the reply is parted. It is not shown any more by then.
    async fn converse(
        &self,
        claimed: &ClaimedTurn,
        doing: Doing<'_>,
        grip: &Grip,
    ) -> (Option<Effect>, Done, Vec<usize>) {
        let mut talk = Talk::new(claimed, grip, self.ground.env.steady());
        talk.pen = self.closing.sketch(claimed).await;
        talk.easel = Easel::of(&self.ground);
        let ending = self.listen(&mut talk, doing, grip).await;
        (ending, talk.done, talk.breaks)
    }

    async fn listen(
        &self,
        talk: &mut Talk<'_>,
        (backend, errand): Doing<'_>,
        grip: &Grip,
    ) -> Option<Effect> {
        let claimed = talk.claimed;
        let stop = grip.lost().child_token();
        let (events, mut told) = events::channel();
        let allowed = self.agents.turn_time(&claimed.agent);
        let patience = Patience::begin(&self.ground.env, allowed);
        let tools = (events, stop.clone(), patience.clone());
        let agent = self.agent(claimed, (backend, errand), tools);
        let world = self.world(claimed, (backend, errand), (grip, &patience));
        tokio::pin!(agent, world);
        let _asked_to_stop_first = stop.clone().drop_guard();
        let ending = loop {
            let flow = tokio::select! {
                biased;
                event = &mut world => {
                    if is_for_good(&event) {
                        stop.cancel();
                        self.wind_down(talk, &mut told, agent).await;
                    }
                    return talk.machine.on(event);
                }
                Some(event) = told.recv() => self.hear(talk, event).await,
                event = &mut agent => {
                    told.close();
                    return self.last_words(talk, told, event).await;
                }
                () = talk.draft.is_due() => {
                    self.show(talk);
                    ControlFlow::Continue(())
                }
                () = talk.thoughts.draft.is_due() => {
                    self.show_thoughts(talk);
                    ControlFlow::Continue(())
                }
                () = talk.easel.is_due() => {
                    self.put_up(talk);
                    ControlFlow::Continue(())
                }
            };
            if let ControlFlow::Break(ending) = flow {
                break ending;
            }
        };
        if ending.is_some() {
            stop.cancel();
            drop(told);
            tidied(agent).await;
        }
        ending
    }

    /// Hears the last words of an agent that was asked to stop, until it has or its time for that is up.
    async fn wind_down(
        &self,
        talk: &mut Talk<'_>,
        told: &mut mpsc::Receiver<AgentEvent>,
        mut agent: Pin<&mut impl Future<Output = Event>>,
    ) {
        let ending = async {
            loop {
                tokio::select! {
                    biased;
                    Some(event) = told.recv() => {
                        if self.hear(talk, event).await.is_break() {
                            return;
                        }
                    }
                    _ended = &mut agent => return,
                }
            }
        };
        let ended = tokio::time::timeout(limits::AGENT_STOP_TIME.to_std(), ending);
        let _insisted = ended.await.is_err();
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
            AgentEvent::AnswerBegins => {
                talk.thoughts.over(self.ground.env.steady());
                talk.part();
                (Event::AnswerBegins, None)
            }
            AgentEvent::Thought(more) => {
                talk.think(&more, &self.ground.masker);
                return ControlFlow::Continue(());
            }
            AgentEvent::Shown(shown) => {
                self.tell_of(talk, (None, &shown));
                self.closing.show_step(talk.claimed, None, *shown);
                return ControlFlow::Continue(());
            }
            AgentEvent::AnswerDropped => (Event::AnswerDropped, None),
            AgentEvent::Between(answer) => return self.steer(talk, answer).await,
            AgentEvent::Heard(answer) => {
                // The agent may be gone by now, and asks nothing.
                let _gone = answer.send(()).is_err();
                return ControlFlow::Continue(());
            }
            AgentEvent::Step(step, durable) => (Event::Step(step), Some(durable)),
        };
        match talk.machine.on(event) {
            None => (),
            Some(Effect::Show) => talk.grew(),
            Some(Effect::Record(seq, step)) => {
                // Words that came with the step do not wait for the disk.
                if talk.draft.may_be_shown(self.ground.env.steady()) {
                    self.show(talk);
                }
                let recorded = self
                    .closing
                    .record(talk.claimed, (seq, step.clone()), talk.grip);
                if recorded.await == Fenced::Lost {
                    return ControlFlow::Break(None);
                }
                let at = self.ground.env.now();
                let recorded = Recorded { seq, at, step };
                let shown = Shown::of(&recorded);
                self.end_thoughts(talk, (seq, shown.as_ref()));
                talk.thoughts.over(self.ground.env.steady());
                if let Some(shown) = shown {
                    self.tell_of(talk, (Some(seq), &shown));
                }
                talk.done.steps.push(recorded);
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

    /// The agent at work; its end, whatever becomes of it.
    async fn agent(
        &self,
        claimed: &ClaimedTurn,
        (backend, errand): Doing<'_>,
        (events, stop, patience): (Events, CancellationToken, Patience),
    ) -> Event {
        let opened = tokio::select! {
            biased;
            // Nobody waits for an answer any more, so nothing is fetched for one.
            () = stop.cancelled() => return Event::Finished,
            opened = self.opening.open(errand.told(claimed)) => opened,
        };
        let Some(claimed) = opened else {
            // Whoever has the turn now opens them; nothing that is said here is written down.
            let why = "the turn is not ours any more".to_owned();
            return Event::Failed(why, Repeating::IsNoUse);
        };
        let claimed = &claimed;
        // A turn that goes on after a restart may be in the middle of a call of theirs.
        tokio::select! {
            biased;
            () = stop.cancelled() => (),
            () = self.telling.terms.servers.tried() => (),
        }
        let sharing = claimed.batch.last();
        let sharing = sharing.map_or(Sharing::PerPerson, |one| self.telling.sharing(&one.inbound));
        let role = self.standing.of_turn(claimed, sharing).await;
        let messages = claimed.batch.iter().map(|waiting| waiting.inbound.clone());
        let input = Input {
            messages: messages.collect(),
            journal: claimed.journal.clone(),
            context: self.telling.context(claimed),
            past: self.past(claimed),
            pictures: self.ground.media.gallery(),
            background: self.background(claimed),
            consent: self.consent(claimed, patience),
            links: self.links(claimed),
            terms: self.telling.terms(claimed, role, &self.approvals.rules),
            choice: Chosen {
                agent: claimed.agent.clone(),
                model: claimed.model.clone(),
            },
            spending: self.spending(claimed),
        };
        let run = match errand {
            Errand::Answer => backend.run(input, events, stop),
            Errand::Shorten(focus) => backend.shorten(input, focus.clone(), events, stop),
        };
        match AssertUnwindSafe(run).catch_unwind().await {
            Ok(Ok(())) => Event::Finished,
            Ok(Err(error)) => {
                // Whoever reads it, and wherever: what failed may name what opened its door.
                let why = self.ground.masker.shown(&error.why, Surface::Egress);
                Event::Failed(why.into_owned(), error.repeating)
            }
            Err(panic) => {
                let why = tasks::words(&*panic);
                tracing::error!(turn = %claimed.turn, why, "the agent panicked");
                Event::Failed("the agent broke down".to_owned(), Repeating::Helps)
            }
        }
    }

    fn background(&self, claimed: &ClaimedTurn) -> Arc<dyn Background> {
        let processes = self.processes.as_ref();
        match processes.and_then(|processes| Starting::of(processes, claimed)) {
            Some(starting) => Arc::new(starting),
            None => Arc::new(NoBackground),
        }
    }

    fn consent(&self, claimed: &ClaimedTurn, patience: Patience) -> Arc<dyn Consent> {
        match Asking::of(&self.ground, &self.approvals, (claimed, patience)) {
            Some(asking) => Arc::new(asking),
            None => Arc::new(NobodyAsked),
        }
    }

    fn links(&self, claimed: &ClaimedTurn) -> Arc<dyn Links> {
        Arc::new(TurnLinks {
            ground: self.ground.clone(),
            home: self.home.to_string(),
            claimed: claimed.clone(),
        })
    }

    fn spending(&self, claimed: &ClaimedTurn) -> Arc<dyn Spending> {
        let (ground, budget) = (self.ground.clone(), self.commands.budget.clone());
        Arc::new(TurnSpending::of(ground, budget, claimed.clone()))
    }

    fn past(&self, claimed: &ClaimedTurn) -> Arc<dyn Past> {
        match claimed.batch.last() {
            None => Arc::new(NoPast),
            Some(last) => Arc::new(StoredPast {
                ground: self.ground.clone(),
                turn: (claimed.turn, claimed.fence),
                telling: self.telling.clone(),
                session: claimed.session,
                inbound: last.inbound.clone(),
                prompt_tokens: claimed.prompt_tokens,
            }),
        }
    }

    /// What can end a turn from outside.
    async fn world(
        &self,
        claimed: &ClaimedTurn,
        doing: Doing<'_>,
        (grip, patience): (&Grip, &Patience),
    ) -> Event {
        let phase = self.ground.phase.clone();
        tokio::select! {
            biased;
            () = grip.lost().cancelled() => Event::LeaseLost,
            () = phase.out_of_patience() => Event::Draining,
            by = self.interrupted(claimed, doing, grip) => Event::Interrupted(by),
            never = self.farewell(claimed, grip) => match never {},
            () = patience.is_over() => Event::TimedOut,
        }
    }
}

/// Lets an agent end what it began for a turn that is over by one of its limits, until it has or its time for that is up.
/// Nobody hears it any more: nothing that it says now would be written down.
async fn tidied(agent: Pin<&mut impl Future<Output = Event>>) {
    let ended = tokio::time::timeout(limits::AGENT_STOP_TIME.to_std(), agent);
    let _insisted = ended.await.is_err();
}

/// Whether nobody takes this turn up again. Otherwise an agent that is a program of its own works on.
fn is_for_good(event: &Event) -> bool {
    matches!(event, Event::Interrupted(_) | Event::TimedOut)
}

/// What an attempt at a turn added to it.
#[derive(Default)]
pub(crate) struct Done {
    /// The steps that were written down.
    pub(crate) steps: Vec<Recorded>,
    /// All that the turn answers, if it took something along.
    pub(crate) batch: Option<Vec<Waiting>>,
}

impl Done {
    /// The turn with all of its journal: what was done becomes part of the conversation when it is closed.
    fn on(self, claimed: &ClaimedTurn) -> Cow<'_, ClaimedTurn> {
        if self.steps.is_empty() {
            return Cow::Borrowed(claimed);
        }
        let mut claimed = claimed.clone();
        claimed.journal.extend(self.steps);
        claimed.batch = self.batch.unwrap_or(claimed.batch);
        Cow::Owned(claimed)
    }
}
