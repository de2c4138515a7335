//! The words of a reply as they come: what is said apart from what is only thought, and where it is parted.
//!
//! A draft grows by it, and a reply that is finished is laid out by it, so that both cut a text in the same
//! places: message by message, what was shown while the reply grew is what the reply becomes.

use super::layout::{Growth, Layout};
use super::reasoning::{self, Look};
use super::{Manner, chars};
use crate::limits;
use crate::text::render::Message;
use crate::text::silence::Ending;
use crate::text::{Parted, Thinking};

/// Words that come.
#[derive(Clone, Debug, Default)]
pub struct Words {
    pub(super) layout: Layout,
    thinking: Thinking,
    thoughts: String,
    /// How thoughts are shown above the reply, if they are.
    look: Option<Look>,
}

impl Words {
    /// None yet. With a look, what is thought stands above what is said.
    #[must_use]
    pub fn new(look: Option<Look>) -> Self {
        Self {
            look,
            ..Self::default()
        }
    }

    /// Something that is said before the reply, in a message of its own.
    pub fn announce(&mut self, notice: &str) {
        self.layout.text.push_str(notice);
        self.layout.part();
        self.layout.begin();
    }

    /// More words came.
    pub fn say(&mut self, more: &str) {
        let mut parted = Parted {
            said: std::mem::take(&mut self.layout.text),
            thought: std::mem::take(&mut self.thoughts),
        };
        self.thinking.push(more, &mut parted);
        self.layout.text = parted.said;
        self.thoughts = parted.thought;
        self.put_above();
    }

    /// More thoughts came, beside the words.
    pub fn think(&mut self, more: &str) {
        self.thoughts.push_str(more);
        if self.thoughts.len() > 2 * limits::STEP_SHOWN_BYTES {
            let from = self.thoughts.len() - limits::STEP_SHOWN_BYTES;
            let from = self.thoughts.ceil_char_boundary(from);
            self.thoughts.drain(..from);
        }
        self.put_above();
    }

    fn put_above(&mut self) {
        if let Some(look) = self.look {
            self.layout.above = reasoning::shown(&self.thoughts, look);
        }
    }

    /// What was thought so far.
    #[must_use]
    pub fn thoughts(&self) -> &str {
        &self.thoughts
    }

    /// What comes next is a message of its own.
    pub fn part(&mut self) {
        self.layout.part();
    }

    /// The words are these, parted there. What was thought, and what was announced, stays.
    pub fn rewrite(&mut self, text: &str, breaks: &[usize]) {
        let mut new = Self::new(self.look);
        new.thoughts.clone_from(&self.thoughts);
        if let Some(notice) = self.layout.announced() {
            new.announce(notice);
        }
        new.say_parted(text, breaks);
        new.layout.keep_places_of(&self.layout);
        *self = new;
    }

    /// Says a text that is parted at the given places.
    pub fn say_parted(&mut self, text: &str, breaks: &[usize]) {
        let mut from = 0;
        for place in breaks {
            let piece = text.get(from..*place).unwrap_or_default();
            self.say(piece);
            self.part();
            from += piece.len();
        }
        self.say(&text[from..]);
    }

    /// The words are these, and no thought is among them.
    pub(super) fn replace(&mut self, text: &str) {
        self.layout.replace(text);
        self.thinking = Thinking::after(text);
    }

    /// How many characters the message has that is being written.
    pub(super) fn open_chars(&self) -> usize {
        self.layout.open_chars() + chars(&self.layout.above)
    }

    pub(super) fn messages(&self, manner: &Manner, growth: Growth) -> Vec<Message> {
        self.layout.messages(manner, growth)
    }

    /// The texts of the messages, once nothing more comes; none if all of it is silence.
    #[must_use]
    pub fn finished(mut self, manner: &Manner, ending: Ending) -> Vec<String> {
        let mut parted = Parted {
            said: std::mem::take(&mut self.layout.text),
            thought: std::mem::take(&mut self.thoughts),
        };
        std::mem::take(&mut self.thinking).finish(&mut parted);
        self.layout.text = parted.said;
        let messages = self.messages(manner, Growth::Final(ending));
        messages.into_iter().map(|message| message.text).collect()
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
