//! What can be done with a background process, and what comes of it, as values.
//!
//! An agent names a process by the text it was given. A text that names no process of the conversation
//! is `NotFound`, whoever else may have such a process. Words of a process are clean and masked by the
//! time they stand here, so nothing that shows them has to remember to.

use angelia_core::id::ProcessId;
use angelia_core::process::{Mode, State, Watch};
use angelia_core::time::{Span, Timestamp};
use angelia_process::text::Page;

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Tell which processes there are.
    List,
    /// Tell how one stands.
    Poll(String),
    /// Tell what it said.
    Log(String, Part),
    /// Wait for its end, at most so long. A message that arrives meanwhile ends the waiting.
    Wait(String, Span),
    /// End it, and everybody it started.
    Kill(String),
    /// Write to its input.
    Tell(String, Words),
    /// Let its input end.
    Close(String),
}

/// Which part of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Lines, as `text::page` counts them.
    Lines {
        /// From which line; zero is the end of the output.
        offset: i64,
        /// How many.
        limit: i64,
    },
    /// What was said from this byte on, as much as a page holds.
    After(u64),
}

/// What is written to an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// As it is.
    Raw(String),
    /// As somebody enters it: with the key that ends a line.
    Line(String),
}

impl Words {
    /// The bytes. A terminal hears the key that people press; a pipe hears a line's end.
    pub fn bytes(&self, mode: Mode) -> Vec<u8> {
        match (self, mode) {
            (Self::Raw(text), _) => text.clone().into_bytes(),
            (Self::Line(text), Mode::Pty) => format!("{text}\r").into_bytes(),
            (Self::Line(text), Mode::Pipe) => format!("{text}\n").into_bytes(),
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acted {
    /// There is no such process in this conversation.
    NotFound,
    /// The processes: those that run first, the newest of each kind first.
    Listed(Vec<Looked>),
    /// How one stands.
    Looked(Looked),
    /// Lines of its output.
    Lines(Looked, Page),
    /// Its output from a place on.
    Piece(Looked, Piece),
    /// The waiting is over.
    Waited(Looked, Waited),
    /// Somebody asked for its end.
    Killed(Looked, Killed),
    /// So many bytes were written.
    Told(usize),
    /// Its input has ended.
    Closed(Mode),
    /// It has ended, so there is nobody to be told anything.
    Over(Looked),
    /// It could not be done, and why.
    Failed(String),
}

/// Some of an output, by place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The words.
    pub text: String,
    /// The place of the first byte.
    pub from: u64,
    /// The place to ask for next.
    pub next: u64,
    /// How many bytes before it were not kept.
    pub cut: u64,
}

/// How a waiting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// With the end of the process.
    Ended,
    /// With a message.
    Interrupted,
    /// With the time.
    TimedOut,
}

/// What became of a process that was to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Killed {
    /// It ended.
    Now,
    /// It had ended before.
    Before,
    /// It was told to, and still runs.
    StillRuns,
}

/// A process, as an agent may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// Its id.
    pub id: ProcessId,
    /// What it runs.
    pub command: String,
    /// Where, if that was said.
    pub workdir: Option<String>,
    /// How one talks to it.
    pub mode: Mode,
    /// Its number on this machine, also when it has ended.
    pub pid: Option<i32>,
    /// When it was started.
    pub started_at: Timestamp,
    /// How long it has run, or ran.
    pub age: Span,
    /// Where it stands.
    pub state: State,
    /// What is told about it in the conversation.
    pub watch: Watch,
    /// The end of what it said.
    pub output: String,
    /// How many bytes it said.
    pub output_bytes: u64,
}
