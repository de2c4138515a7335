//! A text that is rewritten from left to right, and the small questions that passes ask of it.

use std::ops::Range;

use super::Surface;

/// What was rewritten so far.
pub(super) struct Rewrite<'a> {
    text: &'a str,
    copied: usize,
    out: String,
    keeps: Keeps,
}

/// Which parts stay although they could be secrets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeps {
    Nothing,
    /// Those that would run something.
    WhatRuns,
}

impl<'a> Rewrite<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            copied: 0,
            out: String::new(),
            keeps: Keeps::Nothing,
        }
    }

    /// As the surface wants it: in a question, what would run stays.
    pub(super) fn on(text: &'a str, surface: Surface) -> Self {
        let keeps = match surface {
            Surface::Question => Keeps::WhatRuns,
            Surface::Log | Surface::Output | Surface::File | Surface::Reply | Surface::Egress => {
                Keeps::Nothing
            }
        };
        Self {
            keeps,
            ..Self::new(text)
        }
    }

    /// How far the text is rewritten: nothing before it is looked at again.
    pub(super) fn at(&self) -> usize {
        self.copied
    }

    /// Puts something else in place of a part. Parts come in order and do not overlap.
    pub(super) fn replace(&mut self, part: Range<usize>, by: &str) {
        debug_assert!(self.copied <= part.start, "parts come in order");
        if self.keeps == Keeps::WhatRuns && runs(self.text, &part) {
            return;
        }
        self.out.push_str(&self.text[self.copied..part.start]);
        self.out.push_str(by);
        self.copied = part.end;
    }

    /// The new text, if anything in it is new.
    pub(super) fn finish(mut self) -> Option<String> {
        if self.copied == 0 && self.out.is_empty() {
            return None;
        }
        self.out.push_str(&self.text[self.copied..]);
        Some(self.out)
    }
}

/// Whether a shell would run something of a part: a command in its place, or what stands behind an
/// operator where no quotes are.
fn runs(text: &str, part: &Range<usize>) -> bool {
    let value = &text[part.clone()];
    let is_quoted = text[..part.start].ends_with(['"', '\'']);
    let operators: &[char] = &[';', '&', '|', '<', '>', '\n'];
    value.contains("$(") || value.contains('`') || (!is_quoted && value.contains(operators))
}

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Letters and digits, and the two signs that keys have inside.
pub(super) const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Where the run of such bytes that begins at `from` ends.
pub(super) fn run_end(text: &str, from: usize, is_in: impl Fn(u8) -> bool) -> usize {
    let rest = &text.as_bytes()[from..];
    let run = rest.iter().position(|byte| !is_in(*byte));
    from + run.unwrap_or(rest.len())
}

/// Where the run of such bytes that ends at `to` begins, not before `floor`.
pub(super) fn run_start(
    text: &str,
    (floor, to): (usize, usize),
    is_in: impl Fn(u8) -> bool,
) -> usize {
    let before = &text.as_bytes()[floor..to];
    let gap = before.iter().rposition(|byte| !is_in(*byte));
    floor + gap.map_or(0, |at| at + 1)
}

/// Where the word that begins at `from` ends: at white space, or at one of these.
pub(super) fn word_end(text: &str, from: usize, ends: &[char]) -> usize {
    let rest = &text[from..];
    let end = rest.find(|letter: char| letter.is_whitespace() || ends.contains(&letter));
    from + end.unwrap_or(rest.len())
}

/// The lines of a text, each without its end.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = from;
        from += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    })
}

/// Where a word in small letters stands in a text, in capitals or not.
pub(super) fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let windows = text.as_bytes().windows(word.len()).enumerate();
    let found = windows.filter(|(_, part)| part.eq_ignore_ascii_case(word.as_bytes()));
    found.map(|(at, _)| at)
}
