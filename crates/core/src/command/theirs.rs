//! Commands that an agent has itself, as far as it has told of them.
//!
//! An agent with a history of its own often has commands for it, which no words can stand for. What it tells of them is
//! remembered with its conversation, bounded, and it is a memory of no weight: lost, a name is a slip again until the
//! agent tells anew. A command of the house goes before one of the same name.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{call, find};
use crate::agent::AgentName;
use crate::limits;

/// Which of them makes a conversation shorter, the best first.
const SHORTENING: [&str; 2] = ["compact", "compress"];

/// The commands of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theirs {
    /// Whose they are.
    pub of: AgentName,
    /// Their names in lower case, without a slash.
    pub names: BTreeSet<String>,
}

impl Theirs {
    /// What the agent has told. Names that nobody could write as a command, and more than anybody has, are left out.
    pub fn told<'n>(of: AgentName, names: impl IntoIterator<Item = &'n str>) -> Self {
        let plain = names.into_iter().filter_map(plain);
        Self {
            of,
            names: plain.take(limits::AGENT_COMMANDS_MAX).collect(),
        }
    }

    /// Whether it has a command of that name.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Its command that makes a conversation shorter, if it has one.
    pub fn shortening(&self) -> Option<&'static str> {
        SHORTENING.into_iter().find(|name| self.has(name))
    }

    /// The line about them below the commands of the house; nothing if there is none to be reached.
    pub fn in_help(&self) -> Option<String> {
        let reached = self.names.iter().filter(|name| find(name).is_none());
        let mut told: Vec<String> = reached.map(|name| format!("/{name}")).collect();
        let more = told.len().saturating_sub(limits::AGENT_COMMANDS_TOLD);
        told.truncate(limits::AGENT_COMMANDS_TOLD);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!told.is_empty()).then(|| format!("The agent itself knows {}{more}.", told.join(", ")))
    }
}

/// The name, if a message can call it.
fn plain(name: &str) -> Option<String> {
    let is_short = name.chars().count() <= limits::AGENT_COMMAND_CHARS;
    let text = format!("/{name}");
    let called = call(&text).filter(|called| is_short && called.name == name.to_lowercase());
    called.map(|called| called.name)
}

#[cfg(test)]
#[path = "theirs_tests.rs"]
mod tests;
