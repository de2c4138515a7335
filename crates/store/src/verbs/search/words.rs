//! The words of a transcript row: its text, the tool that speaks, and the tools that it asks for.
//!
//! Of a call only values are words, and a value that is JSON itself (arguments often are) is taken apart
//! too: its line breaks are line breaks then and do not stick to the word behind them.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use super::super::rows;
use crate::database::fault::Fault;
use crate::database::row::{Cell, Row};

/// How deep a call is looked into.
const DEPTH: usize = 32;

/// What a row's body says of tools, under the names of `Entry`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Tools {
    tool_name: Option<String>,
    tool_calls: Value,
}

/// The tools of a row, if it has a body in this column.
fn tools(row: &Row<'_>, column: usize) -> Result<Option<Tools>, Fault> {
    if row.get_ref(column)? == Cell::Null {
        return Ok(None);
    }
    rows::body(row, column).map(Some)
}

/// The words of a row: its text in the given column, its body in the next.
pub(super) fn words<'r>(row: &'r Row<'_>, text: usize) -> Result<Cow<'r, str>, Fault> {
    let said = row.get_ref(text)?.as_str()?;
    let Some(tools) = tools(row, text + 1)? else {
        return Ok(Cow::Borrowed(said));
    };
    let mut all = said.to_owned();
    let name = tools.tool_name.iter();
    all.extend(name.flat_map(|name| [" ", name]));
    add(&tools.tool_calls, DEPTH, &mut all);
    Ok(Cow::Owned(all))
}

/// The tool that speaks in a row with its body in this column.
pub(super) fn tool_name(row: &Row<'_>, column: usize) -> Result<Option<String>, Fault> {
    Ok(tools(row, column)?.and_then(|tools| tools.tool_name))
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
