//! What was said before this turn, for agents that want to read it.
//!
//! Reading costs time and memory, and an agent that keeps its own history (or none) needs it not, so it
//! is asked for and not handed over.

use std::fmt;

use angelia_core::transcript::entry::Entry;
use async_trait::async_trait;

use crate::AgentError;

/// The conversation up to this turn.
#[async_trait]
pub trait Past: fmt::Debug + Send + Sync {
    /// What was said, oldest first, in an order that every model accepts; the newest part of a very
    /// long conversation. The messages of this turn are not in it.
    async fn conversation(&self) -> Result<Vec<Entry>, AgentError>;
}

/// A conversation that begins with this turn.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPast;

#[async_trait]
impl Past for NoPast {
    async fn conversation(&self) -> Result<Vec<Entry>, AgentError> {
        Ok(Vec::new())
    }
}
