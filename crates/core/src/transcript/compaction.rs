//! A conversation in fewer rows: a summary in its place, or another one altogether.
//!
//! A compaction keeps every earlier row, no longer shown but still found, and the session stays the
//! same one for life. A rewrite keeps none: it is for repairing and importing, and for someone who
//! wants the rows gone. What was undone stays undone through a compaction.
//!
//! It does not decide when a conversation is too long, nor what its summary says.

use super::entry::{Entry, Visibility};

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
