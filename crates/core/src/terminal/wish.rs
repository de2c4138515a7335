//! The arguments of a call, and the refusals that need nothing but them.

use serde_json::{Value, json};

use super::foreground::Unending;
use crate::limits;

/// Why a call is refused before anything runs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The command is no text, but this.
    #[error(
        "the command must be text, and this is {0}; pass it as one string, as a shell would read it"
    )]
    NotText(&'static str),
    /// So many seconds are longer than anybody waits.
    #[error(
        "a command can be waited for at most {max}s, and {0}s were asked for; start it with background=true and \
         notify_on_complete=true, and its end is told",
        max = limits::FOREGROUND_SECONDS_MAX
    )]
    TooLong(u64),
    /// It would not end, or leave something running.
    #[error("{0}")]
    Unending(Unending),
    /// The name of the folder has a sign that no folder needs.
    #[error(
        "the workdir may not contain {0:?}; name the folder in plain letters, without signs of the shell"
    )]
    Workdir(char),
}

impl Refusal {
    /// The answer of the tool.
    #[must_use]
    pub fn answer(&self) -> Value {
        let error = self.to_string();
        match self {
            Self::TooLong(_) => json!({ "error": error }),
            Self::NotText(_) | Self::Unending(_) => {
                json!({ "output": "", "exit_code": -1, "error": error, "status": "error" })
            }
            Self::Workdir(_) => {
                json!({ "output": "", "exit_code": -1, "error": error, "status": "blocked" })
            }
        }
    }
}

/// The command of a call.
///
/// # Errors
/// It is no text.
pub fn command(argument: &Value) -> Result<&str, Refusal> {
    match argument {
        Value::String(text) => Ok(text),
        Value::Null => Err(Refusal::NotText("nothing")),
        Value::Bool(_) => Err(Refusal::NotText("a yes or no")),
        Value::Number(_) => Err(Refusal::NotText("a number")),
        Value::Array(_) => Err(Refusal::NotText("a list")),
        Value::Object(_) => Err(Refusal::NotText("an object")),
    }
}

/// How long a command is waited for, in seconds: as long as was asked for, or as is usual.
///
/// # Errors
/// Longer than anybody waits: it is refused and not shortened, or the work would be cut off.
pub fn patience(asked: Option<u64>, usual: u64) -> Result<u64, Refusal> {
    match asked.unwrap_or(usual).max(1) {
        seconds if seconds > limits::FOREGROUND_SECONDS_MAX => Err(Refusal::TooLong(seconds)),
        seconds => Ok(seconds),
    }
}

/// Whether a command gets pipes although a terminal was asked for: it reads a token to the end of its
/// input, and a terminal has none.
#[must_use]
pub fn needs_pipes(command: &str) -> bool {
    let command = command.to_lowercase();
    let mut words = command.split_whitespace();
    let is_login = ["gh", "auth", "login"]
        .iter()
        .all(|word| words.next() == Some(word));
    is_login && words.any(|word| word == "--with-token")
}

/// Which patterns are watched for, and whether some are not although they were asked for: of a process
/// whose end is told, nothing else is, or the same news come twice.
#[must_use]
pub fn watched(patterns: Option<Vec<String>>, ends: Ends) -> (Option<Vec<String>>, Patterns) {
    match (patterns, ends) {
        (Some(asked), Ends::Told) if !asked.is_empty() => (None, Patterns::Ignored),
        (asked, Ends::Told | Ends::Untold) => (asked, Patterns::AsAsked),
    }
}

/// Whether the end of a background process is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// It is.
    Told,
    /// It is not, or there is no such process.
    Untold,
}

/// What becomes of patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patterns {
    /// They are watched for, if there are any.
    AsAsked,
    /// They are not, and that is said.
    Ignored,
}
