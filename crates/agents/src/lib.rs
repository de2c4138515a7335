//! How agents speak.
//!
//! `Backend` is one of the three seams of the house. A backend gets the messages of a turn and the
//! turn's journal, and speaks through `Events`: words are shown as they come, steps are durable before
//! the backend goes on.
//!
//! Cancelling is the `stop` token: the turn is over, nobody listens any more, and the backend has a moment
//! to end what it began in the turn's name. A run that is merely dropped is not over: the turn goes on
//! elsewhere, over its journal.
//!
//! A backend keeps nothing of its own between turns: what must survive is in the journal, in the
//! transcript, and, for an agent that is a process of its own, in its link.

pub mod acp;
pub mod background;
mod by_command;
pub mod consent;
pub mod context;
pub mod demo;
pub mod description;
pub mod events;
pub mod exec;
pub mod links;
pub mod mcp;
pub mod model;
pub mod past;
pub mod pictures;
pub mod speech;
pub mod spending;
pub mod tools;
pub mod transcription;
mod tried;

use std::sync::Arc;

use angelia_core::agent::AgentName;
use angelia_core::inbound::Inbound;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::turn::busy::Steering;
use angelia_core::turn::journal::Recorded;
use angelia_core::turn::outcome::Repeating;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::background::Background;
use crate::consent::Consent;
use crate::context::Context;
use crate::events::Events;
use crate::links::Links;
use crate::past::Past;
use crate::pictures::Pictures;
use crate::spending::Spending;
use crate::tools::terms::Terms;

/// What a turn is about.
#[derive(Debug, Clone)]
pub struct Input {
    /// The messages to answer, oldest first; never none.
    pub messages: Vec<Arc<Inbound>>,
    /// What earlier attempts at this turn did.
    pub journal: Vec<Recorded>,
    /// Where the turn is, and whose it is.
    pub context: Context,
    /// What was said before.
    pub past: Arc<dyn Past>,
    /// The pictures that are named by what was said.
    pub pictures: Arc<dyn Pictures>,
    /// What starts commands that go on when the turn has ended.
    pub background: Arc<dyn Background>,
    /// What asks people before something dangerous is done.
    pub consent: Arc<dyn Consent>,
    /// What is remembered of an agent that keeps a process of its own.
    pub links: Arc<dyn Links>,
    /// What the operator chose about tools.
    pub terms: Terms,
    /// Who was chosen to answer, and with which model.
    pub choice: Choice,
    /// What calls of a model may cost.
    pub spending: Arc<dyn Spending>,
}

/// Who was chosen to answer, and with which model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// The name under which this agent answers. Other agents may have answered in the conversation before.
    pub agent: AgentName,
    /// The model that the conversation chose for itself.
    pub model: Option<ModelOverride>,
}

/// Why an agent could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct AgentError {
    /// In words for people: no addresses, no secrets.
    pub why: String,
    /// Whether it helps to send the message again.
    pub repeating: Repeating,
}

impl AgentError {
    /// Something that passes: the same message may be answered the next time.
    pub fn passing(why: impl Into<String>) -> Self {
        let (why, repeating) = (why.into(), Repeating::Helps);
        Self { why, repeating }
    }

    /// Something that stays as it is, or that may have done half of what it was to do. What to do instead, if anybody
    /// knows, stands in the words.
    pub fn lasting(why: impl Into<String>) -> Self {
        let (why, repeating) = (why.into(), Repeating::IsNoUse);
        Self { why, repeating }
    }
}

/// One kind of agent.
#[async_trait]
pub trait Backend: Send + Sync {
    /// The name used in configuration and status.
    fn name(&self) -> &'static str;

    /// Whether messages can be taken along while a turn runs.
    fn steering(&self) -> Steering;

    /// Answers. Returns when the reply is complete, or cannot be completed.
    async fn run(
        &self,
        input: Input,
        events: Events,
        stop: CancellationToken,
    ) -> Result<(), AgentError>;

    /// Makes the conversation shorter because somebody asked for that, and says what came of it; `focus` is
    /// what must not be lost. An agent that keeps its conversation itself cannot.
    async fn shorten(
        &self,
        _input: Input,
        _focus: Option<String>,
        _events: Events,
        _stop: CancellationToken,
    ) -> Result<(), AgentError> {
        Err(unshortened())
    }
}

/// Why an agent does not make its conversation shorter.
fn unshortened() -> AgentError {
    let why = "this agent keeps its conversation itself, so it cannot be shortened from here";
    AgentError::lasting(why)
}
