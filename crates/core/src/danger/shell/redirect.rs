//! Redirections, here-strings and here-documents.
//!
//! The text of a here-document stands behind the line that asks for it; it is read when that line ends.

use std::cell::OnceCell;
use std::rc::Rc;

use super::{Awaited, Reader, Redirect, Tabs, Trouble, Word, expansion};

/// The longer ones first: each is the beginning of none that follows.
const OPERATORS: &[(&str, Kind)] = &[
    ("<<<", Kind::String),
    ("<<-", Kind::Document(Tabs::Dropped)),
    ("<<", Kind::Document(Tabs::Kept)),
    ("<>", Kind::To),
    ("<&", Kind::From),
    ("<", Kind::From),
    ("&>>", Kind::To),
    ("&>", Kind::To),
    (">>", Kind::To),
    (">&", Kind::To),
    (">|", Kind::To),
    (">", Kind::To),
];

#[derive(Debug, Clone, Copy)]
enum Kind {
    From,
    To,
    String,
    Document(Tabs),
}

impl Reader {
    /// Reads a redirection if one stands here.
    pub(super) fn redirect(&mut self, redirects: &mut Vec<Redirect>) -> Result<bool, Trouble> {
        let Some(kind) = self.operator() else {
            return Ok(false);
        };
        self.skip_blanks();
        let word = self.word()?.unwrap_or_default();
        redirects.push(match kind {
            Kind::From => Redirect::From(word),
            Kind::To => Redirect::To(word),
            Kind::String => Redirect::Text(Rc::new(OnceCell::from(word))),
            Kind::Document(tabs) => self.await_document(word, tabs),
        });
        Ok(true)
    }

    /// Goes behind an operator, with the number of the stream that may stand before it.
    fn operator(&mut self) -> Option<Kind> {
        let start = self.at;
        while self.peek().is_some_and(|char| char.is_ascii_digit()) {
            self.at += 1;
        }
        let begun = OPERATORS.iter().find(|(sign, _)| self.sees(sign));
        let Some((sign, kind)) = begun.filter(|_| !self.is_process()) else {
            self.at = start;
            return None;
        };
        self.at += sign.len();
        Some(*kind)
    }

    fn await_document(&mut self, until: Word, tabs: Tabs) -> Redirect {
        let text = Rc::new(OnceCell::new());
        let waiting = Rc::clone(&text);
        self.awaited.push(Awaited {
            until,
            tabs,
            text: waiting,
        });
        Redirect::Text(text)
    }

    /// Reads the here-documents that the line before asked for.
    pub(super) fn here_documents(&mut self) -> Result<(), Trouble> {
        for awaited in std::mem::take(&mut self.awaited) {
            let text = self.document(&awaited);
            let word = match awaited.until.bare {
                true => expansion::quoted(text, self.depth + 1)?,
                false => Word {
                    text: text.into_iter().collect(),
                    ..Word::default()
                },
            };
            // Each was asked for once, so the place is empty.
            let _ = awaited.text.set(word);
        }
        Ok(())
    }

    /// The lines up to the one that is the word, or all there are.
    fn document(&mut self, awaited: &Awaited) -> Vec<char> {
        let until: Vec<char> = awaited.until.text.chars().collect();
        let mut text = Vec::new();
        while self.peek().is_some() {
            let rest = &self.chars[self.at..];
            let length = rest
                .iter()
                .position(|char| *char == '\n')
                .unwrap_or(rest.len());
            let mut line = &rest[..length];
            self.at = (self.at + length + 1).min(self.chars.len());
            while awaited.tabs == Tabs::Dropped && line.first() == Some(&'\t') {
                line = &line[1..];
            }
            if line == until {
                break;
            }
            text.extend_from_slice(line);
            text.push('\n');
        }
        text
    }
}
