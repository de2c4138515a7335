//! What an agent asks permission for, as a question of ours, and our answer in its words.
//!
//! An agent offers options of its own; they are picked by their kind, never by their place or name. The least
//! is taken that does what was agreed to: whoever agreed for longer is not asked again by us, so the agent
//! need not remember it. Where nothing fits, the answer is no.
//!
//! Whether somebody is asked is decided by the toolbox, by the rules that hold for our own commands.

use angelia_core::approval::Grant;
use serde_json::{Value, json};

use super::host::Served;
use super::peer::{Failure, NO_METHOD};
use super::update::{self, Call};
use crate::consent::Answer;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// The call that waits for it.
    pub(super) call: Call,
    options: Vec<Choice>,
}

/// One of the answers that can be given.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choice {
    id: String,
    kind: String,
}

/// Reads what is asked for; nothing if it is not said what for.
pub(super) fn read(params: &Value) -> Option<Asked> {
    let options = params["options"].as_array().into_iter().flatten();
    let options = options.filter_map(|option| {
        Some(Choice {
            id: option["optionId"].as_str()?.to_owned(),
            kind: option["kind"].as_str()?.to_owned(),
        })
    });
    Some(Asked {
        call: update::call(&params["toolCall"])?,
        options: options.collect(),
    })
}

impl Asked {
    /// The command that would run, if that is what is asked for.
    pub(super) fn command(&self) -> Option<String> {
        let input = self.call.input.as_ref()?;
        match &input["command"] {
            Value::String(command) => Some(command.clone()),
            Value::Array(words) => {
                let words = words.iter().filter_map(Value::as_str);
                Some(words.map(quoted).collect::<Vec<_>>().join(" "))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        }
    }

    /// The deed in words, for whoever is asked.
    pub(super) fn words(&self) -> String {
        let title = self.call.title.clone().unwrap_or_else(|| self.call.tool());
        if let Some(command) = self.command() {
            return command;
        }
        match &self.call.input {
            Some(Value::Object(input)) if !input.is_empty() => {
                format!("{title}\n{}", Value::Object(input.clone()))
            }
            Some(_) | None => title,
        }
    }

    /// Our answer, as the agent wants it.
    pub(super) fn outcome(&self, answer: &Answer) -> Value {
        let wanted: &[&str] = match answer {
            Answer::Granted(Grant::Once) => &["allow_once"],
            Answer::Granted(Grant::Conversation | Grant::Always) => &["allow_once", "allow_always"],
            Answer::Refused(_) => &["reject_once", "reject_always"],
        };
        let mut fitting = wanted.iter().filter_map(|kind| self.option(kind));
        match fitting.next() {
            Some(id) => json!({ "outcome": { "outcome": "selected", "optionId": id } }),
            None => cancelled(),
        }
    }

    fn option(&self, kind: &str) -> Option<&str> {
        let option = self.options.iter().find(|option| option.kind == kind)?;
        Some(&option.id)
    }
}

/// The answer to a question that nobody will answer any more.
pub(super) fn cancelled() -> Value {
    json!({ "outcome": { "outcome": "cancelled" } })
}

/// The answer to a request that nobody serves.
pub(super) fn unserved(method: &str) -> Served {
    match method {
        "session/request_permission" => Ok(cancelled()),
        _ => {
            let why = format!("`{method}` is not served here");
            Err(Failure::new(NO_METHOD, why))
        }
    }
}

/// A word as a shell reads it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,@%+".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
#[path = "permission_tests.rs"]
mod tests;
