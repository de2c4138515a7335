//! Servers that read less than they are sent, and do not say so.
//!
//! A server with a small window may cut a prompt at its beginning and answer what is left; then it counts what is left, so
//! that the conversation never seems to be long. Whoever runs the gateway is told once for each model: nobody else can
//! mend it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::limits;
use angelia_core::transcript::entry::Entry;

use super::size;

/// The models of which it was said.
#[derive(Debug, Clone, Default)]
pub(super) struct Told(Arc<Mutex<BTreeSet<String>>>);

impl Told {
    /// Looks at a prompt that was sent, and at how many tokens of it the server says that it read.
    pub(super) fn look(&self, model: &str, sent: u64, read: u64) {
        if reads_less(sent, read) && self.is_new(model) {
            tracing::warn!(
                model,
                sent,
                read,
                "a model reads less than half of what it is sent: its server seems to cut long prompts without a word; give \
                 the server a larger window (num_ctx of Ollama), and say its size in `context_tokens`"
            );
        }
    }

    fn is_new(&self, model: &str) -> bool {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert(model.to_owned())
    }
}

/// Whether less was read than was sent, by what a server counted and what we estimate. Estimates are rough, so a short
/// prompt says nothing.
fn reads_less(sent: u64, read: u64) -> bool {
    sent >= limits::CUT_PROMPT_TOKENS_MIN && read > 0 && read < sent / 2
}

/// About how many tokens the words of some rows have. Pictures, and what only a provider can read, are counted by nobody
/// alike.
pub(super) fn words<'a>(rows: impl IntoIterator<Item = &'a Entry>) -> u64 {
    let words = rows.into_iter().map(|row| size::of_text(&row.in_words()));
    words.sum()
}

#[cfg(test)]
#[path = "short_tests.rs"]
mod tests;
