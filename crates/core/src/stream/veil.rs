//! Words on their way into a draft, without the secrets in them.
//!
//! ```text
//! said, thought, parted ─▶ Veil ─▶ lift ─▶ Draft: more words, or all of them anew
//! ```
//!
//! Where people read, the whole reply so far is looked at each time something is to be drawn, so that a secret which comes in
//! pieces is never seen in part. Where programs read, words go on as they come. What is shown in the end is decided over the
//! whole reply, with the same rules.

use std::sync::Arc;

use super::Draft;
use crate::limits;
use crate::mask::{self, Masker, Surface};
use crate::text::complaint::{self, Reader};

/// What stands between an agent's words and those who see them grow.
#[derive(Debug)]
pub struct Veil {
    reader: Reader,
    masker: Arc<Masker>,
    said: Parted,
    drawn: Parted,
    thoughts: Thoughts,
}

/// A text, and where it is parted.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parted {
    text: String,
    breaks: Vec<usize>,
}

/// What was thought lately, and what was drawn of that.
#[derive(Debug, Default)]
struct Thoughts {
    text: String,
    /// How much of it was looked at.
    looked: usize,
    drawn: String,
}

impl Veil {
    /// Over words that somebody reads.
    #[must_use]
    pub fn new(reader: Reader, masker: &Arc<Masker>) -> Self {
        Self {
            reader,
            masker: Arc::clone(masker),
            said: Parted::default(),
            drawn: Parted::default(),
            thoughts: Thoughts::default(),
        }
    }

    /// More words came.
    pub fn say(&mut self, more: &str) {
        self.said.text.push_str(more);
    }

    /// What comes next is a message of its own.
    pub fn part(&mut self) {
        self.said.breaks.push(self.said.text.len());
    }

    /// The words are these, parted there.
    pub fn rewrite(&mut self, text: String, breaks: Vec<usize>) {
        self.said = Parted { text, breaks };
    }

    /// More thoughts came, beside the words.
    pub fn think(&mut self, more: &str) {
        self.thoughts.text.push_str(more);
    }

    /// Lets a draft have what may be seen by now.
    pub fn lift(&mut self, draft: &mut Draft) {
        match self.reader {
            Reader::Program => draft.think(&std::mem::take(&mut self.thoughts.text)),
            Reader::People => self.thoughts.go_on(&self.masker, draft),
        }
        let seen = self.seen();
        if seen == self.drawn {
            return;
        }
        match seen.continues(&self.drawn) {
            true => self.drawn.go_on(&seen, draft),
            false => draft.rewrite(&seen.text, &seen.breaks),
        }
        self.drawn = seen;
    }

    fn seen(&self) -> Parted {
        let Parted { text, breaks } = &self.said;
        let (text, breaks) = match self.reader {
            Reader::Program => (text.clone(), breaks.clone()),
            Reader::People => complaint::growing_parted(text, breaks, &self.masker),
        };
        Parted { text, breaks }
    }
}

impl Parted {
    /// Whether it begins with all of `before`, and is parted only behind that.
    fn continues(&self, before: &Self) -> bool {
        let is_behind = |place: &usize| *place >= before.text.len();
        let new = self.breaks.strip_prefix(&*before.breaks);
        let is_parted_behind = new.is_some_and(|new| new.iter().all(is_behind));
        is_parted_behind && self.text.starts_with(&before.text)
    }

    /// Draws what more there is in `seen`.
    fn go_on(&self, seen: &Self, draft: &mut Draft) {
        let mut from = self.text.len();
        for place in &seen.breaks[self.breaks.len()..] {
            draft.push(&seen.text[from..*place]);
            draft.part();
            from = *place;
        }
        draft.push(&seen.text[from..]);
    }
}

impl Thoughts {
    /// Draws what more may be seen of them. What was drawn stays: the reply itself shows them whole.
    fn go_on(&mut self, masker: &Masker, draft: &mut Draft) {
        if self.looked == self.text.len() {
            return;
        }
        let seen = masker.growing(&self.text, Surface::Reply);
        if let Some(more) = seen.strip_prefix(&*self.drawn) {
            draft.think(more);
        }
        // A line that is held back again was seen up to there, and goes on from there.
        if !self.drawn.starts_with(&seen) {
            self.drawn = seen;
        }
        if self.text.len() > 2 * limits::STEP_SHOWN_BYTES {
            let from = self.text.len() - limits::STEP_SHOWN_BYTES;
            self.text.drain(..mask::kept_from(&self.text, from));
            self.drawn = masker.growing(&self.text, Surface::Reply);
        }
        self.looked = self.text.len();
    }
}

#[cfg(test)]
#[path = "veil_tests.rs"]
mod tests;
