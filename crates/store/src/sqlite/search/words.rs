//! The words of a transcript row: its text, the tool that speaks, and the tools that it asks for.
//!
//! Of a call only values are words, and a value that is JSON itself (arguments often are) is taken apart
//! too: its line breaks are line breaks then and do not stick to the word behind them.

use std::borrow::Cow;

use rusqlite::Row;
use serde_json::Value;

use super::super::fault::Fault;
use super::super::rows::undecodable;

/// How deep a call is looked into.
const DEPTH: usize = 32;

/// The words of a row: its text in the given column, its body in the next.
pub(super) fn words<'r>(row: &'r Row<'_>, text: usize) -> Result<Cow<'r, str>, Fault> {
    let said = row.get_ref(text)?.as_str().map_err(undecodable)?;
    let Some(body) = row
        .get_ref(text + 1)?
        .as_str_or_null()
        .map_err(undecodable)?
    else {
        return Ok(Cow::Borrowed(said));
    };
    let body = serde_json::from_str(body).map_err(undecodable)?;
    let mut all = said.to_owned();
    all.extend(tool_name(&body).into_iter().flat_map(|name| [" ", name]));
    add(&body["tool_calls"], DEPTH, &mut all);
    Ok(Cow::Owned(all))
}

/// The tool that speaks in a row with this body.
pub(super) fn tool_name(body: &Value) -> Option<&str> {
    body["tool_name"].as_str()
}

fn add(value: &Value, depth: usize, words: &mut String) {
    match value {
        _ if depth == 0 => (),
        Value::Null | Value::Bool(_) => (),
        Value::Number(number) => words.extend([" ", &number.to_string()]),
        Value::String(text) => match inner(text) {
            Some(inner) => add(&inner, depth - 1, words),
            None => words.extend([" ", text]),
        },
        Value::Array(values) => values.iter().for_each(|value| add(value, depth - 1, words)),
        Value::Object(fields) => fields
            .values()
            .for_each(|value| add(value, depth - 1, words)),
    }
}

fn inner(text: &str) -> Option<Value> {
    let is_json = text.starts_with(['{', '[']);
    is_json.then(|| serde_json::from_str(text).ok()).flatten()
}
