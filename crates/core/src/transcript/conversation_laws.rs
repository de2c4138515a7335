//! The laws of a conversation that a model is given, checked from outside.
//!
//! Ours must keep them all. Where another's result for the same rows is different from ours, it must
//! break one of them.

use super::entry::{Attention, Entry, Role, ToolCall};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Breach {
    /// A row has a role that no model knows.
    UnknownRole,
    /// A call has no result right behind it.
    UnansweredCall,
    /// A result stands where nobody called.
    StrayResult,
    /// Two of a person's plain rows stand side by side, both addressed or both overheard.
    NeighbouringUsers,
    /// Something that a person said is missing, or is no longer told from what was overheard.
    LostWords,
}

/// The first law that a conversation made of what was said breaks.
pub(crate) fn breach(said: &[Entry], conversation: &[Entry]) -> Option<Breach> {
    let is_unknown = |row: &Entry| matches!(row.role, Role::Other(_));
    if conversation.iter().any(is_unknown) {
        return Some(Breach::UnknownRole);
    }
    if conversation
        .windows(2)
        .any(|pair| are_alike(&pair[0], &pair[1]))
    {
        return Some(Breach::NeighbouringUsers);
    }
    if !keeps_words(said, conversation) {
        return Some(Breach::LostWords);
    }
    pairing(conversation)
}

fn are_alike(one: &Entry, other: &Entry) -> bool {
    let plain_user = |row: &Entry| row.role == Role::User && row.content.as_plain().is_some();
    plain_user(one) && plain_user(other) && overheard(one) == overheard(other)
}

fn pairing(conversation: &[Entry]) -> Option<Breach> {
    let mut open: Vec<&ToolCall> = Vec::new();
    for row in conversation {
        if row.role == Role::Tool {
            let id = row.tool_call_id.as_deref().unwrap_or("");
            let Some(place) = open.iter().position(|call| call.answers_to(id)) else {
                return Some(Breach::StrayResult);
            };
            open.remove(place);
        } else if open.is_empty() {
            open.extend(&row.tool_calls);
        } else {
            return Some(Breach::UnansweredCall);
        }
    }
    (!open.is_empty()).then_some(Breach::UnansweredCall)
}

fn keeps_words(said: &[Entry], conversation: &[Entry]) -> bool {
    let mut rows = conversation
        .iter()
        .filter(|row| row.role == Role::User)
        .peekable();
    said.iter()
        .filter(|row| row.role == Role::User)
        .all(|word| {
            while rows.next_if(|row| !holds(row, word)).is_some() {}
            rows.peek().is_some()
        })
}

fn holds(row: &Entry, word: &Entry) -> bool {
    let same = row.content == word.content;
    let within = row.content.as_plain().zip(word.content.as_plain());
    let within = within.is_some_and(|(whole, part)| whole.contains(part));
    overheard(row) == overheard(word) && (same || within)
}

fn overheard(row: &Entry) -> bool {
    row.attention == Attention::Observed
}
