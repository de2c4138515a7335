//! What one node does with a process that another holds.
//!
//! Whoever wants something writes it down; the node of the process takes it, does it and writes the answer; whoever
//! asked takes the answer, and the row is gone. Bytes for an input are in the row only until they are taken.

use angelia_core::id::{ErrandId, NodeId, ProcessId};
use angelia_core::process::errand::{Errand, Outcome};
use angelia_core::time::Span;
use async_trait::async_trait;

use crate::StoreError;

/// Something that is wanted of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewErrand {
    /// Its id.
    pub id: ErrandId,
    /// The process.
    pub process: ProcessId,
    /// What.
    pub errand: Errand,
    /// Bytes for its input.
    pub input: Vec<u8>,
}

/// Whether it was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "what was refused will not be done"]
pub enum Asked {
    /// It was.
    Now,
    /// There is no such process.
    Unknown,
    /// Too much is wanted of it already.
    Full,
}

/// Whether an answer came.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "an answer is there once"]
pub enum Answer {
    /// It did, and the row is gone.
    Here(Outcome),
    /// Nobody has begun it.
    Waiting,
    /// Somebody is at it.
    Begun,
    /// There is no such row.
    Gone,
}

/// Errands.
#[async_trait]
pub trait Errands: Send + Sync {
    /// Writes down what is wanted. The same again is the same.
    async fn ask_errand(&self, new: NewErrand) -> Result<Asked, StoreError>;

    /// Takes what is wanted of processes of this home, the oldest first: it is begun then, by this boot. What an
    /// earlier boot of the home had begun is answered with `Unknown`.
    async fn take_errands(
        &self,
        home: &str,
        node: NodeId,
        limit: usize,
    ) -> Result<Vec<NewErrand>, StoreError>;

    /// Writes the answer.
    async fn answer_errand(&self, id: ErrandId, outcome: Outcome) -> Result<(), StoreError>;

    /// Takes the answer.
    async fn errand_answer(&self, id: ErrandId) -> Result<Answer, StoreError>;

    /// Takes back what nobody has begun; it will not be done then. Returns whether it was so.
    async fn withdraw_errand(&self, id: ErrandId) -> Result<bool, StoreError>;

    /// Removes what is older than this, answered or not: whoever asked is gone.
    async fn sweep_errands(&self, kept: Span) -> Result<usize, StoreError>;
}
