//! What a conversation remembers of an agent that keeps a process and a history of its own.
//!
//! The gateway hands each turn a way to read and write this for its own conversation alone. Writing is done
//! when it is durable, and refused once the turn is somebody else's. Agents that keep nothing of their own
//! have no use for it.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use angelia_core::id::{SessionId, TurnId};
use angelia_core::link::{Link, Sequel};
use async_trait::async_trait;

use crate::events::Ended;

/// What is remembered of the agent of one turn's conversation.
#[async_trait]
pub trait Links: fmt::Debug + Send + Sync {
    /// The turn.
    fn turn(&self) -> TurnId;

    /// The conversation.
    fn session(&self) -> SessionId;

    /// What is remembered now.
    async fn link(&self) -> Result<Link, Ended>;

    /// Remembers this instead.
    async fn keep(&self, link: Link) -> Result<(), Ended>;

    /// Who spoke in the conversation behind the row `after`.
    async fn sequel(&self, after: u64) -> Result<Sequel, Ended>;

    /// Lets go of a process of the turn's agent that no turn uses, the one that was used least lately, so that
    /// it can be ended; its folder. Nothing if all are in use.
    async fn spare(&self) -> Result<Option<String>, Ended>;
}

/// A memory that ends with the process, for one conversation and one turn.
#[derive(Debug)]
pub struct InMemory {
    turn: TurnId,
    session: SessionId,
    link: Mutex<Link>,
}

impl InMemory {
    /// Remembers `link` of the turn's conversation.
    pub fn new(turn: TurnId, session: SessionId, link: Link) -> Self {
        Self {
            turn,
            session,
            link: Mutex::new(link),
        }
    }
}

impl Default for InMemory {
    fn default() -> Self {
        Self::new(
            TurnId::from_bits(1),
            SessionId::from_bits(1),
            Link::default(),
        )
    }
}

#[async_trait]
impl Links for InMemory {
    fn turn(&self) -> TurnId {
        self.turn
    }

    fn session(&self) -> SessionId {
        self.session
    }

    async fn link(&self) -> Result<Link, Ended> {
        let link = self.link.lock();
        Ok(link.unwrap_or_else(PoisonError::into_inner).clone())
    }

    async fn keep(&self, link: Link) -> Result<(), Ended> {
        *self.link.lock().unwrap_or_else(PoisonError::into_inner) = link;
        Ok(())
    }

    async fn sequel(&self, _after: u64) -> Result<Sequel, Ended> {
        Ok(Sequel::default())
    }

    async fn spare(&self) -> Result<Option<String>, Ended> {
        Ok(None)
    }
}
