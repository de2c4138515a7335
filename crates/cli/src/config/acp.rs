//! What the keys mean that only an agent of the Agent Client Protocol has: where it works, how many of them
//! there may be, and how long one may rest. Its command, its variables and its silence are read with those
//! of other commands (`command`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use angelia_core::length;
use angelia_core::time::Span;

use super::command::Exec;
use super::keys::{self, POOL_MAX};
use super::resolve::Layers;
use super::secret::Source;

/// The shortest and the longest rest that can be chosen.
const IDLE_MIN: Span = Span::minutes(1);
const IDLE_MAX: Span = Span::days(7);

/// An agent that speaks the Agent Client Protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Acp {
    /// A program and its words.
    pub(crate) command: Vec<String>,
    /// How long it may say nothing.
    pub(crate) silence: Span,
    /// Variables for it alone, and where their values are.
    pub(crate) variables: BTreeMap<String, Source>,
    /// What only agents of this kind have.
    pub(crate) room: Room,
}

/// What only agents of this kind have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Room {
    /// Where it works; in the workspace of the home if nothing is said.
    pub(crate) workdir: Option<PathBuf>,
    /// By which of its ways to sign in.
    pub(crate) sign_in: Option<String>,
    /// How many may run at once.
    pub(crate) pool: usize,
    /// How long one may rest.
    pub(crate) idle: Span,
}

impl Acp {
    /// The agent that this command is.
    pub(super) fn of(exec: Exec, room: Room) -> Self {
        Self {
            command: exec.command,
            silence: exec.silence,
            variables: exec.variables,
            room,
        }
    }
}

impl Layers<'_> {
    /// What only agents of this kind have. What is wrong is noted.
    pub(super) fn room(&mut self) -> Option<Room> {
        let workdir = self.written(&keys::AGENT_WORKDIR, folder);
        let sign_in = self.written(&keys::SIGN_IN, way);
        let pool = self.pick(&keys::POOL, pool);
        let idle = self.pick(&keys::IDLE_TIMEOUT, idle);
        Some(Room {
            workdir,
            sign_in,
            pool: pool?,
            idle: idle?,
        })
    }
}

fn folder(text: &str) -> Result<PathBuf, String> {
    match text.trim() {
        "" => Err("must not be empty".to_owned()),
        path => Ok(PathBuf::from(path)),
    }
}

fn way(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("must not be empty".to_owned()),
        way => Ok(way.to_owned()),
    }
}

fn pool(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=POOL_MAX).contains(number));
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| format!("must be a number from 1 to {POOL_MAX}; found {text}"))
}

fn idle(text: &str) -> Result<Span, String> {
    let length = length::read(text).filter(|length| (IDLE_MIN..=IDLE_MAX).contains(length));
    length.ok_or_else(|| {
        format!("must be a length of time from \"1m\" to \"7d\" such as \"30m\"; found \"{text}\"")
    })
}

#[cfg(test)]
#[path = "acp_tests.rs"]
mod tests;
