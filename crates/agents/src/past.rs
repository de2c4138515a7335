//! What was said before this turn, for agents that want to read it.
//!
//! Reading costs time and memory, and an agent that keeps its own history (or none) needs it not, so it
//! is asked for and not handed over.

use std::fmt;

use angelia_core::transcript::conversation;
use angelia_core::transcript::entry::Entry;
use async_trait::async_trait;

use crate::AgentError;

/// One row of what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number in the conversation; numbers rise.
    pub number: u64,
    /// What was said.
    pub entry: Entry,
}

/// What was said before a turn, row by row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Story {
    /// The rows, oldest first; the newest part of a very long conversation. A summary may stand anywhere
    /// among them.
    pub rows: Vec<Row>,
    /// How many tokens the prompt of the last answer had; zero where nobody told.
    pub prompt_tokens: u64,
}

/// The conversation up to this turn.
#[async_trait]
pub trait Past: fmt::Debug + Send + Sync {
    /// What was said, row by row. The messages of this turn are not in it.
    async fn story(&self) -> Result<Story, AgentError>;

    /// The same, in an order that every model accepts.
    async fn conversation(&self) -> Result<Vec<Entry>, AgentError> {
        let rows = self.story().await?.rows.into_iter();
        let rows: Vec<Entry> = rows.map(|row| row.entry).collect();
        Ok(conversation::for_model(&rows))
    }
}

/// A conversation that begins with this turn.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPast;

#[async_trait]
impl Past for NoPast {
    async fn story(&self) -> Result<Story, AgentError> {
        Ok(Story::default())
    }
}
