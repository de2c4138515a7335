//! What was set for the answers of a model, and what its server is asked besides the conversation.
//!
//! It is the operator's wish, in the server's own words, and goes into each request as it is: of a turn, a summary or a
//! trial. It is left out only where the server would refuse the request for it.

use serde_json::{Map, Value, json};

use super::demands::Gaps;
use super::request::Body;
use super::wire::Wire;
use super::wishes::{Effort, Manner, Thoughts};

/// The most tokens of one answer where nothing was set, and how many are left beside a large budget of thoughts.
const ANSWER_TOKENS: u32 = 16_384;
const BESIDE_THOUGHTS: u32 = 4_096;

/// How much more is allowed where an answer was cut: some models think first, and that counts.
const MORE_TOKENS: u32 = 12_288;

/// What servers take only from whoever shows them tools.
const ABOUT_TOOLS: [&str; 2] = ["tool_choice", "parallel_tool_calls"];

/// What was set.
#[derive(Debug)]
pub(super) struct Besides {
    pub(super) wire: Wire,
    pub(super) answer_tokens: Option<u32>,
    pub(super) request: Map<String, Value>,
}

/// How much room an answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// As much as was set, or as is usual.
    Usual,
    /// This much would do; a server that is asked for more besides may need more.
    AtLeast(u32),
    /// The same, and the server is told of it in any case.
    Within(u32),
    /// This much was too little. The server is told of it in any case, since nobody knows what it allows by itself.
    Beyond(u32),
}

impl Besides {
    /// The most tokens of an answer. Where that was set it holds for every answer.
    pub(super) fn tokens(&self, room: Room) -> u32 {
        if let Some(set) = self.answer_tokens {
            return set;
        }
        match room {
            Room::Usual => self.usual(),
            Room::AtLeast(tokens) | Room::Within(tokens) => self.at_least(tokens),
            Room::Beyond(tokens) => self.at_least(tokens).saturating_add(MORE_TOKENS),
        }
    }

    /// What is asked besides may cost tokens before the first word.
    fn at_least(&self, tokens: u32) -> u32 {
        match self.request.is_empty() {
            true => tokens,
            false => tokens.max(self.usual()),
        }
    }

    fn usual(&self) -> u32 {
        let thoughts = self.budget().unwrap_or(0);
        thoughts.saturating_add(BESIDE_THOUGHTS).max(ANSWER_TOKENS)
    }

    /// Whether an answer that was cut may have more room than it had.
    pub(super) fn has_more(&self) -> bool {
        self.answer_tokens.is_none()
    }

    /// How many tokens may be thought, where that was set apart from the answer.
    fn budget(&self) -> Option<u32> {
        let budget = self.request.get("thinking")?["budget_tokens"].as_u64()?;
        u32::try_from(budget).ok()
    }

    /// Whether the server is told how long an answer may be although it need not be.
    pub(super) fn is_told(&self, room: Room) -> bool {
        self.answer_tokens.is_some() || matches!(room, Room::Within(_) | Room::Beyond(_))
    }

    /// Adds to a request what was set, in the manner that the server wants.
    pub(super) fn dress(&self, body: &mut Body<'_>, manner: Manner, tokens: u32) {
        let is_said = |name: &str| !body.tools.is_empty() || !ABOUT_TOOLS.contains(&name);
        for (name, value) in self.request.iter().filter(|(name, _)| is_said(name)) {
            body.shaped[name] = value.clone();
        }
        if manner.effort == Effort::None && !body.tools.is_empty() {
            body.shaped["reasoning_effort"] = "none".into();
        }
        // A budget as large as the answer is refused, and so are thoughts behind answers without any.
        let is_full = self.budget().is_some_and(|budget| budget >= tokens);
        let is_bare = manner.thoughts == Thoughts::Left && self.wire == Wire::Anthropic;
        if let Some(shaped) = body.shaped.as_object_mut().filter(|_| is_full || is_bare) {
            shaped.remove("thinking");
        }
        // Who misses thoughts may think without being told to.
        if is_bare && manner.demands.gaps == Gaps::Filled {
            body.shaped["thinking"] = json!({ "type": "disabled" });
        }
    }
}

#[cfg(test)]
#[path = "besides_tests.rs"]
mod tests;
