//! A text that comes in pieces, with its secrets hidden.
//!
//! A secret may come in two pieces, and neither half looks like one. So the end of the text is held back
//! until its line is whole, or so long that nobody waits for it any more; then it is cut between two
//! words. A private key is many lines: it is held back as one.
//!
//! ```text
//! push(piece) → whole lines, masked        quiet() → a line that waits for an answer
//! finish() → what never became whole
//! ```

use std::sync::Arc;

use super::block::{self, Armour};
use super::{Masker, Surface};
use crate::limits;

/// The text as it came, as far as it was not shown yet.
#[derive(Debug)]
pub struct Lines {
    masker: Arc<Masker>,
    surface: Surface,
    held: String,
}

impl Lines {
    /// A text that is shown there.
    #[must_use]
    pub fn new(masker: Arc<Masker>, surface: Surface) -> Self {
        let held = String::new();
        Self {
            masker,
            surface,
            held,
        }
    }

    /// Whether something waits for the rest of its line.
    #[must_use]
    pub fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Takes a piece; returns what can be shown now.
    pub fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let whole = self.held.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let rest = self.held.len() - whole;
        let whole = if rest > limits::MASK_HELD_BYTES {
            word_start(&self.held)
        } else {
            whole
        };
        self.show(key_start(&self.held, whole))
    }

    /// Nothing came for a while: a line that ends in a blank waits for an answer, and is shown.
    pub fn quiet(&mut self) -> String {
        let words = self
            .held
            .rfind([' ', '\t', '\n', '\r'])
            .map_or(0, |end| end + 1);
        self.show(key_start(&self.held, words))
    }

    /// The text has ended; returns the rest.
    pub fn finish(&mut self) -> String {
        self.show(self.held.len())
    }

    fn show(&mut self, bytes: usize) -> String {
        let shown = self
            .masker
            .shown(&self.held[..bytes], self.surface)
            .into_owned();
        self.held.drain(..bytes);
        shown
    }
}

/// Where the last word begins; the end of a text that is one word.
fn word_start(text: &str) -> usize {
    let blank = text.rfind([' ', '\t', '\n', '\r']).map(|end| end + 1);
    blank.unwrap_or(text.len())
}

/// How much of what is whole is before a private key that is not, unless that goes on for too long.
fn key_start(text: &str, whole: usize) -> usize {
    let mut open = None;
    let mut from = 0;
    while let Some((found, armour)) = block::next(text, from) {
        open = (armour == Armour::Begin).then(|| *open.get_or_insert(found.start));
        from = found.end;
    }
    match open {
        Some(start) if text.len() - start <= limits::MASK_KEY_BYTES => start.min(whole),
        Some(_) | None => whole,
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
