//! A text that comes in pieces, with its secrets hidden.
//!
//! A secret may come in two pieces, and neither half looks like one. Two rules keep it whole. Whoever has
//! the raw bytes shows only as many of them as [`ready`] says: whole lines, or at least whole words. And
//! [`Pieces`] remembers what went before in the same line, or that a private key has begun, and judges
//! each piece together with that.
//!
//! ```text
//! bytes → ready(…) → text of that many → Pieces::shown → somebody
//! ```

use std::sync::Arc;

use super::block::{self, Armour};
use super::{Masker, Surface, shape};
use crate::limits;

/// How long the rest of what was begun is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Until the line is whole.
    Line,
    /// Until the word is whole: nothing came for a while, and a question has no line end.
    Word,
    /// Nothing more will come.
    None,
}

/// How many of these bytes can be shown without tearing a secret. Of what is too long to be waited for,
/// all.
#[must_use]
pub fn ready(bytes: &[u8], patience: Patience) -> usize {
    let after_last = |ends: fn(u8) -> bool| {
        let last = bytes.iter().rposition(|byte| ends(*byte));
        last.map_or(0, |at| at + 1)
    };
    let words = || match after_last(|byte| byte.is_ascii_whitespace()) {
        start if bytes.len() - start > limits::MASK_HELD_BYTES => bytes.len(),
        start if may_be_torn(&bytes[start..]) => start,
        _ => bytes.len(),
    };
    let lines = || after_last(|byte| matches!(byte, b'\n' | b'\r'));
    match patience {
        Patience::None => bytes.len(),
        Patience::Word => words(),
        Patience::Line if bytes.len() - lines() > limits::MASK_HELD_BYTES => words(),
        Patience::Line => lines(),
    }
}

/// Whether a word may be the beginning of a secret. One of few letters is no more than a mask would show,
/// and one of small letters is a word.
fn may_be_torn(word: &[u8]) -> bool {
    let word = after_escapes(word);
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    let inner = word.iter().rposition(is_letter).map_or(0, |last| last + 1);
    let inner = word[..inner]
        .iter()
        .skip_while(|byte| byte.is_ascii_punctuation());
    word.len() > shape::FIRST && !inner.skip(1).all(u8::is_ascii_lowercase)
}

/// What follows the last escape for a terminal.
fn after_escapes(word: &[u8]) -> &[u8] {
    let Some(escape) = word.iter().rposition(|byte| *byte == 0x1b) else {
        return word;
    };
    let end = word[escape..].iter().position(u8::is_ascii_alphabetic);
    end.map_or(&[], |end| &word[escape + end + 1..])
}

/// What went before a piece.
#[derive(Debug)]
enum Before {
    /// This, in the same line.
    Line(String),
    /// The beginning of a private key, and so many bytes of it.
    Key(usize),
}

/// Shows a text piece by piece.
#[derive(Debug)]
pub struct Pieces {
    masker: Arc<Masker>,
    surface: Surface,
    before: Before,
}

impl Pieces {
    /// A text that begins here.
    #[must_use]
    pub fn new(masker: Arc<Masker>, surface: Surface) -> Self {
        Self {
            masker,
            surface,
            before: Before::Line(String::new()),
        }
    }

    /// A text that goes on after this, which somebody may have seen.
    #[must_use]
    pub fn after(mut self, before: &str) -> Self {
        self.before = self.then(before);
        self
    }

    /// The next piece, as it may be seen.
    pub fn shown(&mut self, text: &str) -> String {
        let shown = self.masked(text);
        self.before = self.then(text);
        shown
    }

    fn masked(&self, text: &str) -> String {
        match &self.before {
            Before::Line(line) if line.is_empty() => self.alone(text),
            Before::Line(line) => {
                let all = self.alone(&format!("{line}{text}"));
                match all.strip_prefix(line.as_str()) {
                    Some(rest) => rest.to_owned(),
                    // The secret began in what was seen already: the rest of its line goes.
                    None => format!("{}{}", shape::HIDDEN, &all[line_end(&all)..]),
                }
            }
            Before::Key(_) => match key_end(text) {
                Some(end) => self.alone(&text[end..]),
                None => String::new(),
            },
        }
    }

    fn alone(&self, text: &str) -> String {
        self.masker.shown(text, self.surface).into_owned()
    }

    /// What will have gone before once this was shown too.
    fn then(&self, text: &str) -> Before {
        let text = match &self.before {
            Before::Line(line) => format!("{line}{text}"),
            Before::Key(bytes) => match key_end(text) {
                Some(end) => text[end..].to_owned(),
                None => return going_on(bytes + text.len()),
            },
        };
        match open_key(&text) {
            Some(start) => going_on(text.len() - start),
            None => Before::Line(last_line(&text).to_owned()),
        }
    }
}

/// A key that goes on for so long was none.
fn going_on(bytes: usize) -> Before {
    if bytes > limits::MASK_KEY_BYTES {
        Before::Line(String::new())
    } else {
        Before::Key(bytes)
    }
}

fn line_end(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// What stands in the last line, as far back as it is remembered.
fn last_line(text: &str) -> &str {
    let line = text.rsplit('\n').next().unwrap_or(text);
    let mut from = line.len().saturating_sub(limits::MASK_HELD_BYTES);
    while !line.is_char_boundary(from) {
        from += 1;
    }
    &line[from..]
}

fn key_end(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some((found, armour)) = block::next(text, from) {
        if armour == Armour::End {
            return Some(found.end);
        }
        from = found.end;
    }
    None
}

/// Where a private key begins that does not end.
pub(super) fn open_key(text: &str) -> Option<usize> {
    let (mut open, mut from) = (None, 0);
    while let Some((found, armour)) = block::next(text, from) {
        open = match armour {
            Armour::Begin => open.or(Some(found.start)),
            Armour::End => None,
        };
        from = found.end;
    }
    open
}

#[cfg(test)]
#[path = "pieces_tests.rs"]
mod tests;
