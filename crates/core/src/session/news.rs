//! What a new conversation has to tell, once.
//!
//! A conversation that did not begin by itself carries the reason until its first turn is opened. The
//! turn takes it over and tells it, and keeps it until it is settled: if its owner dies, the next one
//! tells the same. So nothing is told twice to the end, and nothing is lost.
//!
//! The words are made in `reset::notice`.

use serde::{Deserialize, Serialize};

use super::reset::ResetPolicy;
use super::reset::notice::{self, Audience, Cause, Facts, Past};
use crate::id::SessionId;

/// What there is to tell about a conversation that began in the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "news")]
pub enum News {
    /// Somebody asked for a new one.
    Asked {
        /// The one before.
        earlier: SessionId,
    },
    /// It began anew although nobody asked for it.
    ByItself {
        /// The one before.
        earlier: SessionId,
        /// Why.
        facts: Facts,
        /// What the one before held.
        past: Past,
        /// Who is told.
        audience: Audience,
    },
}

impl News {
    /// The news of a conversation that begins on `platform` because of `cause`.
    pub fn by_itself(
        earlier: SessionId,
        cause: Cause,
        past: Past,
        policy: &ResetPolicy,
        platform: &str,
    ) -> Self {
        Self::ByItself {
            earlier,
            facts: notice::facts(cause, policy),
            past,
            audience: notice::audience(cause, policy, past, platform),
        }
    }

    /// The words for the agent, for one turn.
    pub fn for_agent(&self) -> Option<String> {
        match self {
            Self::Asked { .. } => None,
            Self::ByItself { facts, .. } => Some(facts.for_agent()),
        }
    }

    /// The words for the chat, if it is told.
    pub fn for_chat(&self) -> Option<String> {
        match self {
            Self::ByItself {
                facts,
                audience: Audience::AgentAndChat,
                ..
            } => Some(facts.for_chat()),
            Self::Asked { .. } | Self::ByItself { .. } => None,
        }
    }
}
