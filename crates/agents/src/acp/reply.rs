//! The reply of an agent: its words in the order in which they came, and what they become in the journal.
//!
//! Agents begin with empty lines, and say something before, between and after the calls of their tools. So
//! empty lines at the beginning are left out, and words that a call divides stand in paragraphs of their own.
//! What is more than a reply may hold is left out; the agent is not stopped for it, since it may be at work.

use angelia_core::limits;
use angelia_core::mask::Masker;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::usage::{Billing, OWN_HISTORY, Tokens, Usage};
use angelia_core::turn::journal::{Recorded, Step};
use serde_json::Value;

use super::thoughts::Thoughts;

/// What an agent said.
#[derive(Debug, Default)]
pub(super) struct Reply {
    text: String,
    flow: Flow,
    thoughts: Thoughts,
}

/// Whether the next words go on from the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Flow {
    #[default]
    On,
    Paused,
}

impl Reply {
    /// Adds words; what is added to the reply by them.
    pub(super) fn say(&mut self, words: &str) -> String {
        self.thoughts.pause();
        let words = match self.text.is_empty() {
            true => words.trim_start_matches(['\n', '\r']),
            false => words,
        };
        if words.is_empty() {
            return String::new();
        }
        let is_apart = self.text.ends_with('\n') || words.starts_with('\n');
        let gap = match std::mem::take(&mut self.flow) {
            Flow::Paused if !self.text.is_empty() && !is_apart => "\n\n",
            Flow::Paused | Flow::On => "",
        };
        let mut more = format!("{gap}{words}");
        let room = limits::REPLY_BYTES_MAX.saturating_sub(self.text.len());
        more.truncate(more.floor_char_boundary(room));
        self.text.push_str(&more);
        more
    }

    /// Whether nothing was said.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Something else comes before the next words.
    pub(super) fn pause(&mut self) {
        self.flow = Flow::Paused;
        self.thoughts.pause();
    }

    /// Adds thoughts, which are no part of the words.
    pub(super) fn think(&mut self, words: &str, masker: &Masker) {
        self.thoughts.more(words, masker);
    }

    /// Adds a remark of ours; what is added to the reply by it.
    pub(super) fn add_remark(&mut self, remark: &str) -> String {
        self.pause();
        self.say(remark)
    }

    /// The answer as a step, also if there are no words: it says that the prompt was answered.
    pub(super) fn step(self, result: &Value, agent: &str, masker: &Masker) -> Step {
        let row = Entry {
            reasoning: self.thoughts.reasoning(masker),
            ..Entry::new(Role::Assistant, self.text)
        };
        Step::Answer {
            row: Box::new(row),
            spent: spent(result, agent).map(Box::new),
        }
    }
}

/// What an agent said that it used.
fn spent(result: &Value, agent: &str) -> Option<Usage> {
    let usage = result["usage"].as_object()?;
    let number = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    let tokens = Tokens {
        input: number("inputTokens"),
        output: number("outputTokens"),
        cache_read: number("cachedReadTokens"),
        cache_write: number("cachedWriteTokens"),
        reasoning: number("thoughtTokens"),
    };
    Some(Usage {
        model: Some(agent.to_owned()),
        billing: Billing {
            provider: Some(OWN_HISTORY.to_owned()),
            ..Billing::default()
        },
        tokens,
        calls: 1,
        ..Usage::default()
    })
}

/// What is said of an answer that is not whole.
pub(super) fn remark(result: &Value) -> Option<&'static str> {
    match result["stopReason"].as_str() {
        Some("max_tokens") => Some("(The answer ends here: the agent had no room for more.)"),
        Some("max_turn_requests") => {
            Some("(The answer ends here: the agent asked its model as often as it may.)")
        }
        Some("refusal") => Some("(The agent declined to go on.)"),
        Some("cancelled") => Some("(The agent stopped.)"),
        Some(_) | None => None,
    }
}

/// The words of an answer that an earlier attempt wrote down.
pub(super) fn recorded(journal: &[Recorded]) -> Option<String> {
    let mut last_first = journal.iter().rev();
    last_first.find_map(|recorded| {
        let Step::Answer { row, .. } = &recorded.step else {
            return None;
        };
        Some(row.content.plain_text())
    })
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
