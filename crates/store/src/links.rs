//! Agents that keep a process of their own: what is remembered of each, one row for a conversation.
//!
//! Only the turn that works in a conversation writes its row, under its fence. Whoever looks for agents
//! that nobody uses lets go of one only while no turn is open: then the next turn finds that it has to
//! start another.

use angelia_core::id::{SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::link::Link;
use angelia_core::time::Span;
use async_trait::async_trait;

use crate::{Fenced, StoreError};

/// A conversation whose agent may run, and in which no turn is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resting {
    /// The conversation.
    pub session: SessionId,
    /// The folder of the agent.
    pub agent: String,
    /// How long ago a turn last wrote about it.
    pub rested: Span,
}

/// Agents with processes of their own.
#[async_trait]
pub trait Links: Send + Sync {
    /// What is remembered of the conversation's agent.
    async fn link(&self, session: SessionId) -> Result<Option<Link>, StoreError>;

    /// Remembers this of the agent of the turn's conversation, which is held in `home`.
    async fn keep_link(
        &self,
        turn: TurnId,
        fence: Fence,
        home: &str,
        link: Link,
    ) -> Result<Fenced<()>, StoreError>;

    /// Agents of this home that may run though no turn is open, the one that was used least lately first.
    async fn resting_agents(&self, home: &str, limit: usize) -> Result<Vec<Resting>, StoreError>;

    /// Forgets the process of a resting agent, so that it can be ended. What the agent calls the
    /// conversation is kept. Tells whether it was still that one, and still rested.
    async fn let_agent_go(&self, resting: &Resting) -> Result<bool, StoreError>;

    /// The folders of agents of this home that may run, in use or not.
    async fn linked_agents(&self, home: &str) -> Result<Vec<String>, StoreError>;
}
