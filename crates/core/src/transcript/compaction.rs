//! A conversation in fewer rows: a summary in its place, or another one altogether.
//!
//! A compaction keeps every earlier row, no longer shown but still found, and the session stays the
//! same one for life. A rewrite keeps none: it is for repairing and importing, and for someone who
//! wants the rows gone. What was undone stays undone through a compaction.
//!
//! A turn compacts by adding one row, the summary, behind all others. It stands for everything before
//! [`Since`]; the rows from there on stay as they are, so that they can still be undone and are found once.
//! Whoever reads the conversation reads the summary first ([`in_front`]). There is one at most: the next
//! one also says what the one before said.
//!
//! It does not decide when a conversation is too long, nor what its summary says.

use serde::{Deserialize, Serialize};

use super::entry::{Content, Entry, Role, Visibility};

/// Around a summary, so that a model knows whose words they are.
const BEFORE: &str =
    "[Notes on the earlier part of this conversation, which is no longer shown word for word:]";
const AFTER: &str = "[End of the notes. What follows was said after that.]";

/// From where on rows stay as they are when a turn compacts its conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Since {
    /// The number of the first row of the conversation that stays.
    pub row: u64,
    /// How many rows of the turn itself do not stay: its messages count as one, each answer and each
    /// result as one.
    pub own: usize,
}

impl Since {
    /// Who sees the turn's own messages from then on.
    pub fn messages(self) -> Visibility {
        match self.own {
            0 => Visibility::Visible,
            _ => Visibility::Compacted,
        }
    }
}

/// The row of a summary.
pub fn summary(words: impl Into<String>) -> Entry {
    Entry::new(Role::Summary, words.into())
}

/// The rows with the newest summary in front, as words for a model. Rows behind it are not looked at.
pub fn in_front(rows: Vec<Entry>) -> Vec<Entry> {
    let (mut summaries, others) = rows
        .into_iter()
        .partition::<Vec<_>, _>(|row| row.role == Role::Summary);
    let newest = summaries.pop().map(told);
    newest.into_iter().chain(others).collect()
}

/// A summary as words that a model is told.
fn told(summary: Entry) -> Entry {
    let words = summary.content.plain_text();
    Entry {
        role: Role::User,
        content: Content::Text(format!("{BEFORE}\n{words}\n{AFTER}")),
        ..summary
    }
}

/// Puts these rows in the place of all visible ones, which are kept for search.
pub fn compact(rows: &mut Vec<Entry>, summary: Vec<Entry>) {
    for row in rows.iter_mut().filter(|row| row.is_visible()) {
        row.visibility = Visibility::Compacted;
    }
    rows.extend(summary.into_iter().map(shown));
}

/// The rows that replace all others, shown or hidden.
pub fn rewritten(rows: Vec<Entry>) -> Vec<Entry> {
    rows.into_iter().map(shown).collect()
}

fn shown(row: Entry) -> Entry {
    Entry {
        visibility: Visibility::Visible,
        ..row
    }
}

#[cfg(test)]
#[path = "compaction_tests.rs"]
mod tests;
