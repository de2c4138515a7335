//! An agent that plays what the reference's agent did, and notes what reached it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use angelia_agents::events::{Ended, Events};
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::address::Platform;
use angelia_core::recovery::EffectClass;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::usage::{Tokens, Usage};
use angelia_core::turn::busy::Steering;
use angelia_core::turn::journal::Step;
use angelia_platforms::pull::Pull;
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::house::House;

/// What the agent does in one turn.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Script {
    #[serde(default)]
    steps: Vec<Vec<Value>>,
    #[serde(default)]
    pub(crate) result: Value,
}

impl Script {
    /// Whether the reference's agent came to no clear end. Ours answers or fails.
    pub(crate) fn is_partial(&self) -> bool {
        let is_incomplete = self.result["completed"] == false && self.result["failed"] != true;
        self.result["partial"] == true || is_incomplete
    }

    /// The words that are said piece by piece.
    pub(crate) fn deltas(&self) -> Vec<&str> {
        let said = self.steps.iter().filter(|step| step[0] == "delta");
        said.filter_map(|step| step[1].as_str()).collect()
    }

    /// Why it fails, if it does.
    pub(crate) fn failure(&self) -> Option<&str> {
        let raised = self.steps.iter().find(|step| step[0] == "raise");
        let told = Some(&self.result).filter(|result| result["failed"] == true);
        let raised = raised.and_then(|step| step[1].as_str());
        raised.or_else(|| Some(told?["error"].as_str().unwrap_or_default()))
    }

    /// What it says in the end.
    pub(crate) fn words(&self) -> &str {
        if self.result.is_null() {
            return "ok";
        }
        self.result["final_response"].as_str().unwrap_or_default()
    }
}

/// What reached the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Saw {
    pub(crate) user: String,
    pub(crate) history: Vec<(String, String)>,
    pub(crate) prompt: String,
}

/// The agent.
#[derive(Default)]
pub(crate) struct Player {
    scripts: Mutex<VecDeque<Script>>,
    saw: Mutex<Vec<Saw>>,
}

/// A house in which the player answers.
pub(crate) async fn house_of(player: Arc<Player>) -> House {
    House::of(Arc::new(Pull(Platform::Local)), player).await
}

impl Player {
    pub(crate) fn new(scripts: Vec<Script>) -> Arc<Self> {
        Arc::new(Self {
            scripts: Mutex::new(scripts.into()),
            saw: Mutex::default(),
        })
    }

    /// What reached it since this was asked last.
    pub(crate) fn saw(&self) -> Vec<Saw> {
        std::mem::take(&mut *self.saw.lock().unwrap())
    }
}

#[async_trait]
impl Backend for Player {
    fn name(&self) -> &'static str {
        "player"
    }

    fn steering(&self) -> Steering {
        Steering::Impossible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        stop: CancellationToken,
    ) -> Result<(), AgentError> {
        let past = input.past.conversation().await?;
        let row = |row: &Entry| (String::from(row.role.clone()), row.content.plain_text());
        self.saw.lock().unwrap().push(Saw {
            user: input.messages.last().unwrap().text.clone(),
            history: past.iter().map(row).collect(),
            prompt: input.context.prompt.clone(),
        });
        let script = self.scripts.lock().unwrap().pop_front();
        let script = script.unwrap_or_default();
        tokio::select! {
            biased;
            () = stop.cancelled() => Ok(()),
            played = play(&script, &events) => {
                played.map_err(|_| AgentError::passing("the turn is over"))?;
                match script.failure() {
                    Some(why) => Err(AgentError::passing(why)),
                    None => Ok(()),
                }
            }
        }
    }
}

async fn play(script: &Script, events: &Events) -> Result<(), Ended> {
    for step in &script.steps {
        let text = |place: usize| step[place].as_str().unwrap_or_default().to_owned();
        match step[0].as_str().unwrap() {
            "delta" => events.text(text(1)).await?,
            "tool_start" => {
                let begun = Step::ToolBegun {
                    call: text(1),
                    tool: text(2),
                    arguments: step[3].clone(),
                    effect: EffectClass::Pure,
                };
                events.record(begun).await?;
            }
            "tool_end" => events.record(Step::finished(text(1), text(4))).await?,
            "raise" => return Ok(()),
            "wait_stop" => std::future::pending().await,
            other => panic!("nobody knows how to play `{other}`"),
        }
    }
    if script.deltas().is_empty() {
        events.text(script.words()).await?;
    }
    events.record(answered(script.words())).await
}

/// The usage that every agent of the reference tells: 7, 3, 10.
fn answered(words: &str) -> Step {
    let tokens = Tokens {
        input: 7,
        output: 3,
        ..Tokens::default()
    };
    Step::Answer {
        row: Box::new(Entry::new(Role::Assistant, words.to_owned())),
        spent: Some(Box::new(Usage {
            tokens,
            calls: 1,
            ..Usage::default()
        })),
    }
}
