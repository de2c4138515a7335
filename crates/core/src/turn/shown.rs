//! What people are shown of a turn at work, step by step.
//!
//! ```text
//! a step of the journal ─┐
//! what an agent tells ───┴─▶ Shown ── fit_to_be_seen ──▶ the feed, the HTTP interface, the console
//! ```
//!
//! A `Shown` is told again under the same id when more is known of it: a call when it began and when it
//! ended, an answer while its model thinks and when it is whole. What is left out the second time is as it
//! was. Steps of the journal and what an agent tells beside it have one shape, so that whoever draws them
//! need not know which kind of agent is at work.
//!
//! Texts are bounded and secrets hidden here, in one place for all who show. Nothing here is stored but in a glimpse, which other
//! nodes see for a moment (`stream::glimpse`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::limits;
use crate::mask::{Masker, Surface};
use crate::transcript::usage::{Tokens, Usage};
use crate::turn::journal::{self, Recorded, Step};

/// Values with at most so many bytes are looked at together with their names: a longer one is no password.
const NAMED_BYTES_MAX: usize = 512;

/// Which thing the plan of a turn is, however often it is told anew.
const PLAN: &str = "plan";

/// What is said of words that came meanwhile.
const STEERED: &str = "taken along while it worked";

/// What is said of a conversation that was made shorter.
const COMPACTED: &str = "a summary stands for what was said before";

/// One thing that a turn does, as far as it is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Which thing: the same whenever it is told again, and no other's in this turn.
    pub id: String,
    /// What kind of thing.
    pub kind: Kind,
    /// What to call it: the tool, the model, the plan.
    pub title: Option<String>,
    /// How it stands.
    pub state: State,
    /// Words about it: what a model thought, what a plan says.
    pub words: Option<String>,
    /// What a tool is called with.
    pub input: Option<Value>,
    /// What came of it.
    pub output: Option<Value>,
    /// What an answer used.
    pub tokens: Option<Tokens>,
}

/// What kind of thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A model answers; its words here are its thoughts.
    Answer,
    /// A tool is called.
    Tool,
    /// What the agent means to do.
    Plan,
    /// Something else that is worth a line.
    Note,
}

/// How it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It has begun.
    Running,
    /// It ended.
    Done,
    /// It ended, and not well.
    Failed,
    /// Nobody knows what became of it.
    Unknown,
}

impl Kind {
    /// The name in the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Tool => "tool",
            Self::Plan => "plan",
            Self::Note => "note",
        }
    }
}

impl State {
    /// The name in the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}

impl Shown {
    /// Something of which no more is known than how it stands.
    pub fn new(id: impl Into<String>, kind: Kind, state: State) -> Self {
        Self {
            id: id.into(),
            kind,
            title: None,
            state,
            words: None,
            input: None,
            output: None,
            tokens: None,
        }
    }

    /// What a model thinks while it answers. The answer will be the step with this number.
    pub fn thinking(seq: u32, thoughts: String) -> Self {
        Self {
            words: Some(thoughts),
            ..Self::new(placed(seq), Kind::Answer, State::Running)
        }
    }

    /// What the agent means to do, and how far it is. It stands for what it meant to do before.
    pub fn planned(standing: String, words: String) -> Self {
        Self {
            title: Some(standing),
            words: Some(words),
            ..Self::new(PLAN, Kind::Plan, State::Done)
        }
    }

    /// What a call has said until now.
    pub fn saying(call: impl Into<String>, output: String) -> Self {
        Self {
            output: Some(json!({ "output": output })),
            ..Self::new(call, Kind::Tool, State::Running)
        }
    }

    /// The same, when it is over.
    #[must_use]
    pub fn over(self) -> Self {
        Self {
            state: State::Done,
            ..self
        }
    }

    /// A step of the journal. Nothing for steps that only the gateway needs.
    pub fn of(recorded: &Recorded) -> Option<Self> {
        match &recorded.step {
            Step::Answer { row, spent } => Some(Self {
                title: spent.as_ref().and_then(|spent| spent.model.clone()),
                words: row.reasoning.get("text").and_then(text),
                tokens: spent.as_deref().map(|Usage { tokens, .. }| *tokens),
                ..Self::new(placed(recorded.seq), Kind::Answer, State::Done)
            }),
            Step::ToolBegun {
                call,
                tool,
                arguments,
                ..
            } => Some(Self {
                title: Some(tool.clone()),
                input: Some(journal::asked(tool, arguments)),
                ..Self::new(call, Kind::Tool, State::Running)
            }),
            Step::ToolFinished { call, output, .. } => {
                let output = result(output);
                Some(Self {
                    output: Some(output.clone()),
                    ..Self::new(call, Kind::Tool, ended(&output))
                })
            }
            Step::Compacted { summary, spent, .. } => Some(Self {
                title: Some(COMPACTED.to_owned()),
                words: Some(summary.clone()),
                tokens: spent.as_deref().map(|Usage { tokens, .. }| *tokens),
                ..Self::new(placed(recorded.seq), Kind::Note, State::Done)
            }),
            Step::Planned {
                standing, words, ..
            } => Some(Self::planned(standing.clone(), words.clone())),
            Step::Steered { said } => {
                let words: Vec<&str> = said.iter().map(|one| one.text.as_str()).collect();
                Some(Self {
                    title: Some(STEERED.to_owned()),
                    words: Some(words.join("\n\n")),
                    ..Self::new(placed(recorded.seq), Kind::Note, State::Done)
                })
            }
            Step::Moved { .. } | Step::Emitted { .. } | Step::Command { .. } => None,
        }
    }

    /// The same without secrets and without what is too long to be looked at.
    #[must_use]
    pub fn fit_to_be_seen(self, masker: &Masker) -> Self {
        let said = |text: String| fitted(&masker.shown(&text, Surface::Output));
        Self {
            title: self
                .title
                .map(|title| title.chars().take(limits::STEP_TITLE_CHARS).collect()),
            words: self.words.map(said),
            input: self.input.map(|value| seen(value, masker, Surface::Egress)),
            output: self
                .output
                .map(|value| seen(value, masker, Surface::Output)),
            ..self
        }
    }

    /// Whether a call begins here: what more is told of one that runs comes with its output.
    pub fn is_call(&self) -> bool {
        (self.kind, self.state) == (Kind::Tool, State::Running) && self.output.is_none()
    }

    /// Whether it tells all that `before` told, so that nobody has to see that any more.
    pub fn stands_for(&self, before: &Self) -> bool {
        let is_same = (&self.id, self.kind) == (&before.id, before.kind);
        is_same
            && match self.kind {
                Kind::Answer | Kind::Plan => true,
                Kind::Tool => before.input.is_none(),
                Kind::Note => false,
            }
    }

    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let value =
            |value: &Option<Value>| value.as_ref().map_or(0, |value| value.to_string().len());
        self.words.as_ref().map_or(0, String::len) + value(&self.input) + value(&self.output)
    }
}

/// The id of a step that is known by its place alone.
fn placed(seq: u32) -> String {
    format!("#{seq}")
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn result(output: &str) -> Value {
    serde_json::from_str(output).unwrap_or_else(|_| output.into())
}

/// Tools tell by their result how it went.
fn ended(output: &Value) -> State {
    if output["status"] == "unknown" {
        State::Unknown
    } else if output["error"].is_string() {
        State::Failed
    } else {
        State::Done
    }
}

/// A value whose texts were looked at one by one; as one text if the whole is too long.
fn seen(value: Value, masker: &Masker, surface: Surface) -> Value {
    let value = masked(value, masker, surface);
    let text = value.to_string();
    if text.len() > limits::STEP_SHOWN_BYTES * 2 {
        return fitted(&text).into();
    }
    value
}

fn masked(value: Value, masker: &Masker, surface: Surface) -> Value {
    match value {
        Value::String(text) => fitted(&masker.shown(&text, surface)).into(),
        Value::Array(list) => {
            let list = list.into_iter().map(|one| masked(one, masker, surface));
            list.collect()
        }
        Value::Object(map) => {
            let entries = map.into_iter().map(|(name, value)| {
                let value = unnamed(&name, value, masker);
                (name, masked(value, masker, surface))
            });
            Value::Object(entries.collect::<Map<_, _>>())
        }
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => plain,
    }
}

/// The value without what its name gives away as a secret.
fn unnamed(name: &str, value: Value, masker: &Masker) -> Value {
    let is_short = value
        .as_str()
        .is_some_and(|text| text.len() <= NAMED_BYTES_MAX);
    if !is_short {
        return value;
    }
    let alone = json!({ name: value }).to_string();
    let hidden = masker.shown(&alone, Surface::Log);
    if hidden == alone {
        return value;
    }
    let read: Option<Value> = serde_json::from_str(&hidden).ok();
    let read = read.and_then(|mut read| read.get_mut(name).map(Value::take));
    read.unwrap_or_else(|| "…".into())
}

/// The beginning and the end of a text that is too long, and how much is left out between them.
fn fitted(text: &str) -> String {
    if text.len() <= limits::STEP_SHOWN_BYTES {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(limits::STEP_SHOWN_BYTES * 3 / 4);
    let tail = text.ceil_char_boundary(text.len() - limits::STEP_SHOWN_BYTES / 4);
    let left_out = tail - head;
    format!(
        "{}\n[… {left_out} bytes are not shown …]\n{}",
        &text[..head],
        &text[tail..]
    )
}

#[cfg(test)]
#[path = "shown_tests.rs"]
mod tests;
