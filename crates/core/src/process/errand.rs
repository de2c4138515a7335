//! What one node does with a process that another holds: asked for and answered by rows.
//!
//! ```text
//! asked → begun → done
//! ```
//!
//! It is begun once. If the node that began it dies on the way, nobody knows whether it was done, and that is the answer.

use serde::{Deserialize, Serialize};

/// How an output is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Without escapes.
    #[default]
    Plain,
    /// As it was said, for something that is a terminal.
    Terminal,
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "value")]
pub enum Errand {
    /// Bytes for its input, which stand beside this.
    Write,
    /// The end of its input.
    CloseInput,
    /// Another size of its terminal.
    Resize {
        /// How many rows.
        rows: u16,
        /// How many columns.
        columns: u16,
    },
    /// A page of what it said.
    Read {
        /// Where the page begins.
        from: Beginning,
        /// How it is shown.
        form: Form,
    },
}

/// Where a page of output begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beginning {
    /// At this byte.
    At(u64),
    /// So many bytes before the end.
    BeforeEnd(u64),
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "value")]
pub enum Outcome {
    /// It was done.
    Done,
    /// What it said.
    Said(Said),
    /// The process has ended, or its holder says no.
    Refused(String),
    /// It cannot be talked to.
    Silent(String),
    /// Nobody knows.
    Unknown,
}

/// A page of what a process said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The place of its first byte.
    pub from: u64,
    /// The place to ask for next.
    pub next: u64,
    /// How many bytes before it were left out.
    pub cut: u64,
    /// The words.
    pub text: String,
    /// How many bytes it said until now.
    pub bytes: u64,
}
