//! A transcript as a conversation.
//!
//! ```text
//! all rows ──load──▶ visible rows, cleaned ──summary in front, repair──▶ what a model may be given
//! ```
//!
//! [`load`] is what people and exports see: the visible rows in the order in which they were appended,
//! whatever their times say, without blocks that were injected for a model. [`for_model`] also makes
//! the order of roles valid, since a turn can end anywhere: a summary stands before what it leaves as it
//! was, every call has exactly one result right
//! behind it, neighbours that speak with one voice are one row, and nothing that a person said is lost.
//!
//! Stored rows stay as they are; both functions give copies. Neither puts message times nor overheard
//! chatter in: see `stamp` and `observed`.

use super::compaction;
use super::entry::{Content, Entry, Finish, Role};
use super::injected;
use super::repair::repair;

/// The visible rows, in order, cleaned of what was only meant for a model.
pub fn load<'a>(rows: impl IntoIterator<Item = &'a Entry>) -> Vec<Entry> {
    let visible = rows.into_iter().filter(|row| row.is_visible());
    visible.map(cleaned).collect()
}

/// The visible rows as a conversation that every model accepts. Doing it twice changes nothing.
pub fn for_model<'a>(rows: impl IntoIterator<Item = &'a Entry>) -> Vec<Entry> {
    repair(compaction::in_front(load(rows)))
}

/// How many tools the visible rows ask for.
pub fn tool_calls(rows: &[Entry]) -> usize {
    let visible = rows.iter().filter(|row| row.is_visible());
    visible.map(|row| row.tool_calls.len()).sum()
}

fn cleaned(row: &Entry) -> Entry {
    let mut row = row.clone();
    if matches!(row.role, Role::User | Role::Assistant)
        && let Content::Text(text) = &row.content
        && let cleaned = injected::removed(text)
        && cleaned != text.as_str()
    {
        row.content = Content::Text(cleaned.into_owned());
    }
    if row.role != Role::Assistant {
        only_assistants_have(&mut row);
    }
    row
}

/// Only a model calls tools and reasons; on another's row such fields are a caller's mistake, which
/// a provider would refuse.
fn only_assistants_have(row: &mut Entry) {
    row.tool_calls.clear();
    row.reasoning.clear();
    row.continuation.clear();
    row.finish = Finish::Done;
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
