//! Which of several agents answers a turn.
//!
//! ```text
//! message ──door: routes──▶ led to an agent ─┐
//!                                            ├─ claim: of_turn ─▶ the turn's agent, kept to its end
//! conversation ──/agent──▶ chose an agent  ──┘
//! ```
//!
//! There is always one agent, the main one; others have names. A message is led to an agent when it comes
//! in, and the turn's agent is written down when the turn is opened: a turn that is run again stays with
//! the agent that began it, whatever the settings say by then.
//!
//! A name is not a profile. Profiles divide conversations; agents answer in them. Whoever shares a
//! conversation shares its history, whichever agent answers: agents whose histories shall not meet need
//! profiles of their own (see `routes`).
//!
//! Whether an agent of that name is there is not known here.

pub mod models;
pub mod routes;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::name::{LENGTH_MAX, is_well_formed};

/// The name of the agent that answers where no other does.
const MAIN: &str = "main";

/// Names that mean something else where agents are named: whoever answers, and no choice at all.
const RESERVED: [&str; 4] = ["angelia", "clear", "default", "none"];

/// The checked name of an agent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AgentName(String);

/// A text that cannot name an agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    /// It has characters that are not allowed, or too many, or none.
    #[error(
        "`{0}` cannot name an agent: use 1 to {LENGTH_MAX} of a-z, 0-9, `_` and `-`, beginning with a \
         letter or digit"
    )]
    Shape(String),
    /// It means something else already.
    #[error("`{0}` cannot name an agent, because it is reserved: choose another name")]
    Reserved(String),
}

impl AgentName {
    /// The agent that answers where no other does.
    pub fn main() -> Self {
        Self(MAIN.to_owned())
    }

    /// Whether this is the main one.
    pub fn is_main(&self) -> bool {
        self.0 == MAIN
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for AgentName {
    fn default() -> Self {
        Self::main()
    }
}

impl FromStr for AgentName {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let name = text.trim().to_lowercase();
        if !is_well_formed(&name) {
            return Err(BadName::Shape(name.chars().take(LENGTH_MAX).collect()));
        }
        if RESERVED.contains(&name.as_str()) {
            return Err(BadName::Reserved(name));
        }
        Ok(Self(name))
    }
}

impl TryFrom<String> for AgentName {
    type Error = BadName;

    fn try_from(text: String) -> Result<Self, BadName> {
        text.parse()
    }
}

impl From<AgentName> for String {
    fn from(name: AgentName) -> Self {
        name.0
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// How a message came to an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Led {
    /// Whoever sent it asked for this one by name.
    Asked(AgentName),
    /// The settings lead it there.
    Routed(AgentName),
}

/// The agent of a turn: whom its message asked for, else whom the conversation chose, else where the
/// settings led the message, else the main one.
pub fn of_turn(led: Option<&Led>, chosen: Option<AgentName>) -> AgentName {
    match (led, chosen) {
        (Some(Led::Asked(name)), _) => name.clone(),
        (_, Some(chosen)) => chosen,
        (Some(Led::Routed(name)), None) => name.clone(),
        (None, None) => AgentName::main(),
    }
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
