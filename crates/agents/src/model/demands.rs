//! What some servers demand of earlier answers although nothing of the kind came with them.
//!
//! An answer may come from another server, or from a time when its model did not think. Whoever refuses a conversation
//! over that is given something in its place that means nothing. Pure.

use std::borrow::Cow;

use angelia_core::transcript::entry::{Entry, Role, ToolCall};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::anthropic::BLOCKS;

/// What is demanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Demands {
    pub(super) gaps: Gaps,
    pub(super) seals: Seals,
    pub(super) ids: Ids,
}

/// What stands where an answer has no thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Gaps {
    /// Nothing.
    #[default]
    Open,
    /// A thought without words.
    Filled,
}

/// What stands where calls have no seal of their server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Seals {
    /// Nothing.
    #[default]
    Open,
    /// The one that its server does not check.
    Filled,
}

/// How calls are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Ids {
    /// As they were.
    #[default]
    Usual,
    /// With exactly nine letters and digits.
    Short,
}

/// The name of thoughts with the servers that miss them, and the shortest that all of them take: an empty one is none.
const THOUGHT: &str = "reasoning_content";
const BLANK: &str = " ";

/// Where Gemini has the seal of a call on OpenAI's wire, and what it documents for calls that others made.
const SEAL: [&str; 2] = ["extra_content", "google"];
const SEAL_NAME: &str = "thought_signature";
const UNCHECKED: &str = "skip_thought_signature_validator";

/// How long a short id is, and what it is made of.
const SHORT: usize = 9;
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The rows with what is demanded.
pub(super) fn met(rows: Cow<'_, [Entry]>, demands: Demands) -> Cow<'_, [Entry]> {
    if demands == Demands::default() {
        return rows;
    }
    let mut rows = rows.into_owned();
    for row in &mut rows {
        if demands.gaps == Gaps::Filled {
            fill(row);
        }
        if demands.seals == Seals::Filled {
            seal(row);
        }
        if demands.ids == Ids::Short {
            rename(row);
        }
    }
    Cow::Owned(rows)
}

/// Each wire takes its own of both.
fn fill(row: &mut Entry) {
    fill_words(row);
    fill_block(row);
}

/// Anthropic's wire, as DeepSeek speaks it: thoughts are missed before calls alone, and no seal is checked.
fn fill_block(row: &mut Entry) {
    let known = row.continuation.get(BLOCKS);
    let is_there = known.and_then(Value::as_array);
    if !row.tool_calls.is_empty() && is_there.is_none_or(Vec::is_empty) {
        let blank = json!([{ "type": "thinking", "thinking": BLANK, "signature": "" }]);
        row.continuation.insert(BLOCKS.to_owned(), blank);
    }
}

/// OpenAI's wire: some miss thoughts behind calls alone, others behind every answer of a conversation with calls.
fn fill_words(row: &mut Entry) {
    let known = row.continuation.get(THOUGHT);
    let is_there = known.and_then(|thought| thought.as_str());
    if row.role == Role::Assistant && is_there.is_none_or(str::is_empty) {
        row.continuation.insert(THOUGHT.to_owned(), BLANK.into());
    }
}

/// Of calls that are made together the first alone has a seal.
fn seal(row: &mut Entry) {
    if let Some(first) = row.tool_calls.first_mut() {
        *first = changed(first, |fields| {
            let holder = SEAL.iter().fold(fields, |outer, name| inner(outer, name));
            if !holder.get(SEAL_NAME).is_some_and(Value::is_string) {
                holder.insert(SEAL_NAME.to_owned(), UNCHECKED.into());
            }
        });
    }
}

/// The object of that name, made if it is not there.
fn inner<'a>(outer: &'a mut Map<String, Value>, name: &str) -> &'a mut Map<String, Value> {
    let value = outer.entry(name).or_insert(Value::Null);
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("it was made one")
}

/// The same id is named the same everywhere, so results stay with their calls.
fn rename(row: &mut Entry) {
    for call in &mut row.tool_calls {
        if let Some(id) = call.id().map(short) {
            *call = changed(call, |fields| _ = fields.insert("id".to_owned(), id.into()));
        }
    }
    row.tool_call_id = row.tool_call_id.as_deref().map(short);
}

/// The call with other fields. One of another shape was brought from elsewhere and stays.
fn changed(call: &ToolCall, change: impl FnOnce(&mut Map<String, Value>)) -> ToolCall {
    let Value::Object(mut fields) = json!(call) else {
        return call.clone();
    };
    if !fields.contains_key("function") {
        return call.clone();
    }
    change(&mut fields);
    ToolCall::new(Value::Object(fields))
}

/// An id of that length, and another for each id.
fn short(id: &str) -> String {
    if id.len() == SHORT && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return id.to_owned();
    }
    let digest = Sha256::digest(id);
    let letter = |byte: &u8| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]);
    digest.iter().take(SHORT).map(letter).collect()
}

#[cfg(test)]
#[path = "demands_tests.rs"]
mod tests;
