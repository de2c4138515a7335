//! The atoms that a document is written in.
//!
//! An atom is what is never parted: a letter with its escape, a blank, a line break, or a mark that
//! opens or closes a style. A mark is remembered with both its ends, so that a cut can close what is
//! open and open it again. A [`Writer`] lays them down in order; what is written is `flow`'s to say.

use std::ops::Range;

use super::document::Style;
use super::tongue::{Before, Inside, Letter, Quote, Tongue};
use crate::text::Limit;
use crate::text::grapheme::graphemes;

/// Whether styles are marked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dress {
    Marked,
    /// For limits too small for the marks.
    Bare,
}

/// The atoms of a document.
pub(super) struct Flow {
    pub(super) text: String,
    pub(super) atoms: Vec<Atom>,
    pub(super) marks: Vec<Mark>,
}

/// What is never parted; it ends at this place in the text.
pub(super) struct Atom {
    pub(super) end: usize,
    pub(super) len: usize,
    pub(super) kind: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Letter,
    Blank,
    Line,
    /// Opens the mark with this number.
    Open(usize),
    /// Closes the mark that was opened last.
    Close,
}

/// A mark with both its ends.
pub(super) struct Mark {
    pub(super) what: Marked,
    pub(super) open: String,
    pub(super) close: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marked {
    Style(Style),
    Block,
    Heading,
    Link,
    Quote,
}

impl Flow {
    /// The text of an atom.
    pub(super) fn at(&self, index: usize) -> &str {
        self.among(index..index + 1)
    }

    /// The text of some atoms in a row.
    pub(super) fn among(&self, atoms: Range<usize>) -> &str {
        let start = self.end_before(atoms.start);
        &self.text[start..self.end_before(atoms.end)]
    }

    fn end_before(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |last| self.atoms[last].end)
    }
}

/// Writes atoms in a platform's writing.
pub(super) struct Writer<'t> {
    pub(super) tongue: &'t Tongue,
    pub(super) limit: Limit,
    pub(super) dress: Dress,
    pub(super) flow: Flow,
    /// The marks that are open, as numbers.
    pub(super) open: Vec<usize>,
    pub(super) indent: usize,
}

impl Writer<'_> {
    /// Begins a line, as far in as the entry of the list that it belongs to.
    pub(super) fn line(&mut self) {
        self.line_break();
        if self.indent > 0 {
            self.flow.text.push_str(&" ".repeat(self.indent));
            self.lay(Part::Blank);
        }
    }

    pub(super) fn line_break(&mut self) {
        self.flow.text.push('\n');
        let quoted = self.is_open(Marked::Quote);
        if let (true, Quote::Lines(mark)) = (quoted, self.tongue.quote) {
            self.flow.text.push_str(mark);
        }
        self.lay(Part::Line);
    }

    pub(super) fn marked(
        &mut self,
        what: Marked,
        marks: Option<(String, String)>,
        inner: impl FnOnce(&mut Self),
    ) {
        match marks {
            Some((open, close)) if self.dress == Dress::Marked => {
                self.open(what, open, close);
                let begun = self.flow.atoms.len();
                inner(self);
                if self.flow.atoms.len() == begun {
                    self.take_back();
                } else {
                    self.close();
                }
            }
            _ => inner(self),
        }
    }

    pub(super) fn open(&mut self, what: Marked, open: String, close: String) {
        self.flow.text.push_str(self.separator(&open));
        self.flow.text.push_str(&open);
        let number = self.flow.marks.len();
        self.flow.marks.push(Mark { what, open, close });
        self.open.push(number);
        self.lay(Part::Open(number));
    }

    /// Takes a mark back around which nothing came to stand.
    pub(super) fn take_back(&mut self) {
        self.open.pop();
        self.flow.atoms.pop();
        let end = self.flow.atoms.last().map_or(0, |last| last.end);
        self.flow.text.truncate(end);
    }

    pub(super) fn close(&mut self) {
        if let Some(number) = self.open.pop() {
            let close = self.flow.marks[number].close.clone();
            self.flow.text.push_str(self.separator(&close));
            self.flow.text.push_str(&close);
            self.lay(Part::Close);
        }
    }

    /// Two marks `_` in a row would be read as one for underlining; two marks `**` mean nothing.
    pub(super) fn separator(&self, mark: &str) -> &'static str {
        let after_mark = self
            .flow
            .atoms
            .last()
            .is_some_and(|last| matches!(last.kind, Part::Open(_) | Part::Close));
        if mark == "_" && after_mark && self.flow.text.ends_with('_') {
            "**"
        } else {
            ""
        }
    }

    pub(super) fn is_open(&self, what: Marked) -> bool {
        let found = |number: &usize| self.flow.marks[*number].what == what;
        self.open.iter().any(found)
    }

    /// Words, in which addresses stay as they are.
    pub(super) fn say(&mut self, text: &str) {
        for word in text.split_inclusive(' ') {
            let inside = if word.contains("://") {
                Inside::Address
            } else {
                Inside::Text
            };
            self.letters(word, inside);
        }
    }

    pub(super) fn letters(&mut self, text: &str, inside: Inside) {
        let inside = match self.dress {
            Dress::Marked => inside,
            Dress::Bare => Inside::Text,
        };
        let mut before = None;
        for (at, letter) in graphemes(text) {
            self.letter(&Letter {
                text: letter,
                before: before.map_or_else(|| self.before(), Before::Char),
                rest: &text[at + letter.len()..],
                inside,
            });
            before = letter.chars().next_back();
        }
    }

    pub(super) fn before(&self) -> Before {
        match self.flow.atoms.last().map(|last| last.kind) {
            None | Some(Part::Line) => Before::Line,
            Some(_) => Before::Blank,
        }
    }

    pub(super) fn letter(&mut self, letter: &Letter<'_>) {
        match letter.text {
            "\n" | "\r\n" => return self.line_break(),
            text if text.len() > 1 && self.unit_len(text) > self.limit.max / 4 => {
                return self.parted(letter);
            }
            _ => {}
        }
        (self.tongue.escape)(letter, &mut self.flow.text);
        let blank = letter.text.chars().all(char::is_whitespace);
        self.lay(if blank { Part::Blank } else { Part::Letter });
    }

    /// A letter with so many marks on it that a message hardly holds it: each of them is an atom.
    pub(super) fn parted(&mut self, letter: &Letter<'_>) {
        for char in letter.text.chars() {
            let mut buffer = [0; 4];
            let text: &str = char.encode_utf8(&mut buffer);
            (self.tongue.escape)(&Letter { text, ..*letter }, &mut self.flow.text);
            self.lay(Part::Letter);
        }
    }

    pub(super) fn unit_len(&self, text: &str) -> usize {
        self.limit.unit.len(text)
    }

    pub(super) fn lay(&mut self, kind: Part) {
        let start = self.flow.atoms.last().map_or(0, |last| last.end);
        let end = self.flow.text.len();
        let len = self.unit_len(&self.flow.text[start..end]);
        self.flow.atoms.push(Atom { end, len, kind });
    }
}
