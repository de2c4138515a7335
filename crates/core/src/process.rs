//! The life of a background process: how one talks to it, where it stands, how it ended.
//!
//! ```text
//! Starting → Running → Ended(by itself | by a signal | killed | failed | lost)
//! ```
//!
//! An end is the truth as the kernel told it, or the plain statement that nobody knows. `Caller` is who
//! started it: what is told about the process later is told there, and to nobody else.
//!
//! Nothing here starts or ends anything; `watch` decides what is told about a process, `notice` has the
//! words, `retention` says how long it is kept; `errand` is what one node wants of a process that another holds.

pub mod errand;
pub mod notice;
pub mod retention;
pub mod watch;

use std::fmt;
use std::str::FromStr;

use crate::about::About;
use crate::address::{Address, Person};
use crate::session::key::SessionKey;
use crate::time::Span;

/// How one talks to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Through pipes.
    Pipe,
    /// Through a terminal.
    Pty,
}

impl Mode {
    /// The name used in rows and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pipe => "pipe",
            Self::Pty => "pty",
        }
    }
}

/// A name that stands for nothing here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no word for a process")]
pub struct UnknownWord(String);

impl UnknownWord {
    fn of(text: &str) -> Self {
        Self(text.chars().take(64).collect())
    }
}

impl FromStr for Mode {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text {
            "pipe" => Ok(Self::Pipe),
            "pty" => Ok(Self::Pty),
            other => Err(UnknownWord::of(other)),
        }
    }
}

/// Whether the end of a process is told where it was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// It is.
    Wanted,
    /// It is not.
    Unwanted,
}

/// What is told about a process while it runs and when it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// Whether its end is told, whatever else is.
    pub notice: Notice,
    /// How often to look whether it said something new; never, if nothing is said.
    pub every: Option<Span>,
    /// Words that are told when it says them.
    pub patterns: Vec<String>,
}

impl Watch {
    /// Nothing but the end, if that.
    pub const fn the_end(notice: Notice) -> Self {
        Self {
            notice,
            every: None,
            patterns: Vec::new(),
        }
    }
}

/// Where a process stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is about to be started.
    Starting,
    /// It runs.
    Running,
    /// It is over.
    Ended(End),
}

/// How a process came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Nobody here had asked for it.
    Itself(How),
    /// It had been asked to end, and ended like this.
    Killed(How),
    /// It could not be started, for this reason.
    Failed(String),
    /// Its holder died first: how it ended, or whether, nobody knows.
    Lost,
}

/// What the kernel tells of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// With this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
}

impl State {
    /// The name used in rows and the HTTP interface.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Ended(end) => end.name(),
        }
    }
}

impl End {
    /// The name used in rows and the HTTP interface.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Itself(How::Exited(_)) => "exited",
            Self::Itself(How::Signalled(_)) => "signalled",
            Self::Killed(_) => "killed",
            Self::Failed(_) => "failed",
            Self::Lost => "lost",
        }
    }

    /// What the kernel told, if it told anything.
    pub const fn how(&self) -> Option<How> {
        match self {
            Self::Itself(how) | Self::Killed(how) => Some(*how),
            Self::Failed(_) | Self::Lost => None,
        }
    }
}

impl How {
    /// The code, unless a signal ended it.
    pub const fn code(self) -> Option<i32> {
        match self {
            Self::Exited(code) => Some(code),
            Self::Signalled(_) => None,
        }
    }

    /// The signal that ended it.
    pub const fn signal(self) -> Option<i32> {
        match self {
            Self::Exited(_) => None,
            Self::Signalled(signal) => Some(signal),
        }
    }
}

impl fmt::Display for How {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(out, "exited with code {code}"),
            Self::Signalled(signal) => write!(out, "was ended by signal {signal}"),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Itself(how) => how.fmt(out),
            Self::Killed(how) => write!(out, "was killed: it {how}"),
            Self::Failed(why) => write!(out, "could not be started: {why}"),
            Self::Lost => out.write_str("is lost: its holder died, and how it ended nobody knows"),
        }
    }
}

/// Who started a process, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The place.
    pub address: Address,
    /// Whose turn it was.
    pub person: Person,
    /// What else was known about them; some of it has a part in finding the conversation.
    pub about: About,
    /// The key of the conversation.
    pub key: SessionKey,
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
