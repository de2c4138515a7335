//! What a background process is: the words, the place, how one talks to it, and its limits.
//!
//! A spec is written to disk before anything runs, where a holder reads it. The variables are not
//! part of it, because files stay: they travel to the holder through a pipe.

use std::path::{Path, PathBuf};

use angelia_core::limits;
use angelia_core::time::Span;
use serde::{Deserialize, Serialize};

use crate::scope::Scope;
use crate::target::{Target, words};

/// What is kept of an output unless something else is said.
pub const LOG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What is kept of errors that stand apart: enough to see why something went wrong.
pub const ERRORS_BYTES_MAX: u64 = 64 * 1024;

/// A background process to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// The words, as `/bin/sh` reads them.
    pub command: String,
    /// Where it runs; in the directory of whoever starts it if nothing is said.
    pub workdir: Option<PathBuf>,
    /// In which place it runs. There `workdir` is meant, and the surface has to be pipes.
    #[serde(default, skip_serializing_if = "Target::is_local")]
    pub target: Target,
    /// What it belongs to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    /// How one talks to it.
    pub surface: Surface,
    /// Where its errors go.
    #[serde(default, skip_serializing_if = "Errors::are_with_output")]
    pub errors: Errors,
    /// How much of its output is kept: the beginning and the end.
    pub log_bytes_max: u64,
    /// What becomes of those whom it leaves behind.
    pub leftovers: Leftovers,
    /// How long those who were asked to end may tidy up.
    pub grace: Span,
    /// How far it steps back behind whoever starts it when both want the processor: nicer by this much.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nice: u8,
}

impl Spec {
    /// The command `text` with pipes, an open input and the usual limits.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            command: text.into(),
            workdir: None,
            target: Target::Local,
            scopes: Vec::new(),
            surface: Surface::Pipes(Input::Open),
            errors: Errors::WithOutput,
            log_bytes_max: LOG_BYTES_MAX,
            leftovers: Leftovers::Ended,
            grace: limits::KILL_GRACE,
            nice: 0,
        }
    }
}

impl Spec {
    /// A program and its words, each as it is, that reads the file `input`.
    pub fn reading(words: &[String], input: &Path) -> Self {
        let line = words::line(words.iter().map(String::as_str));
        let input = words::quoted(&input.to_string_lossy());
        Self::new(format!("exec {line} <{input}"))
    }
}

fn is_zero(nice: &u8) -> bool {
    *nice == 0
}

/// How one talks to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// One pipe for output and errors, and perhaps one for input.
    Pipes(Input),
    /// A terminal of this size.
    Terminal(Size),
}

/// Whether there is an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// It can be written to until it is closed. Who reads it waits for somebody to write.
    Open,
    /// It can be written to, and ends by itself if nobody does within a while. Who writes in time keeps
    /// it open.
    Patient,
    /// It ends at once.
    Closed,
}

/// Where what a command writes to its errors goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Errors {
    /// Into the output, in the order in which both were written.
    #[default]
    WithOutput,
    /// Into a log of their own, for programs whose output is read by others. On a terminal, and on the way
    /// to another place, there is no such thing.
    Apart,
}

impl Errors {
    fn are_with_output(&self) -> bool {
        *self == Self::WithOutput
    }
}

/// The size of a terminal in letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Lines.
    pub rows: u16,
    /// Letters of a line.
    pub columns: u16,
}

/// As wide as most programs like their lines.
impl Default for Size {
    fn default() -> Self {
        Self {
            rows: 30,
            columns: 120,
        }
    }
}

/// What becomes of those who are still there when the command itself has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leftovers {
    /// They are taken down before the end is told.
    Ended,
    /// The end is told, they live on, and the holder stays with them: they can still be killed.
    Kept,
}
