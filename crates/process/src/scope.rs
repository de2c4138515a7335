//! What a background process belongs to, for programs that end whole groups of them at once.
//!
//! A process may belong to several: it is a task's, and the task is a conversation's. The names are the
//! caller's own. Angelia's gateway has rows for this and needs none; a program that uses this crate by
//! itself writes them into the `Spec` and ends a scope with `held::end_scope`.

use serde::{Deserialize, Serialize};

/// Something that processes are started for, and end with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// A conversation.
    Conversation(String),
    /// One task of an agent.
    Task(String),
    /// One run of a training or an evaluation.
    Episode(String),
}
