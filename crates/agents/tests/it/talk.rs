//! One turn of the built-in agent, and what its listener heard.

use std::sync::Arc;

use angelia_agents::background::NoBackground;
use angelia_agents::consent::NobodyAsked;
use angelia_agents::context::Context;
use angelia_agents::events::{self, AgentEvent};
use angelia_agents::model::agent::{Model, Setup};
use angelia_agents::model::album::Eyes;
use angelia_agents::model::provider::{Place, Secret};
use angelia_agents::model::wire::Wire;
use angelia_agents::past::NoPast;
use angelia_agents::tools::terms::Terms;
use angelia_agents::{AgentError, Backend as _, Input};
use angelia_core::limits;
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::{Recorded, Step};
use angelia_testkit::fakes::model::FakeModel;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

pub(crate) const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];

/// The word that opens the fake's door; it looks like no key, so only knowing it can hide it.
pub(crate) const KEY: &str = "a-word-for-the-door";

/// What a listener heard.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) ended: Result<(), AgentError>,
    /// The pieces as they came.
    pub(crate) pieces: Vec<String>,
    /// What stands in the end: pieces that were taken back are not in it.
    pub(crate) reply: String,
    /// How often something was taken back.
    pub(crate) dropped: usize,
    pub(crate) steps: Vec<Step>,
}

impl Heard {
    /// What became of the calls.
    pub(crate) fn outputs(&self) -> Vec<&str> {
        let mut outputs = Vec::new();
        for step in &self.steps {
            if let Step::ToolFinished { output, .. } = step {
                outputs.push(output.as_str());
            }
        }
        outputs
    }
}

pub(crate) fn place(fake: &FakeModel, wire: Wire) -> Place {
    Place {
        wire,
        base_url: fake.base_url().parse().unwrap(),
        model: "fake-1".to_owned(),
        api_key: Some(Secret::new(KEY)),
        answer_tokens: None,
        request: serde_json::Map::new(),
    }
}

pub(crate) fn model(places: Vec<Place>) -> Model {
    model_reading(places, limits::CONTEXT_TOKENS)
}

/// A model that can read so many tokens.
pub(crate) fn model_reading(places: Vec<Place>, context_tokens: u64) -> Model {
    Model::new(&setup(places, context_tokens)).unwrap()
}

/// A model that cannot see.
pub(crate) fn blind_model(places: Vec<Place>) -> Model {
    let setup = Setup {
        eyes: Eyes::Shut,
        ..setup(places, limits::CONTEXT_TOKENS)
    };
    Model::new(&setup).unwrap()
}

fn setup(places: Vec<Place>, context_tokens: u64) -> Setup {
    Setup {
        places,
        prompt: "You are under test.".to_owned(),
        context_tokens,
        eyes: Eyes::Open,
    }
}

/// A turn in which somebody says `words`, over what was recorded before.
pub(crate) fn input(words: &str, before: Vec<Step>) -> Input {
    let record = |(seq, step)| Recorded {
        seq,
        at: Timestamp::default(),
        step,
    };
    Input {
        messages: Vec::new(),
        journal: (1..).zip(before).map(record).collect(),
        context: Context {
            prompt: "You are in a chat.".to_owned(),
            said: vec![words.to_owned()],
            ..Context::default()
        },
        past: Arc::new(NoPast),
        pictures: std::sync::Arc::new(angelia_agents::pictures::NoPictures),
        background: Arc::new(NoBackground),
        consent: Arc::new(NobodyAsked),
        links: Arc::new(angelia_agents::links::InMemory::default()),
        terms: Terms::default(),
        choice: Default::default(),
        spending: std::sync::Arc::new(angelia_agents::spending::Unlimited),
    }
}

pub(crate) async fn turn(model: &Model, input: Input, stop: CancellationToken) -> Heard {
    let (events, told) = events::channel();
    listen(model.run(input, events, stop), told).await
}

/// Somebody asks for a shorter conversation.
pub(crate) async fn shorten(model: &Model, input: Input, focus: Option<&str>) -> Heard {
    let (events, told) = events::channel();
    let focus = focus.map(str::to_owned);
    let stop = CancellationToken::new();
    listen(model.shorten(input, focus, events, stop), told).await
}

async fn listen(
    running: impl Future<Output = Result<(), AgentError>>,
    mut told: mpsc::Receiver<AgentEvent>,
) -> Heard {
    let (mut pieces, mut steps, mut dropped) = (Vec::new(), Vec::new(), 0);
    let (mut reply, mut begun) = (String::new(), 0);
    let hearing = async {
        while let Some(event) = told.recv().await {
            match event {
                AgentEvent::Text(more) => {
                    reply.push_str(&more);
                    pieces.push(more);
                }
                AgentEvent::Thought(_) | AgentEvent::Shown(_) => (),
                AgentEvent::Between(answer) => drop(answer.send(Vec::new())),
                AgentEvent::Heard(answer) => drop(answer.send(())),
                AgentEvent::AnswerBegins => begun = reply.len(),
                AgentEvent::AnswerDropped => {
                    dropped += 1;
                    reply.truncate(begun);
                }
                AgentEvent::Step(step, durable) => {
                    steps.push(step);
                    // A turn that was stopped does not wait for it.
                    let _gone = durable.send(()).is_err();
                }
            }
        }
    };
    let (ended, ()) = tokio::join!(running, hearing);
    Heard {
        ended,
        pieces,
        reply,
        dropped,
        steps,
    }
}

/// A whole turn with one model.
pub(crate) async fn answer(fake: &FakeModel, wire: Wire, words: &str) -> Heard {
    let model = model(vec![place(fake, wire)]);
    turn(&model, input(words, Vec::new()), CancellationToken::new()).await
}
