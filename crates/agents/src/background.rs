//! Commands that go on when their turn has ended, for agents that start them and deal with them.
//!
//! The gateway hands an agent something to start them with; what is remembered about a process, who may
//! have how many, and who is told of its end is decided there. Starting is keyed: the same call of the
//! same turn starts one process, however often it is made.
//!
//! `act` is what can be done with a process that was started. It reaches the processes of the turn's own
//! conversation and no others.

pub mod act;

use std::fmt;
use std::path::PathBuf;

use angelia_core::id::ProcessId;
use angelia_core::process::{Mode, Watch};
use angelia_process::environment::Environment;
use angelia_process::spec::Input;
use async_trait::async_trait;

use crate::background::act::{Act, Acted};
use crate::events::Ended;

/// A command to start.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The call within the turn.
    pub call: String,
    /// The words, as the shell reads them.
    pub command: String,
    /// Where it runs; in the gateway's own directory if nothing is said.
    pub workdir: Option<PathBuf>,
    /// All variables that it sees.
    pub environment: Environment,
    /// How one talks to it.
    pub mode: Mode,
    /// What becomes of its input, unless it has a terminal.
    pub input: Input,
    /// What is told about it in the conversation.
    pub watch: Watch,
}

/// A process that was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// The process.
    pub id: ProcessId,
    /// Its number on this machine, if it has one.
    pub pid: Option<i32>,
}

/// Why there is no process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotStarted {
    /// It may not be started; the words say why and what to do.
    #[error("{0}")]
    Refused(String),
    /// It was tried, and did not start. What stands under the id says the same.
    #[error("{why}")]
    Failed {
        /// The process that never was.
        id: ProcessId,
        /// Why, and what to do.
        why: String,
    },
    /// The turn is no longer this node's: nobody listens any more.
    #[error("the turn has ended")]
    Ended,
}

/// What starts commands in the background, for one turn, and deals with those that were started.
#[async_trait]
pub trait Background: fmt::Debug + Send + Sync {
    /// Starts a command, or finds the one that this call started before.
    async fn start(&self, wish: Wish) -> Result<Started, NotStarted>;

    /// Does something with a process of this conversation.
    async fn act(&self, act: Act) -> Result<Acted, Ended>;
}

/// A place where nothing can be started.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBackground;

#[async_trait]
impl Background for NoBackground {
    async fn start(&self, _wish: Wish) -> Result<Started, NotStarted> {
        let why = "background processes cannot be started here; run the command to its end";
        Err(NotStarted::Refused(why.to_owned()))
    }

    /// Where nothing was started there is nothing to be found.
    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        Ok(match act {
            Act::List => Acted::Listed(Vec::new()),
            Act::Poll(_)
            | Act::Log(..)
            | Act::Wait(..)
            | Act::Kill(_)
            | Act::Tell(..)
            | Act::Close(_) => Acted::NotFound,
        })
    }
}
