//! Looks for words in an output that arrives in any pieces.
//!
//! Lines are looked at as soon as they have the words, also before they end: a prompt has no end. A line is
//! told once. What has not ended yet is kept for the next piece, so a word that arrives in two pieces is
//! found; of a line without end only the last part is kept. Cleaning the text comes before, masking after; but
//! a line inside a private key is hidden here, where its place is known.
//!
//! The stored form has no words: whoever goes on with it reads the open line again.

use serde::{Deserialize, Serialize};

use crate::limits;
use crate::mask::key::{self, Key};

/// How far an output was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scan {
    /// The line that has not ended, or its last part.
    #[serde(skip)]
    open: String,
    /// Whether that line was told.
    line: Line,
    /// Whether that line stands inside a private key.
    #[serde(default, skip_serializing_if = "Key::is_outside")]
    key: Key,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// It was not told.
    #[default]
    New,
    /// It was.
    Told,
}

/// Lines with wanted words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The words: the first in the list that the first line has.
    pub pattern: String,
    /// The lines, as many as are told, without blanks at their ends.
    pub lines: String,
    /// How many there are.
    pub count: u32,
    /// How the last one stands.
    pub last: Last,
}

/// How a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Last {
    /// It has ended.
    #[default]
    Whole,
    /// More of it may come.
    Open,
}

impl Scan {
    /// Looks at the next piece of an output.
    pub fn read(&mut self, patterns: &[String], text: &str) -> Option<Found> {
        let mut found = Finding::default();
        self.open.push_str(text);
        let open = std::mem::take(&mut self.open);
        let mut rest = open.as_str();
        while let Some((line, after)) = split_line(rest) {
            self.look_at(line, patterns, &mut found);
            self.line = Line::New;
            self.key = self.key.after(line);
            rest = after;
        }
        let whole = found.count;
        if !rest.is_empty() {
            self.look_at(rest, patterns, &mut found);
        }
        if found.count > whole {
            found.last = Last::Open;
        }
        self.open = last_part(rest).to_owned();
        found.finish()
    }

    /// What somebody else needs to go on, who reads the open line again.
    pub fn for_another(&self) -> Self {
        Self {
            open: String::new(),
            ..self.clone()
        }
    }

    /// Something is missing before the next piece: the open line goes no further. A private key may.
    pub fn skip(&mut self) {
        *self = Self {
            key: self.key,
            ..Self::default()
        };
    }

    fn look_at(&mut self, line: &str, patterns: &[String], found: &mut Finding) {
        let pattern = patterns.iter().find(|pattern| line.contains(*pattern));
        if let Some(pattern) = pattern
            && self.line == Line::New
        {
            self.line = Line::Told;
            found.add(pattern, self.shown(line));
        }
    }

    /// A line of a private key does not look like one when it stands alone.
    fn shown<'a>(&self, line: &'a str) -> &'a str {
        match self.key {
            Key::Outside => line,
            Key::Inside(_) => key::LINE_HIDDEN,
        }
    }
}

/// The first line of a text and what comes after its end, if it has ended. A return at the very end may be
/// half of a line's end.
fn split_line(text: &str) -> Option<(&str, &str)> {
    let at = text.find(['\n', '\r'])?;
    let (line, end) = text.split_at(at);
    let after = match end.strip_prefix("\r\n") {
        Some(after) => after,
        None if end == "\r" => return None,
        None => &end[1..],
    };
    Some((line, after))
}

/// As much of a line without end as is kept.
fn last_part(line: &str) -> &str {
    let over = line.len().saturating_sub(limits::WATCH_LINE_BYTES);
    &line[line.ceil_char_boundary(over)..]
}

#[derive(Default)]
struct Finding {
    pattern: String,
    lines: Vec<String>,
    count: u32,
    last: Last,
}

impl Finding {
    fn add(&mut self, pattern: &str, line: &str) {
        if self.count == 0 {
            pattern.clone_into(&mut self.pattern);
        }
        self.count = self.count.saturating_add(1);
        if self.lines.len() < limits::HIT_LINES {
            self.lines.push(line.trim_end().to_owned());
        }
    }

    fn finish(self) -> Option<Found> {
        (self.count > 0).then(|| Found {
            pattern: self.pattern,
            lines: cut(self.lines.join("\n")),
            count: self.count,
            last: self.last,
        })
    }
}

/// The beginning of the lines, and a mark where they were cut.
fn cut(mut lines: String) -> String {
    if let Some((at, _)) = lines.char_indices().nth(limits::HIT_CHARS) {
        lines.truncate(at);
        lines.push_str("\n…");
    }
    lines
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
