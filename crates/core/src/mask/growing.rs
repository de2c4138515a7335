//! A text that still grows, as it may be seen at each moment.
//!
//! What was seen cannot be taken back, and half a secret looks like a word. So the end of the text is held back as long as it
//! may be the beginning of a secret, and the rest is masked anew each time: unlike `pieces`, whoever shows this can change
//! what was shown before. Nothing is lost by holding: once the text is whole it goes through [`Masker::shown`].
//!
//! ```text
//! text → where its end may be torn → shown(before that) → does anything hidden reach that end? → somebody
//! ```
//!
//! Ordinary words are not held, or a reply that waits for a tool would lack its last word for minutes; nor are writings
//! without blanks between words, as long as nothing in them looks like a key.

use std::borrow::Cow;

use super::rewrite::{is_blank, is_token};
use super::{Masker, Surface, block, named, pieces, prefix, shape, token, url};

/// What stands around a value whose end is not the next blank.
const QUOTES: [char; 2] = ['"', '\''];

/// Signs that join a name to its value, or the parts of one: with them a word is judged as a whole.
const JOINTS: [char; 7] = ['=', ':', '"', '\'', '@', '/', '&'];

/// Stand before words and behind them, and belong to no secret.
const AROUND: [char; 16] = [
    '(', '[', '*', '~', '>', '#', '`', '.', ',', ';', ':', '!', '?', ')', ']', '"',
];

/// The word that stands before a key which somebody bears.
const BEARER: &str = "bearer";

impl Masker {
    /// What may be seen of a text of which more is to come.
    #[must_use]
    pub fn growing(&self, text: &str, surface: Surface) -> String {
        if url::is_form(text) {
            // As long as it is nothing but parameters, names in it mean something else than in words.
            return String::new();
        }
        let text = &text[..self.settled(text)];
        let shown = self.shown(text, surface);
        let line = line_start(text);
        match reaches_end(&text[line..], &shown) {
            true => self.shown(&text[..line], surface).into_owned(),
            false => shown.into_owned(),
        }
    }

    /// How much of a text of which more is to come can be masked without the rest: whole lines, behind which nothing goes on
    /// that began in them.
    pub(super) fn whole_lines(&self, text: &str) -> usize {
        let lines = &text[..line_start(text)];
        let open = pieces::open_key(lines).unwrap_or(lines.len());
        let settled = self.settled(lines).min(open);
        line_start(&text[..settled])
    }

    /// Where the part begins that may be torn.
    fn settled(&self, text: &str) -> usize {
        let ends = [
            torn_word(text),
            open_quote(text),
            self.known_start(text),
            block::loose_lines(text),
        ];
        ends.into_iter().flatten().min().unwrap_or(text.len())
    }

    /// Where a value of this install may have begun.
    fn known_start(&self, text: &str) -> Option<usize> {
        let begun = self.known.iter().filter_map(|value| {
            let cuts = value.char_indices().map(|(at, _)| at).skip(1);
            cuts.filter(|at| text.ends_with(&value[..*at])).last()
        });
        let start = text.len() - begun.max()?;
        let torn = self
            .known
            .iter()
            .filter_map(|value| around(text, value, start));
        Some(torn.min().unwrap_or(start))
    }
}

/// Where the value begins that is whole around that place: its end may look like its beginning.
fn around(text: &str, value: &str, place: usize) -> Option<usize> {
    let mut whole = text.match_indices(value).map(|(at, _)| at);
    whole.find(|at| *at < place && place < at + value.len())
}

/// Whether something that is hidden may go on: a mask keeps a little of both ends, and this end is not the last.
fn reaches_end(line: &str, shown: &str) -> bool {
    let alike = line.chars().rev().zip(shown.chars().rev());
    let alike = alike.take_while(|(said, seen)| said == seen).count();
    !shown.ends_with(line) && alike <= shape::LAST
}

/// Where what is kept of a text begins, not before `from`: with the end of a line, or at least of a word. A secret that lost
/// its beginning, or the name before it, would not be known for one.
#[must_use]
pub fn kept_from(text: &str, from: usize) -> usize {
    let from = text.ceil_char_boundary(from);
    let rest = &text[from..];
    let end = rest.find('\n').or_else(|| rest.find(char::is_whitespace));
    end.map_or(from, |end| from + end)
}

/// What goes before a text whose beginning was let go.
pub(super) const EARLIER: &str = "[…] ";

/// The newest part of a text of which no more than `room` bytes are kept.
#[must_use]
pub fn newest(text: &str, room: usize) -> Cow<'_, str> {
    match text.len().checked_sub(room) {
        None | Some(0) => Cow::Borrowed(text),
        Some(from) => Cow::Owned(format!("{EARLIER}{}", &text[kept_from(text, from)..])),
    }
}

fn line_start(text: &str) -> usize {
    text.rfind('\n').map_or(0, |at| at + 1)
}

/// Where the last word begins.
fn word_start(text: &str) -> usize {
    let mut letters = text.char_indices();
    let blank = letters.rfind(|(_, letter)| letter.is_whitespace());
    blank.map_or(0, |(at, blank)| at + blank.len_utf8())
}

/// Where the last word begins, if it may be torn. Keys are of plain letters: what else stands before them in a writing
/// without blanks is no part of them, unless a name stands there.
fn torn_word(text: &str) -> Option<usize> {
    let word = word_start(text);
    let is_borne = is_borne(&text[..word]);
    let is_plain = |letter: char| letter.is_ascii_graphic();
    let start = match is_borne || text[word..].contains(JOINTS) {
        true => word,
        false => text.trim_end_matches(is_plain).len().max(word),
    };
    let tail = &text[start..];
    let is_alone = text[line_start(text)..start].trim().is_empty();
    let is_ordinary = match is_alone {
        // It may be a line of a key.
        true => is_small(tail) && !may_be_key(tail),
        false => !may_be_key(tail),
    };
    (!tail.is_empty() && (is_borne || !is_ordinary)).then_some(start)
}

/// Whether the next word is a key that somebody bears.
fn is_borne(before: &str) -> bool {
    let before = before.trim_end().as_bytes();
    let start = before.len().saturating_sub(BEARER.len());
    before[start..].eq_ignore_ascii_case(BEARER.as_bytes())
}

/// Whether it is a word, perhaps with a capital, or only signs.
fn is_small(word: &str) -> bool {
    let word = word.trim_matches(AROUND);
    let mut letters = word.chars();
    let first = letters.next();
    first.is_none_or(char::is_alphabetic)
        && letters.all(|letter| !letter.is_uppercase() && !letter.is_ascii_digit())
}

/// Whether a word, or one that begins with it, may be or hold a key.
fn may_be_key(word: &str) -> bool {
    let inner = word.trim_matches(AROUND);
    let is_joint = |(at, letter): (usize, char)| match letter {
        // As in "don't".
        '\'' => !inner[..at].ends_with(char::is_alphabetic),
        letter => JOINTS.contains(&letter),
    };
    inner.char_indices().any(is_joint)
        || word.contains(token::JWT)
        || tokens(word).any(|at| prefix::begins(&word[at..]))
}

/// Where the tokens of a word begin.
fn tokens(word: &str) -> impl Iterator<Item = usize> {
    let bytes = word.as_bytes();
    (0..bytes.len()).filter(move |at| {
        is_token(bytes[*at]) && at.checked_sub(1).is_none_or(|last| !is_token(bytes[last]))
    })
}

/// Where a value in quotes begins in the last line that has no end there. Without one, a blank would end it.
fn open_quote(text: &str) -> Option<usize> {
    let mut from = line_start(text);
    while let Some(equals) = text[from..].find('=') {
        from += equals + 1;
        let blanks = text[from..].bytes().take_while(|byte| is_blank(*byte));
        let value = from + blanks.count();
        let first = text[value..].chars().next();
        if let Some(quote) = first.filter(|first| QUOTES.contains(first)) {
            match named::closing(text, value + 1, quote) {
                Some(end) => from = end,
                None => return Some(value),
            }
        }
    }
    None
}

#[cfg(test)]
#[path = "growing_tests.rs"]
mod tests;
