//! What OpenAI's clients send and expect.
//!
//! Requests are read leniently: clients send many fields that steer a model, and there may be no
//! model here. Only what would change the meaning is refused (`ask`).

use angelia_core::transcript::usage::Tokens;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(default)]
    pub(crate) model: Option<String>,
    pub(crate) messages: Vec<Said>,
    #[serde(default)]
    pub(crate) stream: Option<bool>,
    #[serde(default)]
    pub(crate) stream_options: Option<StreamOptions>,
    #[serde(default)]
    pub(crate) n: Option<u32>,
    #[serde(default)]
    pub(crate) user: Option<String>,
    /// What its messages are called where they were sent.
    #[serde(skip)]
    pub(crate) list: List,
}

/// A list of messages, as errors name it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    /// Its field.
    pub(crate) name: &'static str,
    /// How many messages stand before its first.
    pub(crate) ahead: usize,
}

impl Default for List {
    fn default() -> Self {
        Self {
            name: "messages",
            ahead: 0,
        }
    }
}

impl List {
    /// A field of one of its messages.
    pub(crate) fn field(self, place: usize, field: &str) -> String {
        let place = place.saturating_sub(self.ahead);
        format!("{}[{place}].{field}", self.name)
    }
}

/// What a stream should carry beside the words.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct StreamOptions {
    #[serde(default)]
    pub(crate) include_usage: Option<bool>,
}

/// One message of a request.
#[derive(Debug, Deserialize)]
pub(crate) struct Said {
    pub(crate) role: String,
    #[serde(default)]
    pub(crate) content: Value,
    #[serde(default)]
    pub(crate) name: Option<String>,
}

/// How many tokens all calls of models used that the answer took; zero where an agent does not tell.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Usage {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
}

impl From<Tokens> for Usage {
    fn from(tokens: Tokens) -> Self {
        Self {
            prompt_tokens: tokens.prompt(),
            completion_tokens: tokens.output,
            total_tokens: tokens.all(),
        }
    }
}

/// A whole answer.
#[derive(Debug, Serialize)]
pub(crate) struct Completion {
    pub(crate) id: String,
    pub(crate) object: &'static str,
    pub(crate) created: i64,
    pub(crate) model: String,
    pub(crate) choices: [Choice; 1],
    pub(crate) usage: Usage,
}

/// The one answer of a completion.
#[derive(Debug, Serialize)]
pub(crate) struct Choice {
    pub(crate) index: u32,
    pub(crate) message: Reply,
    pub(crate) logprobs: Option<()>,
    pub(crate) finish_reason: &'static str,
}

/// The words of an answer.
#[derive(Debug, Serialize)]
pub(crate) struct Reply {
    pub(crate) role: &'static str,
    pub(crate) content: String,
    pub(crate) refusal: Option<()>,
}

/// A piece of a streamed answer.
#[derive(Debug, Serialize)]
pub(crate) struct Chunk<'a> {
    pub(crate) id: &'a str,
    pub(crate) object: &'static str,
    pub(crate) created: i64,
    pub(crate) model: &'a str,
    pub(crate) choices: &'a [ChunkChoice<'a>],
    /// Left out unless usage was asked for; then nothing until the last chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) usage: Option<Option<Usage>>,
}

/// The one answer of a chunk.
#[derive(Debug, Serialize)]
pub(crate) struct ChunkChoice<'a> {
    pub(crate) index: u32,
    pub(crate) delta: Delta<'a>,
    pub(crate) logprobs: Option<()>,
    pub(crate) finish_reason: Option<&'static str>,
}

/// What a chunk adds.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Delta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<&'a str>,
}

/// The models that can be named.
#[derive(Debug, Serialize)]
pub(crate) struct Models {
    pub(crate) object: &'static str,
    pub(crate) data: Vec<Model>,
}

/// A model.
#[derive(Debug, Serialize)]
pub(crate) struct Model {
    pub(crate) id: String,
    pub(crate) object: &'static str,
    pub(crate) created: i64,
    pub(crate) owned_by: &'static str,
}
