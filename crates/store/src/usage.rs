//! What conversations have used.
//!
//! How numbers add up is decided in `core::transcript::usage`.

use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use angelia_core::transcript::usage::{Line, Usage};
use async_trait::async_trait;

use crate::{Change, StoreError};

/// How a number is to be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counting {
    /// One more call of the conversation.
    More,
    /// All calls of the conversation until now.
    Total,
    /// One call beside the conversation, for this task.
    Aside(String),
}

/// Something that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The conversation.
    pub session: SessionId,
    /// How much.
    pub used: Usage,
    /// How it counts.
    pub counting: Counting,
    /// What recognises the call. The call that its line counted last is not counted again.
    pub call: Option<String>,
}

/// What was used by one model for one purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageLine {
    /// By whom, and for what.
    pub line: Line,
    /// How much.
    pub used: Usage,
    /// When it was used first.
    pub first_at: Timestamp,
    /// When it was used last.
    pub last_at: Timestamp,
}

/// What a conversation has used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Used {
    /// In all.
    pub total: Usage,
    /// By model and purpose, in the order of their names.
    pub lines: Vec<UsageLine>,
}

/// Whether a call was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// It is counted now.
    Now,
    /// It was counted before.
    Before,
}

/// The accounts.
#[async_trait]
pub trait Usages: Send + Sync {
    /// Counts what was used.
    async fn account(&self, account: Account) -> Result<Change<Counted>, StoreError>;

    /// What the conversation has used. Nothing if there is no such conversation.
    async fn usage(&self, session: SessionId) -> Result<Option<Used>, StoreError>;
}
