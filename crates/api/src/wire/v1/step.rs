//! What a turn does, step by step.
//!
//! A step is told again under the same `id` when more is known of it; what is null then is as it was told
//! before. Secrets are hidden and long texts cut where the gateway makes it ready to be seen.

use angelia_core::id::{SessionId, TurnId};
use angelia_core::mask::Masker;
use angelia_core::time::Timestamp;
use angelia_core::transcript::usage::Tokens;
use angelia_core::turn::journal::Recorded;
use angelia_core::turn::shown::{Kind, Shown, State};
use angelia_store::views::TurnSteps;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::message::Turn;
use super::time::Time;

/// A page of the steps of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps {
    /// The turn.
    pub turn: Turn,
    /// Its steps, in order. Some steps of the journal say nothing to people and are left out.
    pub items: Vec<Step>,
    /// Passed back as `after=` it brings the steps that follow; nothing after the last.
    pub next: Option<String>,
}

/// A step of a turn, as it happens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepEvent {
    /// The turn.
    pub turn: TurnId,
    /// The conversation.
    pub session_id: SessionId,
    /// The step.
    #[serde(flatten)]
    pub step: Step,
}

/// One thing that a turn does, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Which: the same whenever it is told again, and no other's in its turn.
    pub id: String,
    /// Its place in the journal, from 1; null for what is shown and kept nowhere.
    pub seq: Option<u32>,
    /// What kind of thing.
    pub kind: StepKind,
    /// How it stands.
    pub state: StepState,
    /// What to call it: the tool, the model.
    pub title: Option<String>,
    /// What a model thought, what a plan says.
    pub words: Option<String>,
    /// What a tool is called with.
    pub input: Option<Value>,
    /// What came of it.
    pub output: Option<Value>,
    /// What an answer used.
    pub tokens: Option<StepTokens>,
    /// When this was so.
    pub at: Time,
}

/// What kind of thing a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A model answers.
    Answer,
    /// A tool is called.
    Tool,
    /// What the agent means to do.
    Plan,
    /// Something else that is worth a line.
    Note,
    /// A kind that this release does not know.
    #[serde(other)]
    Unknown,
}

/// How a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// It has begun.
    Running,
    /// It ended.
    Done,
    /// It ended, and not well.
    Failed,
    /// Nobody knows what became of it; or a state that this release does not know.
    #[serde(other)]
    Unknown,
}

/// What an answer used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepTokens {
    /// Read by the model.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Read from a cache.
    pub cache_read: u64,
    /// Written into a cache.
    pub cache_write: u64,
    /// Spent on reasoning.
    pub reasoning: u64,
}

impl Step {
    /// What is fit to be seen, at its place and time.
    pub fn of(shown: &Shown, seq: Option<u32>, at: Timestamp) -> Self {
        let shown = shown.clone();
        Self {
            id: shown.id,
            seq,
            kind: shown.kind.into(),
            state: shown.state.into(),
            title: shown.title,
            words: shown.words,
            input: shown.input,
            output: shown.output,
            tokens: shown.tokens.map(StepTokens::from),
            at: at.into(),
        }
    }

    fn recorded(recorded: &Recorded, masker: &Masker) -> Option<Self> {
        let shown = Shown::of(recorded)?.fit_to_be_seen(masker);
        Some(Self::of(&shown, Some(recorded.seq), recorded.at))
    }
}

impl Steps {
    /// What the store read, fit to be seen.
    pub fn of(read: TurnSteps, masker: &Masker) -> Self {
        let steps = read.page.items.iter();
        let steps = steps.filter_map(|recorded| Step::recorded(recorded, masker));
        Self {
            turn: read.turn.into(),
            items: steps.collect(),
            next: read.page.next,
        }
    }
}

impl From<Kind> for StepKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Answer => Self::Answer,
            Kind::Tool => Self::Tool,
            Kind::Plan => Self::Plan,
            Kind::Note => Self::Note,
        }
    }
}

impl From<State> for StepState {
    fn from(state: State) -> Self {
        match state {
            State::Running => Self::Running,
            State::Done => Self::Done,
            State::Failed => Self::Failed,
            State::Unknown => Self::Unknown,
        }
    }
}

impl From<Tokens> for StepTokens {
    fn from(tokens: Tokens) -> Self {
        Self {
            input: tokens.input,
            output: tokens.output,
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
            reasoning: tokens.reasoning,
        }
    }
}
