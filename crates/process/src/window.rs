//! The head-and-tail window: all of a short output, the beginning and the end of a long one.
//!
//! It holds a bounded number of letters however many pass by. Four tenths of them are the beginning, the
//! rest are the most recent ones, because errors stand at the end. What was left out is said in its place,
//! and that counts too: a text is never longer than the window. How a command ended stands behind its
//! output, and always has its room.

use std::collections::VecDeque;

use crate::text::Decoder;

/// How often the place of the notice is tried: its own length depends on what it says.
const ROUNDS: usize = 4;

/// What is kept of an output.
#[derive(Debug)]
pub struct Window {
    chars_max: usize,
    decoder: Decoder,
    head: String,
    head_chars: usize,
    tail: VecDeque<char>,
    total: usize,
}

impl Window {
    /// A window of so many letters.
    pub fn new(chars_max: usize) -> Self {
        Self {
            chars_max,
            decoder: Decoder::default(),
            head: String::new(),
            head_chars: 0,
            tail: VecDeque::new(),
            total: 0,
        }
    }

    /// Takes more of the output. A letter that comes in two pieces is whole.
    pub fn push(&mut self, bytes: &[u8]) {
        let text = self.decoder.push(bytes);
        self.take(&text);
    }

    fn take(&mut self, text: &str) {
        for letter in text.chars() {
            self.total += 1;
            if self.head_chars < first_part(self.chars_max) {
                self.head.push(letter);
                self.head_chars += 1;
                continue;
            }
            if self.tail.len() == self.chars_max - first_part(self.chars_max) {
                self.tail.pop_front();
            }
            self.tail.push_back(letter);
        }
    }

    /// How many letters there were in all.
    pub fn total(&self) -> usize {
        self.total
    }

    /// How many letters are kept.
    pub fn kept(&self) -> usize {
        self.head_chars + self.tail.len()
    }

    /// The text, and behind it how the command ended.
    pub fn into_text(mut self, ending: &str) -> String {
        let begun = self.decoder.finish();
        self.take(begun);
        let ending = last(ending, self.chars_max);
        let room = self.chars_max - ending.chars().count();
        if self.total <= room {
            let tail: String = self.tail.iter().collect();
            return format!("{}{tail}{ending}", self.head);
        }
        format!("{}{ending}", self.cut(room))
    }

    /// The two ends with the notice between them, in so much room.
    fn cut(&self, room: usize) -> String {
        let (mut first, mut behind) = (0, 0);
        for _ in 0..ROUNDS {
            let words = notice(self.total - first - behind, self.total)
                .chars()
                .count();
            let left = room.saturating_sub(words);
            let parts = (first_part(left), left - first_part(left));
            if parts == (first, behind) {
                break;
            }
            (first, behind) = parts;
        }
        let head: String = self.all().take(first).collect();
        let tail: String = self.all().skip(self.kept() - behind).collect();
        let text = format!(
            "{head}{}{tail}",
            notice(self.total - first - behind, self.total)
        );
        text.chars().take(room).collect()
    }

    /// The letters that are kept.
    fn all(&self) -> impl Iterator<Item = char> {
        self.head.chars().chain(self.tail.iter().copied())
    }
}

/// Four tenths.
const fn first_part(chars: usize) -> usize {
    chars * 2 / 5
}

/// The end of a text.
fn last(text: &str, chars: usize) -> &str {
    let too_many = text.chars().count().saturating_sub(chars);
    let start = text.char_indices().nth(too_many);
    start.map_or("", |(at, _)| &text[at..])
}

fn notice(omitted: usize, total: usize) -> String {
    let (omitted, total) = (with_commas(omitted), with_commas(total));
    format!("\n\n... [OUTPUT TRUNCATED - {omitted} chars omitted out of {total} total] ...\n\n")
}

/// A number with its thousands apart.
fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> = groups
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect();
    groups.join(",")
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
