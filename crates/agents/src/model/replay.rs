//! What goes back to a server of what came with earlier answers.
//!
//! Providers put things beside their answers that they want back: thoughts, seals, fields of calls. They are theirs
//! alone, and others refuse the conversation over them. So a row bears the name of where it came from, and what is not
//! for words goes back to that place only; ids of calls that another place may refuse are written in a way that all
//! take. Rows from before there were such names go back as they are. Pure.

use std::borrow::Cow;
use std::collections::BTreeMap;

use angelia_core::transcript::entry::{Entry, Role, ToolCall};
use serde_json::{Value, json};

/// Where a row keeps the name of its place.
const ORIGIN: &str = "angelia_origin";

/// The longest id of a call that every server takes, and how much is kept of a longer one.
const ID_CHARS_MAX: usize = 40;
const ID_CHARS_KEPT: usize = 20;

/// The fields of a call that every server has.
const CALL: [&str; 3] = ["id", "type", "function"];

/// To whom rows go, and what goes with them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Replay<'a> {
    /// Back to this place: all that came from there.
    To(&'a str),
    /// Words, calls and results alone.
    Plain,
}

/// Writes into a row where it came from, if that matters.
pub(super) fn mark(row: &mut Entry, origin: &str) {
    let mut calls = row.tool_calls.iter();
    let is_bare = row.continuation.is_empty() && calls.all(is_common);
    if !is_bare {
        row.continuation.insert(ORIGIN.to_owned(), origin.into());
    }
}

/// Whether any server takes the call as it is.
fn is_common(call: &ToolCall) -> bool {
    let value = json!(call);
    let fields = value.as_object().into_iter().flatten();
    let mut names = fields.map(|(name, _)| name.as_str());
    names.all(|name| CALL.contains(&name)) && call.id().is_none_or(fits)
}

fn fits(id: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    (1..=ID_CHARS_MAX).contains(&id.len()) && id.chars().all(is_plain)
}

/// The rows as they go there.
pub(super) fn rows<'a>(rows: &'a [Entry], replay: Replay<'_>) -> Cow<'a, [Entry]> {
    if !rows.iter().any(|row| is_foreign(row, replay)) {
        return Cow::Borrowed(rows);
    }
    let mut ids = BTreeMap::new();
    let told = rows.iter().map(|row| {
        if row.role == Role::Tool {
            answering(row.clone(), &ids)
        } else if is_foreign(row, replay) {
            plain(row.clone(), &mut ids)
        } else {
            row.clone()
        }
    });
    Cow::Owned(told.collect())
}

fn is_foreign(row: &Entry, replay: Replay<'_>) -> bool {
    match (replay, row.continuation.get(ORIGIN)) {
        (Replay::To(place), Some(origin)) => !origin.as_str().is_some_and(|one| is_of(one, place)),
        (Replay::To(_), None) => false,
        (Replay::Plain, _) => !row.continuation.is_empty() || !row.tool_calls.iter().all(is_common),
    }
}

/// Whether the name in a row is that of the place, or begins with it: a name may say the model, too.
fn is_of(origin: &str, place: &str) -> bool {
    let rest = origin.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The row without what only its own place understands.
fn plain(mut row: Entry, ids: &mut BTreeMap<String, String>) -> Entry {
    row.continuation.clear();
    row.tool_calls = row
        .tool_calls
        .iter()
        .map(|call| plain_call(call, ids))
        .collect();
    row
}

fn plain_call(call: &ToolCall, ids: &mut BTreeMap<String, String>) -> ToolCall {
    // A call of another shape was brought from elsewhere; it goes as it always did.
    let (Some(id), Value::Object(mut fields)) = (call.id(), json!(call)) else {
        return call.clone();
    };
    if !fields.contains_key("function") {
        return call.clone();
    }
    fields.retain(|name, _| CALL.contains(&name.as_str()));
    let told = match fits(id) {
        true => id.to_owned(),
        false => ids
            .entry(id.to_owned())
            .or_insert_with(|| fitting(id))
            .clone(),
    };
    fields.insert("id".to_owned(), told.into());
    ToolCall::new(Value::Object(fields))
}

/// The result of a call, under the id that the call has now.
fn answering(mut row: Entry, ids: &BTreeMap<String, String>) -> Entry {
    let id = row.tool_call_id.take();
    row.tool_call_id = id.map(|id| ids.get(&id).cloned().unwrap_or(id));
    row
}

/// An id that every server takes, and another for each id: its beginning, and a sum of all of it.
fn fitting(id: &str) -> String {
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric();
    let kept: String = id.chars().filter(is_plain).take(ID_CHARS_KEPT).collect();
    let sum = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{kept}_{sum:016x}")
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
