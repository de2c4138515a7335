//! Commands that go on when their turn has ended, for agents that start them.
//!
//! The gateway hands an agent something to start them with; what is remembered about a process, who may
//! have how many, and who is told of its end is decided there. Starting is keyed: the same call of the
//! same turn starts one process, however often it is made.

use std::fmt;
use std::path::PathBuf;

use angelia_core::id::ProcessId;
use angelia_core::process::{Mode, Watch};
use angelia_process::environment::Environment;
use async_trait::async_trait;

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
    /// What is told about it in the conversation.
    pub watch: Watch,
}

/// Why there is no process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotStarted {
    /// It cannot be started; the words say why and what to do.
    #[error("{0}")]
    Refused(String),
    /// The turn is no longer this node's: nobody listens any more.
    #[error("the turn has ended")]
    Ended,
}

/// What starts commands in the background, for one turn.
#[async_trait]
pub trait Background: fmt::Debug + Send + Sync {
    /// Starts a command, or finds the one that this call started before.
    async fn start(&self, wish: Wish) -> Result<ProcessId, NotStarted>;
}

/// A place where nothing can be started.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBackground;

#[async_trait]
impl Background for NoBackground {
    async fn start(&self, _wish: Wish) -> Result<ProcessId, NotStarted> {
        let why = "background processes cannot be started here; run the command to its end";
        Err(NotStarted::Refused(why.to_owned()))
    }
}
