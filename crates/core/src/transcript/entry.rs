//! One row of a transcript, as a conversation with a model needs it.
//!
//! A row is text or structured parts, said by someone, perhaps with calls of tools or as the answer to
//! one. What a provider adds for its own use (reasoning, continuation items) is kept as it came and
//! never looked into. Structured content stays structured: [`Content::plain_text`] is what lists,
//! previews and search read beside it, so no text has to carry a marker that says it is none.
//!
//! A row's place is its place in the list. Its time is for people; nothing is ordered by it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::media::{self, Picture};
use crate::time::Timestamp;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Content,
    /// The pictures that go with it.
    #[serde(skip_serializing_if = "is_usual")]
    pub pictures: Vec<Picture>,
    /// The tools that an assistant asks for.
    #[serde(skip_serializing_if = "is_usual")]
    pub tool_calls: Vec<ToolCall>,
    /// The call that a tool's row answers.
    #[serde(skip_serializing_if = "is_usual")]
    pub tool_call_id: Option<String>,
    /// The tool that answers.
    #[serde(skip_serializing_if = "is_usual")]
    pub tool_name: Option<String>,
    /// The message's own id where it came from.
    #[serde(skip_serializing_if = "is_usual")]
    pub platform_message_id: Option<String>,
    /// Whether it was said to the agent.
    #[serde(skip_serializing_if = "is_usual")]
    pub attention: Attention,
    /// When it was said.
    #[serde(skip_serializing_if = "is_usual")]
    pub at: Option<Timestamp>,
    /// How an assistant's row came to its end.
    #[serde(skip_serializing_if = "is_usual")]
    pub finish: Finish,
    /// What a provider told about its reasoning, by its own names.
    #[serde(skip_serializing_if = "is_usual")]
    pub reasoning: Map<String, Value>,
    /// What a provider wants back word for word to go on from here, by its own names.
    #[serde(skip_serializing_if = "is_usual")]
    pub continuation: Map<String, Value>,
    /// Who may still see the row.
    #[serde(skip_serializing_if = "is_usual")]
    pub visibility: Visibility,
}

/// What is as in most rows is not written down.
fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Entry {
    /// A visible row that only says something.
    pub fn new(role: Role, content: impl Into<Content>) -> Self {
        Self {
            role,
            content: content.into(),
            ..Self::default()
        }
    }

    /// Its words, with notes in the place of its pictures.
    pub fn in_words(&self) -> String {
        let words = self.content.plain_text();
        let parts = [words, media::notes(&self.pictures)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n")
    }

    /// Whether it belongs to the conversation as it stands.
    pub fn is_visible(&self) -> bool {
        self.visibility == Visibility::Visible
    }

    /// Whether a person said it to the agent: the beginning of a turn.
    pub fn begins_turn(&self) -> bool {
        self.role == Role::User && self.attention == Attention::Addressed
    }
}

/// Who speaks in a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Role {
    /// Whoever set up the conversation.
    System,
    /// A person.
    User,
    /// The model.
    Assistant,
    /// A tool, answering a call.
    Tool,
    /// The house, saying in fewer words what was said before.
    Summary,
    /// Anything else that was noted down; no model is shown it.
    Other(String),
}

impl Role {
    /// The role's name.
    pub fn as_str(&self) -> &str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::Summary => "summary",
            Self::Other(name) => name,
        }
    }
}

/// A row that does not say who speaks is nobody's.
impl Default for Role {
    fn default() -> Self {
        Self::Other("unknown".to_owned())
    }
}

impl From<String> for Role {
    fn from(name: String) -> Self {
        match name.as_str() {
            "system" => Self::System,
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "tool" => Self::Tool,
            "summary" => Self::Summary,
            _ => Self::Other(name),
        }
    }
}

impl From<Role> for String {
    fn from(role: Role) -> Self {
        role.as_str().to_owned()
    }
}

/// What a row says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub enum Content {
    /// Nothing, as with a row that only calls tools.
    #[default]
    Nothing,
    /// Plain text.
    Text(String),
    /// A list of parts or a mapping, in the provider's shape.
    Structured(Value),
}

impl Content {
    /// Its words alone: the text, or the text parts of a list, one per line.
    pub fn plain_text(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Text(text) => text.clone(),
            Self::Structured(value) => text_parts(value).join("\n"),
        }
    }

    /// Its text if it is nothing but text.
    pub fn as_plain(&self) -> Option<&str> {
        match self {
            Self::Nothing => Some(""),
            Self::Text(text) => Some(text),
            Self::Structured(_) => None,
        }
    }
}

fn text_parts(value: &Value) -> Vec<&str> {
    let parts = value.as_array().map_or(&[][..], Vec::as_slice);
    let texts = parts.iter().filter(|part| part["type"] == "text");
    texts.filter_map(|part| part["text"].as_str()).collect()
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// Lists and mappings stay what they are; any other single value becomes its text.
impl From<Value> for Content {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Nothing,
            Value::String(text) => Self::Text(text),
            Value::Bool(_) | Value::Number(_) => Self::Text(value.to_string()),
            Value::Array(_) | Value::Object(_) => Self::Structured(value),
        }
    }
}

impl From<Content> for Value {
    fn from(content: Content) -> Self {
        match content {
            Content::Nothing => Self::Null,
            Content::Text(text) => Self::String(text),
            Content::Structured(value) => value,
        }
    }
}

/// One call of a tool, in the provider's shape.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolCall(Value);

impl ToolCall {
    /// The call that this value describes.
    pub fn new(value: Value) -> Self {
        Self(value)
    }

    /// The calls in a stored value: a list of them, or a single one. Anything else holds none.
    pub fn list(value: Value) -> Vec<Self> {
        match value {
            Value::Array(calls) => calls.into_iter().map(Self).collect(),
            Value::Object(_) => vec![Self(value)],
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        }
    }

    /// The id by which a result names it. Where a provider has two, results carry the `call_id`.
    pub fn id(&self) -> Option<&str> {
        self.ids().next()
    }

    /// Whether a result with this id is the answer to it.
    pub fn answers_to(&self, id: &str) -> bool {
        self.ids().any(|own| own == id)
    }

    /// The tool's name.
    pub fn name(&self) -> Option<&str> {
        let named = self.0["function"]["name"].as_str();
        named.or_else(|| self.0["name"].as_str())
    }

    /// What it is called with. Arguments that a model wrote wrongly are none.
    pub fn arguments(&self) -> Map<String, Value> {
        let given = [
            &self.0["function"]["arguments"],
            &self.0["arguments"],
            &self.0["input"],
        ];
        let read = |value: &Value| match value {
            Value::Object(map) => Some(map.clone()),
            Value::String(text) => serde_json::from_str(text).ok(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        };
        given.into_iter().find_map(read).unwrap_or_default()
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        let ids = ["call_id", "id"].into_iter();
        ids.filter_map(|field| self.0[field].as_str())
            .filter(|id| !id.is_empty())
    }
}

/// Whether a person's row was meant for the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attention {
    /// Said to the agent.
    #[default]
    Addressed,
    /// Said to the agent while it was answering, or right behind other words of the same person: part of a
    /// turn that another row begins.
    Along,
    /// Said nearby and kept as context.
    Observed,
}

/// How an assistant's row came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It says all it was meant to.
    #[default]
    Done,
    /// It was cut off, and the provider goes on from exactly this row.
    Incomplete,
    /// It waits to be verified; the next assistant row takes its place.
    Provisional,
}

/// Who may still see a row. Rows are hidden, never changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Part of the conversation.
    #[default]
    Visible,
    /// Undone by a person: neither shown nor found.
    Rewound,
    /// Replaced by a summary: not shown, but still found.
    Compacted,
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
