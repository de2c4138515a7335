//! What an agent tells while it answers, as far as we show it.
//!
//! Updates are of many kinds and become more: what is not known here is passed over, never an error. Words
//! are the reply; calls of the agent's own tools and its plan are steps that people may watch.

use angelia_core::limits;
use angelia_core::mask::{self, Masker, Surface};
use serde_json::{Value, json};

/// Something that was told.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Update {
    /// More of the reply.
    Said(String),
    /// More of what it thinks, which is no part of the reply.
    Thought(String),
    /// One of its tools is called, or goes on.
    Call(Box<Call>),
    /// What it means to do, in place of what it said before.
    Plan(Vec<String>),
    /// Anything else.
    Other,
}

/// What is known of a call of one of the agent's own tools.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Call {
    /// The agent's name for the call.
    pub(super) id: String,
    /// What it is, in words.
    pub(super) title: Option<String>,
    /// What kind of tool.
    pub(super) kind: Option<String>,
    /// How far it got.
    pub(super) status: Option<Status>,
    /// What the tool is called with.
    pub(super) input: Option<Value>,
    /// What it said.
    pub(super) output: Option<String>,
    /// What it says about itself.
    pub(super) remarks: Option<String>,
    /// What it changes, line by line, for whoever is asked about it.
    pub(super) changes: Option<String>,
    /// Where it does something, which says not what.
    pub(super) places: Option<String>,
    /// What it changes, line by line, for whoever looks once it is done.
    pub(super) edits: Option<String>,
}

/// How far a call got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// Asked for; its arguments may still be on their way.
    Pending,
    /// Under way.
    Running,
    /// Done.
    Completed,
    /// Done, in vain.
    Failed,
}

impl Status {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "pending" => Self::Pending,
            "in_progress" => Self::Running,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            _ => return None,
        })
    }
}

/// Reads the update of the conversation `ours`; others' are passed over.
pub(super) fn read(params: &Value, ours: &str) -> Update {
    if params["sessionId"].as_str().is_some_and(|it| it != ours) {
        return Update::Other;
    }
    let update = &params["update"];
    match update["sessionUpdate"].as_str() {
        Some("agent_message_chunk") => {
            block(&update["content"]).map_or(Update::Other, Update::Said)
        }
        Some("agent_thought_chunk") => {
            block(&update["content"]).map_or(Update::Other, Update::Thought)
        }
        Some("tool_call" | "tool_call_update") => {
            call(update).map_or(Update::Other, |call| Update::Call(Box::new(call)))
        }
        Some("plan") => Update::Plan(plan(&update["entries"])),
        Some(_) | None => Update::Other,
    }
}

/// What an agent has told of its own commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Advertised {
    /// What it calls the conversation.
    pub(super) conversation: String,
    pub(super) names: Vec<String>,
}

/// What an update tells of the agent's own commands, if it is about them.
pub(super) fn commands(params: &Value) -> Option<Advertised> {
    let update = &params["update"];
    if update["sessionUpdate"] != "available_commands_update" {
        return None;
    }
    let all = update["availableCommands"].as_array()?.iter();
    let names = all.filter_map(|command| command["name"].as_str());
    Some(Advertised {
        conversation: params["sessionId"].as_str()?.to_owned(),
        names: names.map(str::to_owned).collect(),
    })
}

/// The words of a block of content; those that are no words are named by where they are.
fn block(content: &Value) -> Option<String> {
    let text = match content["type"].as_str()? {
        "text" => content["text"].as_str(),
        "resource_link" => content["uri"].as_str(),
        "resource" => content["resource"]["text"].as_str(),
        _ => None,
    };
    text.map(str::to_owned)
}

/// A call as an update, or the request for a permission, tells of it.
pub(super) fn call(told: &Value) -> Option<Call> {
    let text = |name: &str| told[name].as_str().map(str::to_owned);
    let input = Some(&told["rawInput"]).filter(|input| !input.is_null());
    Some(Call {
        id: text("toolCallId")?,
        title: text("title").filter(|title| !title.is_empty()),
        kind: text("kind"),
        status: told["status"].as_str().and_then(Status::of),
        input: input.cloned(),
        output: output(told),
        remarks: lines(contents(told).filter(|it| !is_diff(it)).filter_map(part)),
        changes: lines(contents(told).filter(|it| is_diff(it)).filter_map(diff)),
        places: lines(places(told)),
        edits: lines(contents(told).filter_map(edit)),
    })
}

/// What a call brings along.
fn contents(told: &Value) -> impl Iterator<Item = &Value> {
    told["content"].as_array().into_iter().flatten()
}

fn is_diff(content: &Value) -> bool {
    content["type"] == "diff"
}

fn lines(parts: impl Iterator<Item = String>) -> Option<String> {
    let all: Vec<String> = parts.collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// Where a call does something.
fn places(told: &Value) -> impl Iterator<Item = String> {
    let places = told["locations"].as_array().into_iter().flatten();
    places.filter_map(|place| {
        let path = place["path"].as_str()?;
        let line = place["line"].as_u64();
        Some(line.map_or_else(|| format!("at {path}"), |line| format!("at {path}:{line}")))
    })
}

/// A change as people are asked about one: all that goes, and all that comes.
fn diff(content: &Value) -> Option<String> {
    let path = content["path"].as_str()?;
    let (old, new) = (
        text_lines(content, "oldText"),
        text_lines(content, "newText"),
    );
    Some(format!(
        "changes {path}:{}{}",
        marked(&old, '-'),
        marked(&new, '+')
    ))
}

/// A change as people look at one that was made: without what is the same around it.
fn edit(content: &Value) -> Option<String> {
    let path = Some(content).filter(|content| content["type"] == "diff")?["path"].as_str()?;
    let (old, new) = (
        text_lines(content, "oldText"),
        text_lines(content, "newText"),
    );
    let pairs = old.iter().zip(&new);
    let before = pairs.take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[before..], &new[before..]);
    let pairs = old.iter().rev().zip(new.iter().rev());
    let after = pairs.take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - after], &new[..new.len() - after]);
    Some(format!(
        "changed {path}:{}{}",
        marked(old, '-'),
        marked(new, '+')
    ))
}

fn text_lines<'v>(content: &'v Value, name: &str) -> Vec<&'v str> {
    content[name].as_str().unwrap_or_default().lines().collect()
}

fn marked(lines: &[&str], mark: char) -> String {
    let lines = lines.iter();
    lines.map(|line| format!("\n{mark}{line}")).collect()
}

fn output(told: &Value) -> Option<String> {
    if let Some(words) = lines(contents(told).filter_map(part)) {
        return Some(words);
    }
    match &told["rawOutput"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Some(other.to_string())
        }
    }
}

fn part(content: &Value) -> Option<String> {
    match content["type"].as_str()? {
        "content" => block(&content["content"]),
        _ => None,
    }
}

fn plan(entries: &Value) -> Vec<String> {
    let entries = entries.as_array().into_iter().flatten();
    let entries = entries.take(PLAN_ENTRIES_MAX);
    entries
        .filter_map(|entry| {
            let what = entry["content"].as_str()?;
            let mark = match entry["status"].as_str() {
                Some("completed") => DONE,
                Some("in_progress") => NOW,
                _ => "[ ] ",
            };
            Some(format!("{mark}{what}"))
        })
        .collect()
}

/// What stands before an entry of a plan that is done, and before one that is worked on.
const DONE: &str = "[x] ";
const NOW: &str = "[>] ";

/// How far a plan is, in one line.
pub(super) fn standing(entries: &[String]) -> String {
    let done = entries.iter().filter(|one| one.starts_with(DONE)).count();
    let far = format!("{done} of {} done", entries.len());
    match entries.iter().find_map(|one| one.strip_prefix(NOW)) {
        Some(now) => format!("{far}, now: {now}"),
        None => far,
    }
}

/// Entries of a plan that are shown.
const PLAN_ENTRIES_MAX: usize = 100;

/// What a step holds of a call's input or output.
const SHOWN_BYTES_MAX: usize = limits::STEP_BYTES_MAX / 16;

/// What is said of a call that failed and did not say why.
const FAILED: &str = "it did not say why";

impl Call {
    /// What was known before, with what is told now.
    pub(super) fn learn(&mut self, told: Self) {
        let Self {
            id: _,
            title,
            kind,
            status,
            input,
            output,
            remarks,
            changes,
            places,
            edits,
        } = told;
        self.title = title.or(self.title.take());
        self.kind = kind.or(self.kind.take());
        self.status = status.or(self.status);
        // Some tell an empty one once more when all of it was told.
        let known = self.input.take();
        self.input = match input.as_ref().is_some_and(is_empty) {
            true => known.or(input),
            false => input.or(known),
        };
        self.output = output.or(self.output.take());
        self.remarks = remarks.or(self.remarks.take());
        self.changes = changes.or(self.changes.take());
        self.places = places.or(self.places.take());
        self.edits = edits.or(self.edits.take());
    }

    /// Whether it has ended.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.status, Some(Status::Completed | Status::Failed))
    }

    /// Lets go of all that it brought: its end is written down.
    pub(super) fn let_go(&mut self) {
        self.output = None;
        self.remarks = None;
        self.changes = None;
        self.edits = None;
    }

    /// What it is called with, once anything of it is told.
    pub(super) fn given(&self) -> Option<&Value> {
        self.input.as_ref().filter(|input| !is_empty(input))
    }

    /// The tool, as steps name it.
    pub(super) fn tool(&self) -> String {
        self.kind.clone().unwrap_or_else(|| "other".to_owned())
    }

    /// What it is called with, for people who look: without secrets, and bounded.
    pub(super) fn arguments(&self, masker: &Masker) -> Value {
        let title = self.title.as_deref().unwrap_or_default();
        let title = masker.shown(title, Surface::Log);
        let title: String = title.chars().take(limits::APPROVAL_LINE_CHARS).collect();
        let input = self.input.as_ref().map(|input| masked(input, masker));
        match input {
            Some(input) if input.to_string().len() <= SHOWN_BYTES_MAX => {
                json!({ "title": title, "input": input })
            }
            Some(_) => json!({ "title": title, "input": "(too long to be shown)" }),
            None => json!({ "title": title }),
        }
    }

    /// What it said, and what it changed if it has; for people who look: without secrets, and bounded.
    pub(super) fn result(&self, masker: &Masker) -> String {
        let output = self.output.as_deref();
        let told = match self.status {
            Some(Status::Failed) => {
                let output = bounded(output.unwrap_or_default(), masker);
                let why = if output.is_empty() { FAILED } else { &output };
                json!({ "status": "failed", "output": output, "error": why })
            }
            Some(_) | None => {
                let parts = [output, self.edits.as_deref()];
                let parts: Vec<&str> = parts.into_iter().flatten().collect();
                json!({ "status": "completed", "output": bounded(&parts.join("\n"), masker) })
            }
        };
        told.to_string()
    }

    /// What it has said until now, for people who watch: its newest part, without what may be the beginning of a
    /// secret.
    pub(super) fn growing(&self, masker: &Masker) -> String {
        let output = self.output.as_deref().unwrap_or_default();
        let seen = masker.growing(output, Surface::Log);
        mask::newest(&seen, SHOWN_BYTES_MAX).into_owned()
    }
}

/// The beginning of a text. It is cut once it has no secrets any more: half a one looks like a word.
fn bounded(text: &str, masker: &Masker) -> String {
    let shown = masker.shown(text, Surface::Log);
    shown[..shown.floor_char_boundary(SHOWN_BYTES_MAX)].to_owned()
}

/// Whether an input says nothing.
fn is_empty(input: &Value) -> bool {
    match input {
        Value::Null => true,
        Value::Object(all) => all.is_empty(),
        Value::Array(all) => all.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The texts within a value, without secrets.
fn masked(value: &Value, masker: &Masker) -> Value {
    match value {
        Value::String(text) => masker.shown(text, Surface::Log).into(),
        Value::Array(all) => all.iter().map(|one| masked(one, masker)).collect(),
        Value::Object(all) => {
            let all = all.iter();
            Value::Object(
                all.map(|(name, one)| (name.clone(), masked(one, masker)))
                    .collect(),
            )
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other.clone(),
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
