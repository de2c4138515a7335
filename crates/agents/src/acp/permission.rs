//! What an agent asks permission for, as a question of ours, and our answer in its words.
//!
//! An agent offers options of its own; they are picked by their kind, never by their place or name. The least
//! is taken that does what was agreed to: whoever agreed for longer is not asked again by us, so the agent
//! need not remember it. Where nothing fits, the answer is no.
//!
//! Of the call it is often only told which one it is, so what was told of it before counts too. A call is taken
//! for a command alone if nothing else is known to belong to it; all others are shown with everything that they hold.
//! What an agent says about a command does not run, and neither does what it calls the question: both are left out of
//! what an answer is bound to, so that the same command is the same whenever it comes again.
//!
//! Whether somebody is asked is decided by the toolbox, by the rules that hold for our own commands.

use std::path::Path;

use angelia_core::approval::{Grant, Sort};
use serde_json::{Value, json};

use super::host::Served;
use super::peer::{Failure, NO_METHOD};
use super::update::{self, Call};
use crate::consent::Answer;

/// The kind of a call that runs a command.
const EXECUTE: &str = "execute";

/// What may stand beside a command without making another deed of it.
const BESIDE_COMMAND: [&str; 3] = ["description", "reason", "timeout"];

/// How Codex names a question about a command. An input with all of these is one of its questions.
const QUESTION: [&str; 2] = ["call_id", "turn_id"];

/// What Codex tells with its question besides that and changes nothing of what runs: when it asks and why, and the
/// command as it reads it.
const TOLD_WITH: [&str; 4] = ["approval_id", "started_at_ms", "reason", "parsed_cmd"];

/// The answers that it would take, and what it would allow itself by them from then on. The least of them allows
/// nothing further.
const ANSWERS: [&str; 3] = [
    "available_decisions",
    "proposed_execpolicy_amendment",
    "proposed_network_policy_amendments",
];

/// The least of the answers that say yes.
const ALLOW_ONCE: &str = "allow_once";

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// The call that waits for it.
    pub(super) call: Call,
    /// What the agent says about it.
    remark: Option<String>,
    options: Vec<Choice>,
}

/// What an answer can be bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The very deed, whenever it comes again.
    Deed,
    /// This call alone: nothing is known of it that would tell it from others.
    Call,
}

/// One of the answers that can be given.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choice {
    id: String,
    kind: String,
}

/// Reads what is asked for, of a call of which this was told before; nothing if it is not said what for.
pub(super) fn read(params: &Value, known: Option<Call>) -> Option<Asked> {
    let options = params["options"].as_array().into_iter().flatten();
    let options = options.filter_map(|option| {
        Some(Choice {
            id: option["optionId"].as_str()?.to_owned(),
            kind: option["kind"].as_str()?.to_owned(),
        })
    });
    let told = update::call(&params["toolCall"])?;
    let call = match known {
        None => told,
        Some(mut call) => {
            call.learn(told);
            call
        }
    };
    Some(Asked {
        remark: remark(&call),
        call,
        options: options.collect(),
    })
}

fn remark(call: &Call) -> Option<String> {
    let beside = |name: &str| Some(call.input.as_ref()?[name].as_str()?.to_owned());
    let said = call.remarks.clone().or_else(|| beside("description"));
    said.or_else(|| beside("reason"))
}

impl Asked {
    /// The same of an agent that works in `workdir`: without what stands beside a command and changes nothing of what
    /// would run.
    pub(super) fn within(mut self, workdir: &Path) -> Self {
        let is_command = self.is_execution() && self.line().is_some();
        let is_least = self.option(ALLOW_ONCE).is_some();
        let Some(Value::Object(input)) = self.call.input.as_mut().filter(|_| is_command) else {
            return self;
        };
        let is_question = QUESTION.iter().all(|name| input.contains_key(*name));
        input.retain(|name, value| {
            let is_one_of = |names: &[&str]| is_question && names.contains(&name.as_str());
            let is_here = name == "cwd" && value.as_str().map(Path::new) == Some(workdir);
            let is_beside = is_one_of(&QUESTION) || is_one_of(&TOLD_WITH);
            !(value.is_null() || is_here || is_beside || is_least && is_one_of(&ANSWERS))
        });
        self
    }

    fn is_execution(&self) -> bool {
        self.call.kind.as_deref() == Some(EXECUTE)
    }

    /// What the agent says about it, unless the words have it.
    pub(super) fn remark(&self) -> Option<&str> {
        let words = self.words();
        self.remark.as_deref().filter(|said| !words.contains(said))
    }

    /// The command that would run, if it is that and nothing else that is asked for.
    pub(super) fn command(&self) -> Option<String> {
        let input = self.call.input.as_ref()?.as_object()?;
        let is_known = |name: &String| name == "command" || BESIDE_COMMAND.contains(&name.as_str());
        let words = input.get("command").and_then(Value::as_array);
        let is_all_words = words.is_none_or(|words| words.iter().all(Value::is_string));
        let is_apart = self.call.changes.is_none() && self.call.places.is_none();
        let is_plain = self.is_execution() && is_apart && is_all_words;
        let is_plain = is_plain && input.keys().all(is_known);
        is_plain.then(|| self.line()).flatten()
    }

    /// The command among whatever is asked for.
    pub(super) fn line(&self) -> Option<String> {
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

    /// What it is called in the question. A command among whatever is asked for makes it one, whatever else the agent
    /// calls it.
    pub(super) fn sort(&self) -> Sort {
        match (self.line(), self.call.kind.as_deref()) {
            (Some(_), _) => Sort::Command,
            (None, kind) => kind.map_or(Sort::Other, Sort::of_kind),
        }
    }

    /// The deed in words, for whoever is asked.
    pub(super) fn words(&self) -> String {
        let title = self.call.title.clone().unwrap_or_else(|| self.call.tool());
        if let Some(command) = self.command() {
            return command;
        }
        let input = self.call.given().map(Value::to_string);
        let Call {
            remarks,
            changes,
            places,
            ..
        } = self.call.clone();
        let parts = [Some(title), input, remarks, changes, places];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join("\n")
    }

    /// Whether the words say all that an answer for longer would be bound to. Where something is done does not say
    /// what.
    pub(super) fn scope(&self) -> Scope {
        let Call {
            remarks, changes, ..
        } = &self.call;
        match self.call.given().is_some() || remarks.is_some() || changes.is_some() {
            true => Scope::Deed,
            false => Scope::Call,
        }
    }

    /// Our answer, as the agent wants it.
    pub(super) fn outcome(&self, answer: &Answer) -> Value {
        let wanted: &[&str] = match answer {
            Answer::Granted(Grant::Once) => &[ALLOW_ONCE],
            Answer::Granted(Grant::Conversation | Grant::Always) => &[ALLOW_ONCE, "allow_always"],
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
