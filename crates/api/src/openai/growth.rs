//! Drafts become deltas.
//!
//! A draft is the whole text so far; a stream can only add. So a draft is sent as far as it extends
//! what was sent, and one that does not extend it is passed over: the final text decides. If even
//! that does not extend it, only what follows their common beginning is added, and nothing twice.

/// What a reader has seen.
#[derive(Debug, Default)]
pub(super) struct Growth {
    sent: String,
}

impl Growth {
    /// What `draft` adds to what was sent, if anything.
    pub(super) fn draft<'a>(&mut self, draft: &'a str) -> Option<&'a str> {
        let more = draft
            .strip_prefix(self.sent.as_str())
            .filter(|more| !more.is_empty())?;
        self.sent.push_str(more);
        Some(more)
    }

    /// What is missing at the end.
    pub(super) fn finish<'a>(&self, whole: &'a str) -> Option<&'a str> {
        let common = whole
            .char_indices()
            .zip(self.sent.chars())
            .take_while(|((_, ours), theirs)| ours == theirs)
            .last()
            .map_or(0, |((at, letter), _)| at + letter.len_utf8());
        Some(&whole[common..]).filter(|more| !more.is_empty())
    }
}

#[cfg(test)]
#[path = "growth_tests.rs"]
mod tests;
