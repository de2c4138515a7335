//! Text from outside, made inert before an agent or a person reads it among ours.
//!
//! Names, topics and ids are chosen by people we do not know, so they may hold line breaks that
//! look like a new section, characters that turn the text around them, or letters nobody sees.
//! Three forms take the harm out: `Quoted` (a JSON string, for names and topics), `Code` (in code
//! marks, for ids that tools take as they are) and `inline` (one plain line, for sender prefixes).
//!
//! In all of them characters without a shape vanish, controls become blanks, and the text is cut
//! after a number of characters. What the words say is not judged: that they are labels and not
//! instructions is said in the prompt.

use std::fmt;

use serde_json::Value;

use crate::limits::LABEL_CHARS_MAX;

const CUT: &str = "...";

/// A text that shows as a JSON string.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quoted(String);

impl Quoted {
    /// Quotes a text of the usual length.
    pub fn new(text: &str) -> Self {
        Self::within(text, LABEL_CHARS_MAX)
    }

    /// Quotes at most `max_chars` characters of a text.
    pub fn within(text: &str, max_chars: usize) -> Self {
        let lines = one_kind_of_line_end(&visible(text));
        let spaced = lines.trim_matches(is_blank).chars().map(blank_if_control);
        Self(cut(spaced.collect(), max_chars))
    }

    /// The text between the quotation marks.
    pub fn as_text(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing to see.
    pub fn is_blank(&self) -> bool {
        self.0.chars().all(is_blank)
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", Value::from(self.as_text()))
    }
}

/// A text that shows in code marks, on one line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code(String);

impl Code {
    /// Marks a text of the usual length.
    pub fn new(text: &str) -> Self {
        Self(inline(text).replace('`', "'"))
    }

    /// The text between the marks.
    pub fn as_text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}`", self.0)
    }
}

/// A text as one plain line of the usual length.
#[must_use]
pub fn inline(text: &str) -> String {
    inline_within(text, LABEL_CHARS_MAX)
}

/// A text as one plain line of at most `max_chars` characters.
#[must_use]
pub fn inline_within(text: &str, max_chars: usize) -> String {
    let spaced: String = visible(text).chars().map(blank_if_line_end).collect();
    let words: Vec<&str> = spaced.split(is_blank).filter(|w| !w.is_empty()).collect();
    cut(words.join(" "), max_chars)
}

fn visible(text: &str) -> String {
    text.chars().filter(|char| !is_shapeless(*char)).collect()
}

/// Marks of direction, joiners, fillers, annotations, and the plane of tags, in which a whole
/// second text can hide. The joiner between two faces of an emoji goes as well: a label stays
/// readable without it.
fn is_shapeless(char: char) -> bool {
    matches!(char,
        '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Next line, line separator and paragraph separator end a line as much as the usual ones do.
fn one_kind_of_line_end(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n")
}

/// White space, and the four separators that ASCII has among its controls.
fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{1c}'..='\u{1f}')
}

fn blank_if_control(char: char) -> char {
    let harmless = matches!(char, '\n' | '\t') || !char.is_control();
    if harmless { char } else { ' ' }
}

fn blank_if_line_end(char: char) -> char {
    if char.is_control() { ' ' } else { char }
}

fn cut(text: String, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text;
    }
    let kept = max_chars.saturating_sub(CUT.len());
    let marked = text.chars().take(kept).chain(CUT.chars());
    marked.take(max_chars).collect()
}

#[cfg(test)]
#[path = "quote_tests.rs"]
mod tests;
