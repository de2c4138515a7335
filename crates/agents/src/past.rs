//! What was before this turn, for agents that want to know: what was said, here and in earlier conversations that
//! this place may reach, and the list of tasks that the conversation keeps.
//!
//! Reading costs time and memory, and an agent that keeps its own history (or none) needs it not, so it
//! is asked for and not handed over.

use std::fmt;

use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use angelia_core::todo::Task;
use angelia_core::transcript::conversation;
use angelia_core::transcript::entry::Entry;
use async_trait::async_trait;

use crate::AgentError;
use crate::events::Ended;

/// What somebody looks for in what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find {
    /// The words.
    pub words: String,
    /// What comes first.
    pub sort: Sort,
    /// How many finds at most.
    pub limit: usize,
}

/// Which find comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// The one that fits best.
    Relevance,
    /// The last that was said.
    Newest,
    /// The first.
    Oldest,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The conversation.
    pub session: SessionId,
    /// Who spoke.
    pub role: String,
    /// When.
    pub at: Timestamp,
    /// The words around what was looked for.
    pub snippet: String,
    /// What was said before and after it, and by whom.
    pub beside: Vec<(String, String)>,
}

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
    /// How large the prompt of the last answer was, where somebody told.
    pub counted: Option<Counted>,
}

/// What a server said about the size of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How many tokens it had.
    pub tokens: u64,
    /// The number of the first row that was not in it: the answer to it.
    pub until: u64,
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

    /// What was said with these words, in conversations that the place of this turn may reach and in no others.
    async fn search(&self, find: Find) -> Result<Vec<Found>, AgentError>;

    /// The conversation's list of tasks as it stands.
    async fn tasks(&self) -> Result<Vec<Task>, AgentError>;

    /// Keeps the list from now on, also in later turns.
    async fn keep_tasks(&self, tasks: Vec<Task>) -> Result<(), Ended>;
}

/// A conversation that begins with this turn.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPast;

#[async_trait]
impl Past for NoPast {
    async fn story(&self) -> Result<Story, AgentError> {
        Ok(Story::default())
    }

    async fn search(&self, _find: Find) -> Result<Vec<Found>, AgentError> {
        Ok(Vec::new())
    }

    async fn tasks(&self) -> Result<Vec<Task>, AgentError> {
        Ok(Vec::new())
    }

    /// Where nothing is kept, the list lasts as long as the agent remembers it.
    async fn keep_tasks(&self, _tasks: Vec<Task>) -> Result<(), Ended> {
        Ok(())
    }
}
