//! What a model is asked, before a wire gives it its shape.

use angelia_core::transcript::entry::Entry;
use serde::Serialize;
use serde_json::Value;

use super::album::Album;
use crate::tools::set::Schema;

/// The body of a call: what a wire gives its shape, and the tools, which are many and always the same, as they
/// are.
#[derive(Debug, Serialize)]
pub(super) struct Body<'a> {
    #[serde(flatten)]
    pub(super) shaped: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<Tool<'a>>,
}

/// A tool in the shape of a wire.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Tool<'a> {
    OpenAi {
        r#type: &'static str,
        function: Function<'a>,
    },
    Anthropic {
        name: &'a str,
        description: &'a str,
        input_schema: &'a Value,
    },
}

/// A tool as OpenAI's wire calls it.
#[derive(Debug, Serialize)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) parameters: &'a Value,
}

/// Whether a model may call tools. They are shown in either case: what was called before refers to them, and what a
/// server has read stays the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    /// It may.
    Welcome,
    /// It has to come to an end.
    Over,
}

/// One call of a model.
#[derive(Debug, Clone)]
pub(super) struct Request<'a> {
    /// The model's name at its server.
    pub(super) model: &'a str,
    /// Who the agent is and where it is: the same words for every call of a conversation, so that a server
    /// can keep what it made of them.
    pub(super) system: &'a str,
    /// What was said, oldest first, in an order that every model accepts.
    pub(super) messages: &'a [Entry],
    /// How many of them were said before the turn, and will be said again in the next.
    pub(super) earlier: usize,
    /// The pictures of them that go along.
    pub(super) album: &'a Album,
    /// The tools that may be called.
    pub(super) tools: &'a [Schema],
    /// The most tokens of the answer, where a wire must say it.
    pub(super) answer_tokens: u32,
}
