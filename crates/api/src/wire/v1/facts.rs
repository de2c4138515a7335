//! What is known of a conversation beside what a list shows.

use angelia_core::agent::AgentName;
use angelia_core::id::SessionId;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::transcript::lineage::Kind;
use angelia_core::transcript::usage;
use angelia_store::views::SessionFacts;
use serde::{Deserialize, Serialize};

use super::time::Time;

/// The facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Which conversations belong to it.
    pub links: Links,
    /// The model that was chosen for it.
    pub model: Option<Model>,
    /// Who was chosen to answer in it; nothing for whoever usually does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// The interruption after which it is to go on.
    pub resume: Option<Resume>,
    /// How often something was taken back.
    pub rewinds: u32,
    /// How long its last prompt was.
    pub prompt_tokens: u64,
    /// What it has used.
    pub usage: Usage,
}

/// Where it came from and where it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Links {
    /// The one that it came from.
    pub parent: Option<SessionId>,
    /// In what way.
    pub link: Option<Link>,
    /// The one that it goes on in.
    pub continuation: Option<SessionId>,
    /// Those that went another way from it.
    pub branches: Vec<SessionId>,
}

/// In what way a conversation came from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// It is the same one, going on from a summary.
    Continuation,
    /// Someone went another way from there.
    Branch,
    /// It works on behalf of it.
    Delegate,
    /// No more is known.
    Parent,
    /// A way that this release does not know.
    #[serde(other)]
    Unknown,
}

impl Link {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Continuation => "continuation",
            Self::Branch => "branch",
            Self::Delegate => "delegate",
            Self::Parent => "parent",
            Self::Unknown => "unknown",
        }
    }
}

/// A choice of a model. At least one of the three is set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The model.
    #[serde(default)]
    pub model: Option<String>,
    /// Who runs it.
    #[serde(default)]
    pub provider: Option<String>,
    /// Where it is reached.
    #[serde(default)]
    pub base_url: Option<String>,
}

/// An interruption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    /// When it was.
    pub at: Time,
    /// What it was, in a word.
    pub reason: String,
}

/// What was used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Read by the model.
    pub input_tokens: u64,
    /// Written by the model.
    pub output_tokens: u64,
    /// Read from a cache.
    pub cache_read_tokens: u64,
    /// Written into a cache.
    pub cache_write_tokens: u64,
    /// Spent on reasoning.
    pub reasoning_tokens: u64,
    /// How often a model was called.
    pub calls: u64,
    /// What it cost in dollars, as a decimal number; nothing if nobody knows.
    pub cost_usd: Option<String>,
}

impl Facts {
    pub(super) fn of(facts: SessionFacts, usage: Usage, continuation: Option<SessionId>) -> Self {
        let links = Links {
            parent: facts.link.map(|link| link.parent),
            link: facts.link.map(|link| link.kind.into()),
            continuation,
            branches: facts.branches,
        };
        let resume = facts.resume.map(|(at, reason)| Resume {
            at: at.into(),
            reason,
        });
        Self {
            links,
            model: facts.model.map(Model::from),
            agent: facts.agent,
            resume,
            rewinds: facts.rewinds,
            prompt_tokens: facts.prompt_tokens,
            usage,
        }
    }
}

impl From<Kind> for Link {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Continuation => Self::Continuation,
            Kind::Branch => Self::Branch,
            Kind::Delegate => Self::Delegate,
            Kind::Parent => Self::Parent,
        }
    }
}

impl From<ModelOverride> for Model {
    fn from(chosen: ModelOverride) -> Self {
        Self {
            model: chosen.model().map(str::to_owned),
            provider: chosen.provider().map(str::to_owned),
            base_url: chosen.base_url().map(str::to_owned),
        }
    }
}

impl From<usage::Usage> for Usage {
    fn from(used: usage::Usage) -> Self {
        let cost = used.cost.actual.or(used.cost.estimated);
        Self {
            input_tokens: used.tokens.input,
            output_tokens: used.tokens.output,
            cache_read_tokens: used.tokens.cache_read,
            cache_write_tokens: used.tokens.cache_write,
            reasoning_tokens: used.tokens.reasoning,
            calls: used.calls,
            cost_usd: cost.map(|micros| micros.to_string().trim_start_matches('$').to_owned()),
        }
    }
}
