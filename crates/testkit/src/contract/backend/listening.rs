//! A turn as its agent sees it: a listener that writes steps down, and decides when it has heard enough.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use angelia_agents::background::NoBackground;
use angelia_agents::consent::NobodyAsked;
use angelia_agents::context::Context;
use angelia_agents::events::{self, AgentEvent};
use angelia_agents::past::NoPast;
use angelia_agents::tools::terms::Terms;
use angelia_agents::{AgentError, Input};
use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::{Recorded, Step};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::stage::{Pace, Scene};

/// Far longer than anything takes that comes to an end at all.
pub const PATIENCE: Duration = Duration::from_secs(25);

/// What a listener heard.
#[derive(Debug, Default)]
pub struct Heard {
    /// What stands in the end; what was taken back is not in it.
    pub reply: String,
    /// The steps, in order.
    pub steps: Vec<Step>,
    begun: usize,
}

impl Heard {
    /// Takes an event.
    pub fn hear(&mut self, event: AgentEvent) {
        match event {
            AgentEvent::Text(more) => self.reply.push_str(&more),
            AgentEvent::AnswerBegins => self.begun = self.reply.len(),
            AgentEvent::AnswerDropped => self.reply.truncate(self.begun),
            AgentEvent::Thought(_) | AgentEvent::Shown(_) => (),
            AgentEvent::Between(answer) => {
                // Nobody says anything meanwhile.
                let _gone = answer.send(Vec::new()).is_err();
            }
            AgentEvent::Heard(answer) => {
                // Whoever was stopped asks nothing.
                let _gone = answer.send(()).is_err();
            }
            AgentEvent::Step(step, durable) => {
                self.steps.push(step);
                // Whoever was stopped does not wait for it.
                let _gone = durable.send(()).is_err();
            }
        }
    }
}

/// What a listener does after each event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Listens on.
    Listen,
    /// Asks the agent to stop, and listens until it has.
    Stop,
    /// Hangs up.
    HangUp,
    /// Dies, and the agent's run with it.
    Die,
}

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    /// What was heard.
    pub heard: Heard,
    /// What the run returned; nothing if it was dropped.
    pub ended: Option<Result<(), AgentError>>,
}

/// The turn of `scene` over what was written down before.
pub fn input(scene: &Scene, journal: &[Step]) -> Input {
    let record = |(seq, step): (u32, &Step)| Recorded {
        seq,
        at: Timestamp::default(),
        step: step.clone(),
    };
    Input {
        messages: vec![message(&scene.message).into()],
        journal: (1..).zip(journal).map(record).collect(),
        context: Context {
            said: vec![scene.message.clone()],
            ..Context::default()
        },
        past: Arc::new(NoPast),
        pictures: std::sync::Arc::new(angelia_agents::pictures::NoPictures),
        background: Arc::new(NoBackground),
        consent: Arc::new(NobodyAsked),
        links: scene.links.clone(),
        choice: Default::default(),
        spending: std::sync::Arc::new(angelia_agents::spending::Unlimited),
        terms: Terms::default(),
    }
}

fn message(text: &str) -> Inbound {
    let chat = Chat {
        id: "c".to_owned(),
        kind: ChatKind::Dm,
    };
    Inbound {
        event_key: EventKey::in_chat("c", "m"),
        address: Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat,
            thread: None,
        },
        person: Person {
            id: "u".to_owned(),
            name: None,
        },
        message_id: "m".to_owned(),
        text: text.to_owned(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

/// Runs a turn; `next` says after each event how to go on. Fails the test if it takes too long.
pub async fn run(scene: &Scene, journal: &[Step], next: impl FnMut(&Heard) -> Next) -> Run {
    let running = running(scene, journal, next);
    let run = timeout(PATIENCE * 1000, running).await;
    run.expect("the run comes to an end")
}

async fn running(scene: &Scene, journal: &[Step], mut next: impl FnMut(&Heard) -> Next) -> Run {
    let (events, mut told) = events::channel();
    let stop = CancellationToken::new();
    let agent = scene
        .backend
        .run(input(scene, journal), events, stop.clone());
    tokio::pin!(agent);
    let mut heard = Heard::default();
    loop {
        tokio::select! {
            biased;
            Some(event) = told.recv() => {
                heard.hear(event);
                let next = next(&heard);
                if obey(next, &mut told, &stop).is_break() {
                    return Run { heard, ended: None };
                }
            }
            ended = &mut agent => {
                told.close();
                while let Some(event) = told.recv().await {
                    heard.hear(event);
                }
                return Run { heard, ended: Some(ended) };
            }
        }
    }
}

fn obey(
    next: Next,
    told: &mut mpsc::Receiver<AgentEvent>,
    stop: &CancellationToken,
) -> ControlFlow<()> {
    match next {
        Next::Listen => (),
        Next::Stop => stop.cancel(),
        Next::HangUp => told.close(),
        Next::Die => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}

/// Lets the clock run ahead from the first word on, where the agent lives by it.
pub fn hurrying(pace: Pace) -> impl FnMut(&Heard) -> Next {
    let mut is_due = pace == Pace::Virtual;
    move |heard| {
        if is_due && !heard.reply.is_empty() {
            is_due = false;
            tokio::time::pause();
        }
        Next::Listen
    }
}

/// Waits until the agent has ended its work.
pub async fn at_rest(scene: &Scene) {
    let resting = async {
        while (scene.busy)() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let rested = timeout(PATIENCE, resting).await;
    assert!(rested.is_ok(), "the agent of {scene:?} works on");
}
