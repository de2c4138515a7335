//! What a model is asked, before a wire gives it its shape.

use angelia_core::transcript::entry::Entry;

use crate::tools::set::Schema;

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
    /// The tools that may be called.
    pub(super) tools: &'a [Schema],
    /// The most tokens of the answer, where a wire must say it.
    pub(super) answer_tokens: u32,
}
