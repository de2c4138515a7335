//! What to run: the words, the place, the time and the surroundings.

use std::path::PathBuf;

use angelia_core::limits;
use angelia_core::time::Span;

use crate::environment::Environment;
use crate::target::Target;

/// A command for the shell.
#[derive(Debug, Clone)]
pub struct Command {
    /// The words, as `/bin/sh` reads them.
    pub text: String,
    /// Where it runs; in the gateway's own directory if nothing is said.
    pub workdir: Option<PathBuf>,
    /// In which place it runs. There `workdir` is meant.
    pub target: Target,
    /// How long it may take.
    pub time: Span,
    /// All variables that it sees.
    pub environment: Environment,
}

impl Command {
    /// The command `text` in the gateway's directory, with the usual time and environment.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            workdir: None,
            target: Target::Local,
            time: limits::TOOL_TIME,
            environment: Environment::inherited(),
        }
    }
}
