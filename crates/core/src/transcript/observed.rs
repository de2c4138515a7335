//! Chatter that was only overheard.
//!
//! Some platforms hand over what is said in a group although nobody addressed the agent. Where the
//! place's prompt says that such context is in use, those rows are no turns: [`set_apart`] takes them
//! out of the conversation, and [`in_front`] shows their words before the current message, between two
//! lines that say which is which. Each overheard line is quoted, so that nobody can write the second
//! line themselves and pass their chatter off as the message.
//!
//! Only the model's copy carries them; the stored message stays what its sender wrote.

use super::entry::{Attention, Entry, Role};

const CONTEXT: &str = "[Overheard in this chat, for context only]";
const MESSAGE: &str = "[The message to answer, and the only one]";

/// A conversation and what was overheard beside it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SetApart {
    /// The rows that are turns.
    pub turns: Vec<Entry>,
    /// The words of the others, in order, those without words left out.
    pub overheard: Vec<String>,
}

/// Takes what was overheard out of a conversation.
pub fn set_apart(rows: Vec<Entry>) -> SetApart {
    let (overheard, turns) = rows.into_iter().partition::<Vec<_>, _>(is_overheard);
    let texts = overheard.iter().map(|row| row.content.plain_text());
    SetApart {
        turns,
        overheard: texts.filter(|text| !text.trim().is_empty()).collect(),
    }
}

/// The current message as the model reads it, behind what was overheard.
pub fn in_front(overheard: &[String], message: &str) -> String {
    if overheard.is_empty() {
        return message.to_owned();
    }
    let lines = overheard.iter().flat_map(|text| text.lines());
    let quoted: Vec<String> = lines.map(|line| format!("> {line}")).collect();
    format!("{CONTEXT}\n{}\n{MESSAGE}\n{message}", quoted.join("\n"))
}

fn is_overheard(row: &Entry) -> bool {
    row.role == Role::User && row.attention == Attention::Observed
}

#[cfg(test)]
#[path = "observed_tests.rs"]
mod tests;
