//! A transcript as a document, for people (Markdown) or programs (JSON).
//!
//! ```text
//! open(head)  row row row …  close()     each a piece of text; together they are the document
//! ```
//!
//! A document is made piece by piece, so that a long transcript is never in memory as a whole.
//!
//! What was said comes from anyone. In Markdown every line of it stands in a quote, and a quote ends all
//! that was opened in it: no heading, fence or comment of a text reaches into the document. Names and
//! titles stand on one line, with everything that Markdown reads as a mark written out. In JSON nothing
//! needs care, and every field of a row is there.
//!
//! It does not choose the rows: hidden ones are told as such if they are given.

use serde::Serialize;
use serde_json::json;

use super::entry::{Attention, Entry, ToolCall, Visibility};
use crate::id::SessionId;
use crate::limits;
use crate::time::Timestamp;

/// The form of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// To be read.
    #[default]
    Markdown,
    /// To be read by programs: one object with the session and its `entries`.
    Json,
}

/// What the document is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The session.
    pub session: SessionId,
    /// What it is called.
    pub title: Option<String>,
    /// Who or what it is with.
    pub label: String,
    /// When it began.
    pub started_at: Timestamp,
}

/// One row, with what is known of it beside its content.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Row<'a> {
    /// Its place.
    pub seq: u64,
    /// The speaker's name.
    pub name: Option<&'a str>,
    /// What was said.
    #[serde(flatten)]
    pub entry: &'a Entry,
}

/// A document that is being made.
#[derive(Debug, Clone)]
pub struct Export {
    format: Format,
    rows: usize,
}

impl Export {
    /// A new document.
    pub fn new(format: Format) -> Self {
        Self { format, rows: 0 }
    }

    /// Its beginning.
    pub fn open(&self, head: &Head) -> String {
        match self.format {
            Format::Markdown => heading(head),
            Format::Json => {
                let session = json!({
                    "id": head.session.to_string(),
                    "title": head.title,
                    "label": head.label,
                    "started_at": head.started_at.to_string(),
                });
                format!("{{\"session\":{session},\"entries\":[")
            }
        }
    }

    /// The next row.
    pub fn row(&mut self, row: &Row<'_>) -> String {
        self.rows += 1;
        match self.format {
            Format::Markdown => section(row),
            Format::Json => {
                let comma = if self.rows == 1 { "\n" } else { ",\n" };
                // Maps of a row have texts as keys, so it always has a JSON form.
                format!("{comma}{}", serde_json::to_value(row).unwrap_or_default())
            }
        }
    }

    /// Its end.
    pub fn close(&self) -> &'static str {
        match self.format {
            Format::Markdown => "",
            Format::Json => "\n]}\n",
        }
    }
}

fn heading(head: &Head) -> String {
    let title = head.title.as_deref().unwrap_or(&head.label);
    let (title, label) = (line(title), line(&head.label));
    let (id, began) = (head.session, head.started_at);
    format!("# {title}\n\nWith {label}, from {began}. Session `{id}`.\n")
}

fn section(row: &Row<'_>) -> String {
    let mut quoted = String::new();
    quote(&mut quoted, &row.entry.in_words());
    for call in &row.entry.tool_calls {
        quote(&mut quoted, &called(call));
    }
    format!("\n## {}\n{quoted}", speaker(row))
}

/// Who speaks, in what way, and when.
fn speaker(row: &Row<'_>) -> String {
    let entry = row.entry;
    let role = line(entry.role.as_str());
    let name = row.name.or(entry.tool_name.as_deref()).map(line);
    let mut words = name.map_or_else(|| role.clone(), |name| format!("{name} ({role})"));
    if entry.attention == Attention::Observed {
        words.push_str(", overheard");
    }
    match entry.visibility {
        Visibility::Visible => {}
        Visibility::Rewound => words.push_str(", undone"),
        Visibility::Compacted => words.push_str(", summarised"),
    }
    if let Some(at) = entry.at {
        words.push_str(&format!(", {at}"));
    }
    words
}

fn called(call: &ToolCall) -> String {
    let told = serde_json::to_string_pretty(call).unwrap_or_default();
    let longest = told.split(|char| char != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let name = call.name().map_or_else(|| "a tool".to_owned(), line);
    format!("Calls {name}:\n\n{fence}json\n{told}\n{fence}")
}

/// Adds a paragraph of quoted lines. A lone carriage return ends a line for Markdown too.
fn quote(document: &mut String, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    document.push('\n');
    for said in text.replace("\r\n", "\n").split(['\n', '\r']) {
        document.push_str("> ");
        document.push_str(said);
        document.push('\n');
    }
}

/// A name on one line, bounded, every mark written out.
fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let shown = words.join(" ");
    let shown = shown.chars().filter(|char| !char.is_control());
    let mut written = String::new();
    for char in shown.take(limits::LABEL_CHARS_MAX) {
        if char.is_ascii_punctuation() && !matches!(char, ' ' | ',' | '\'') {
            written.push('\\');
        }
        written.push(char);
    }
    written
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
