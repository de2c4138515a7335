//! What an agent thinks while it answers, until the answer is written down with it.
//!
//! Whoever watches sees thoughts as they come. The answer holds the whole of them, or the newest part if they are very
//! many, as the answers of every other agent do. What comes between two thoughts divides them.

use std::borrow::Cow;

use angelia_core::limits;
use angelia_core::mask::{self, Masker, Surface};
use serde_json::{Map, Value};

/// Under which name people find thoughts in an answer.
const TEXT: &str = "text";

/// What was thought about one answer.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    text: String,
    flow: Flow,
}

/// Whether the next thought goes on from the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Flow {
    #[default]
    On,
    Paused,
}

impl Thoughts {
    /// Adds more.
    pub(super) fn more(&mut self, words: &str) {
        if std::mem::take(&mut self.flow) == Flow::Paused && !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(words);
        // Twice as much is let grow, so that it is not moved with every word.
        if self.text.len() > 2 * limits::AGENT_THOUGHTS_BYTES_MAX {
            self.text = self.newest().into_owned();
        }
    }

    /// Something else comes before the next thought.
    pub(super) fn pause(&mut self) {
        self.flow = Flow::Paused;
    }

    fn newest(&self) -> Cow<'_, str> {
        mask::newest(&self.text, limits::AGENT_THOUGHTS_BYTES_MAX)
    }

    /// As an answer holds them: without secrets, and bounded.
    pub(super) fn reasoning(&self, masker: &Masker) -> Map<String, Value> {
        let shown = masker
            .shown(self.newest().trim(), Surface::Reply)
            .into_owned();
        let named = (!shown.is_empty()).then(|| (TEXT.to_owned(), shown.into()));
        named.into_iter().collect()
    }
}

#[cfg(test)]
#[path = "thoughts_tests.rs"]
mod tests;
