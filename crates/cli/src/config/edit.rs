//! Changes values in the text of a configuration and leaves all else as it is: order, comments, blank lines.
//!
//! A key that is there gets another value in its place, one that is not is added below the head of its table,
//! one that is to go becomes a comment. A file that is written in another way than with a head `[table]` is
//! refused rather than guessed at. Whether the new values make sense is asked elsewhere, by reading the result.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What becomes of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// It has this value, as TOML writes it.
    Set(String),
    /// It says nothing any more.
    Silence,
}

/// Why a text is not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unchanged {
    /// It cannot be read.
    NotToml,
    /// The table is written in a way that is not changed here.
    Shape(String),
}

impl fmt::Display for Unchanged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotToml => out.write_str("it is not TOML"),
            Self::Shape(table) => {
                write!(
                    out,
                    "`{table}` is not written as a table with a head `[{table}]`"
                )
            }
        }
    }
}

/// The text with these changes in a table of the first level.
pub(crate) fn changed(
    text: &str,
    table: &str,
    changes: &[(&str, Change)],
) -> Result<String, Unchanged> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(Unchanged::NotToml);
    }
    let found = document.get_ref().iter();
    let found = found.into_iter().find(|(name, _)| name.get_ref() == table);
    let Some((name, value)) = found else {
        return Ok(appended(text, table, changes));
    };
    let shape = || Unchanged::Shape(table.to_owned());
    let head = head(text, name.span()).ok_or_else(shape)?;
    let there = value.get_ref().as_table().ok_or_else(shape)?;
    let mut edits = Vec::new();
    let mut new = String::new();
    for (key, change) in changes {
        let found = there.iter().find(|(name, _)| name.get_ref() == key);
        match (found, change) {
            (Some((_, value)), Change::Set(word)) => edits.push((value.span(), word.clone())),
            (Some((name, value)), Change::Silence) => {
                edits.push(silenced(text, name.span(), value));
            }
            (None, Change::Set(word)) => new.push_str(&format!("{key} = {word}\n")),
            (None, Change::Silence) => (),
        }
    }
    edits.push((head..head, new));
    Ok(applied(text, edits))
}

/// The place behind the line with the head, if that is what the name stands in.
fn head(text: &str, name: Range<usize>) -> Option<usize> {
    let line = line_start(text, name.start);
    let is_head =
        text[line..name.start].trim() == "[" && text[name.end..].trim_start().starts_with(']');
    is_head.then(|| line_end(text, name.end))
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Behind the end of the line.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// The lines of a key as comments.
fn silenced(
    text: &str,
    name: Range<usize>,
    value: &Spanned<DeValue<'_>>,
) -> (Range<usize>, String) {
    let lines = line_start(text, name.start)..line_end(text, value.span().end);
    let quiet = text[lines.clone()]
        .lines()
        .map(|line| format!("# {line}\n"));
    (lines.clone(), quiet.collect())
}

fn appended(text: &str, table: &str, changes: &[(&str, Change)]) -> String {
    let mut made = text.to_owned();
    if !made.is_empty() && !made.ends_with('\n') {
        made.push('\n');
    }
    if !made.is_empty() {
        made.push('\n');
    }
    made.push_str(&format!("[{table}]\n"));
    for (key, change) in changes {
        if let Change::Set(word) = change {
            made.push_str(&format!("{key} = {word}\n"));
        }
    }
    made
}

/// From the end to the beginning, so that no place moves before its turn.
fn applied(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = text.to_owned();
    for (place, mut word) in edits {
        let is_new_line = place.is_empty() && !word.is_empty();
        if is_new_line && place.start == text.len() && !text.ends_with('\n') {
            word.insert(0, '\n');
        }
        text.replace_range(place, &word);
    }
    text
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
