//! Forgetting conversations.
//!
//! With a conversation go its transcript, its turns and their journals, its deliveries, what it has used,
//! its routes, and the texts of its messages and its processes. What recognises a message stays, without its text, so that a
//! platform that sends it again starts nothing. Runs on behalf of a deleted conversation go along; every
//! other one that came from it stays and comes from nowhere.
//!
//! A conversation is busy, and nothing is deleted, while a turn of it is open, a message waits in it, a
//! delivery of it is being sent or a process of it lives. A delivery that was planned and not begun is not sent any more.

use angelia_core::id::SessionId;
use angelia_core::time::Span;
use async_trait::async_trait;

use crate::{Change, StoreError};

/// What becomes of a conversation that may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emptied {
    /// Nothing was in it: it is gone.
    Deleted,
    /// Something was said in it, it is called something, or another one came from it.
    Kept,
}

/// Forgetting.
#[async_trait]
pub trait Deletion: Send + Sync {
    /// Deletes conversations, all or none; returns those that are gone, runs on behalf of them included.
    /// Unknown ones are passed over; `Unknown` if there is none of them. `Busy` if one of them is.
    async fn delete(&self, sessions: Vec<SessionId>) -> Result<Change<Vec<SessionId>>, StoreError>;

    /// Deletes a conversation without words, title and children.
    async fn delete_if_empty(&self, session: SessionId) -> Result<Change<Emptied>, StoreError>;

    /// Deletes conversations that ended longer ago than this, the earliest first, at most so many; returns
    /// them. Busy ones are passed over, and whatever came from one of them stays.
    async fn forget_ended(&self, kept: Span, limit: usize) -> Result<Vec<SessionId>, StoreError>;
}
