//! What a command will do, made concrete.
//!
//! A plan names everything that was chosen while making it: the id of the new session, the row from which
//! the transcript is hidden, the words to be asked again. It stands in the turn's journal before the
//! first change, so that whoever takes the turn over does the same again and not something similar.
//! Commands that only tell something have no plan.

use serde::{Deserialize, Serialize};

use crate::agent::AgentName;
use crate::id::{DeliveryId, GrantId, KnockId, SessionId};
use crate::media::Picture;
use crate::media::attached::Attached;
use crate::session::model_override::ModelOverride;
use crate::transcript::title::Title;

/// What a command changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Plan {
    /// Begin a new conversation here.
    BeginAnew {
        /// Its id.
        session: SessionId,
        /// What it shall be called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<Title>,
    },
    /// Go on in another conversation.
    Resume {
        /// Which.
        session: SessionId,
        /// What people know it as.
        called: String,
    },
    /// Call the conversation so.
    Entitle {
        /// The title.
        title: Title,
    },
    /// Take turns back.
    Undo {
        /// The first row that is hidden.
        from: u64,
        /// How many turns that takes back.
        turns: usize,
        /// The beginning of the first question taken back.
        quote: String,
    },
    /// Ask the last question again.
    Retry {
        /// The first row that is hidden.
        from: u64,
        /// The question.
        text: String,
        /// The pictures that went with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pictures: Vec<Picture>,
        /// What else came with it and was not opened yet.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attached: Vec<Attached>,
    },
    /// Let what nobody asked for come to this chat.
    Home,
    /// Go on in a copy.
    Branch {
        /// The copy's id.
        session: SessionId,
        /// What it shall be called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<Title>,
    },
    /// Have this model, or the usual one again.
    Model {
        /// The choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<ModelOverride>,
    },
    /// Be answered by this agent, or by the usual one again.
    Agent {
        /// The choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentName>,
    },
    /// Let somebody in.
    LetIn {
        /// Who knocked.
        knock: KnockId,
        /// What they are given.
        grant: GrantId,
        /// The message that tells them.
        delivery: DeliveryId,
    },
    /// Let somebody in no more.
    TakeBack {
        /// What they were given.
        grant: GrantId,
        /// What they are called.
        called: String,
    },
    /// Show this in the chat.
    Display {
        /// Which setting.
        name: String,
        /// How it shall be.
        value: String,
    },
    /// Let the gateway begin anew.
    Restart {
        /// The message that tells that it is over.
        delivery: DeliveryId,
    },
}

impl Plan {
    /// The name used in traces.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::BeginAnew { .. } => "begin_anew",
            Self::Resume { .. } => "resume",
            Self::Entitle { .. } => "entitle",
            Self::Undo { .. } => "undo",
            Self::Retry { .. } => "retry",
            Self::Home => "home",
            Self::Branch { .. } => "branch",
            Self::Model { .. } => "model",
            Self::Agent { .. } => "agent",
            Self::LetIn { .. } => "let_in",
            Self::TakeBack { .. } => "take_back",
            Self::Restart { .. } => "restart",
            Self::Display { .. } => "display",
        }
    }
}
