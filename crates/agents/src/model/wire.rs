//! The two ways in which servers speak, behind one door.

use std::str::FromStr;

use angelia_core::transcript::entry::{Entry, Role, ToolCall};
use serde_json::{Map, Value, json};

use super::request::{Body, Request};
use super::spoken::{Answer, Spoken, Thought};
use super::{anthropic, openai};

/// How a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// OpenAI's chat completions, and everything compatible.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// No such wire.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no way to speak to a model; there are `openai` and `anthropic`")]
pub struct UnknownWire(String);

impl FromStr for Wire {
    type Err = UnknownWire;

    fn from_str(text: &str) -> Result<Self, UnknownWire> {
        match text {
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            other => Err(UnknownWire(other.to_owned())),
        }
    }
}

impl Wire {
    /// The name used in configuration and status.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// Where the server of those who made the wire is.
    pub const fn usual_base(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
        }
    }

    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::OpenAi => openai::PATH,
            Self::Anthropic => anthropic::PATH,
        }
    }

    pub(super) fn body<'a>(self, request: &Request<'a>) -> Body<'a> {
        match self {
            Self::OpenAi => openai::body(request),
            Self::Anthropic => anthropic::body(request),
        }
    }

    /// What a request says in `tool_choice` if no tool may be called.
    pub(super) fn no_calls(self) -> Value {
        match self {
            Self::OpenAi => "none".into(),
            Self::Anthropic => json!({ "type": "none" }),
        }
    }

    pub(super) fn reader(self) -> Reader {
        match self {
            Self::OpenAi => Reader::OpenAi(openai::Reader::default()),
            Self::Anthropic => Reader::Anthropic,
        }
    }

    /// An answer as a row of the conversation.
    pub(super) fn row(self, answer: &Answer) -> Entry {
        let calls = openai::calls(answer);
        Entry {
            tool_calls: calls.into_iter().map(ToolCall::new).collect(),
            reasoning: thoughts(answer),
            continuation: match self {
                Self::OpenAi => openai::continuation(answer),
                Self::Anthropic => anthropic::continuation(answer),
            },
            ..Entry::new(Role::Assistant, answer.text.clone())
        }
    }
}

/// What a model thought, as people may read it.
fn thoughts(answer: &Answer) -> Map<String, Value> {
    let words = answer.thoughts.iter().filter_map(|thought| match thought {
        Thought::Words { text, .. } => Some(text.as_str()),
        Thought::Opaque(_) => None,
    });
    let words: Vec<&str> = words.filter(|text| !text.is_empty()).collect();
    let mut map = Map::new();
    if !words.is_empty() {
        map.insert("text".to_owned(), words.join("\n\n").into());
    }
    map
}

/// Reads the records of a stream.
pub(super) enum Reader {
    OpenAi(openai::Reader),
    Anthropic,
}

impl Reader {
    pub(super) fn read(&mut self, record: &str) -> Vec<Spoken> {
        match self {
            Self::OpenAi(reader) => reader.read(record),
            Self::Anthropic => anthropic::read(record),
        }
    }
}
