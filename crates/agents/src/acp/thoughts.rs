//! What an agent thinks while it answers, until the answer is written down with it.
//!
//! Whoever watches sees thoughts as they come. The answer holds the whole of them, or the newest part if they are very
//! many, as the answers of every other agent do. What comes between two thoughts divides them.

use angelia_core::limits;
use angelia_core::mask::{Masker, Surface, Tail};
use serde_json::{Map, Value};

/// Under which name people find thoughts in an answer.
const TEXT: &str = "text";

/// What was thought about one answer.
#[derive(Debug)]
pub(super) struct Thoughts {
    text: Tail,
    flow: Flow,
}

/// Whether the next thought goes on from the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Flow {
    #[default]
    On,
    Paused,
}

impl Default for Thoughts {
    fn default() -> Self {
        Self {
            text: Tail::new(Surface::Reply, limits::AGENT_THOUGHTS_BYTES_MAX),
            flow: Flow::default(),
        }
    }
}

impl Thoughts {
    /// Adds more.
    pub(super) fn more(&mut self, words: &str, masker: &Masker) {
        if std::mem::take(&mut self.flow) == Flow::Paused && !self.text.is_empty() {
            self.text.push("\n\n", masker);
        }
        self.text.push(words, masker);
    }

    /// Something else comes before the next thought.
    pub(super) fn pause(&mut self) {
        self.flow = Flow::Paused;
    }

    /// As an answer holds them: without secrets, and bounded.
    pub(super) fn reasoning(&self, masker: &Masker) -> Map<String, Value> {
        let shown = self.text.whole(masker);
        let shown = shown.trim();
        let named = (!shown.is_empty()).then(|| (TEXT.to_owned(), shown.into()));
        named.into_iter().collect()
    }
}

#[cfg(test)]
#[path = "thoughts_tests.rs"]
mod tests;
