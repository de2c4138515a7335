//! A line as it is typed: letters, what takes them back, and the names of commands that Tab completes. Pure.
//!
//! A line is written at its end alone: there is no way back into it but taking letters away. Keys that move somewhere
//! are passed over.

use angelia_core::command;

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// A letter.
    Letter(char),
    /// Takes the last letter back.
    Back,
    /// Takes the last word back.
    Word,
    /// Takes all back.
    Line,
    /// Completes a command.
    Tab,
    /// Ends the line.
    Enter,
    /// Leaves the line, or the conversation.
    Leave,
    /// Ends the conversation, on an empty line.
    End,
}

/// What a key leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Then {
    /// Nothing is to be seen.
    Nothing,
    /// These letters stand behind the line from now on.
    More(String),
    /// The line is another.
    Anew,
    /// Any of these may be meant.
    Offer(Vec<&'static str>),
    /// The line is typed.
    Typed(String),
    /// There are no more.
    Over,
}

/// A line that is being typed.
#[derive(Debug, Default)]
pub(super) struct Typing {
    text: String,
}

impl Typing {
    /// The line so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What a key does to the line.
    pub(super) fn press(&mut self, key: Key) -> Then {
        match key {
            Key::Letter(letter) => {
                self.text.push(letter);
                Then::More(letter.to_string())
            }
            Key::Back => self.cut(self.text.char_indices().next_back().map(|(at, _)| at)),
            Key::Word => {
                let words = self.text.trim_end();
                let kept = words.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                self.cut(Some(kept))
            }
            Key::Line => self.cut(Some(0)),
            Key::Tab => self.complete(),
            Key::Enter => Then::Typed(std::mem::take(&mut self.text)),
            Key::End | Key::Leave if self.text.is_empty() => Then::Over,
            Key::End => Then::Nothing,
            Key::Leave => self.cut(Some(0)),
        }
    }

    fn cut(&mut self, at: Option<usize>) -> Then {
        match at.filter(|at| *at < self.text.len()) {
            Some(at) => {
                self.text.truncate(at);
                Then::Anew
            }
            None => Then::Nothing,
        }
    }

    /// A command is completed as far as its beginning says which one it is.
    fn complete(&mut self) -> Then {
        let Some(begun) = self.text.strip_prefix('/') else {
            return Then::Nothing;
        };
        let mut names: Vec<&str> = command::names()
            .filter(|name| name.starts_with(begun))
            .collect();
        names.sort_unstable();
        let more = match names.as_slice() {
            [] => return Then::Nothing,
            [one] => format!("{} ", &one[begun.len()..]),
            [first, .., last] => common(first, last)[begun.len()..].to_owned(),
        };
        if more.is_empty() {
            return Then::Offer(names);
        }
        self.text.push_str(&more);
        Then::More(more)
    }
}

/// What both begin with.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let pairs = one.bytes().zip(other.bytes());
    let same = pairs.take_while(|(one, other)| one == other).count();
    &one[..same]
}

/// Keys in what a terminal sends, which may come in pieces.
#[derive(Debug, Default)]
pub(super) struct Keys {
    letter: Vec<u8>,
    escape: Escape,
}

/// How far into a sequence that tells of a key that moves somewhere.
#[derive(Debug, Default, Clone, Copy)]
enum Escape {
    #[default]
    No,
    Begun,
    Within,
}

impl Keys {
    /// The key that this byte ends, if it ends one.
    pub(super) fn read(&mut self, byte: u8) -> Option<Key> {
        match (self.escape, byte) {
            (Escape::No, 0x1b) => self.escape = Escape::Begun,
            (Escape::No, _) => return self.plain(byte),
            (Escape::Begun, b'[' | b'O') => self.escape = Escape::Within,
            (Escape::Within, 0x20..=0x3f) => (),
            (Escape::Begun | Escape::Within, _) => self.escape = Escape::No,
        }
        None
    }

    fn plain(&mut self, byte: u8) -> Option<Key> {
        match byte {
            b'\r' | b'\n' => Some(Key::Enter),
            b'\t' => Some(Key::Tab),
            0x08 | 0x7f => Some(Key::Back),
            0x03 => Some(Key::Leave),
            0x04 => Some(Key::End),
            0x15 => Some(Key::Line),
            0x17 => Some(Key::Word),
            0x00..=0x1f => None,
            _ => self.letter(byte),
        }
    }

    fn letter(&mut self, byte: u8) -> Option<Key> {
        self.letter.push(byte);
        match std::str::from_utf8(&self.letter) {
            Ok(text) => {
                let key = text.chars().next().map(Key::Letter);
                self.letter.clear();
                key
            }
            Err(error) if error.error_len().is_none() => None,
            // What is no letter in UTF-8 is not typed.
            Err(_) => {
                self.letter.clear();
                None
            }
        }
    }
}

#[cfg(test)]
#[path = "typing_tests.rs"]
mod tests;
