//! Private keys in their armour.
//!
//! Of a text that was cut, one end of the armour may be missing. A beginning without an end hides
//! everything after it, and an end without a beginning the lines of the key before it.

use std::ops::Range;

use super::Surface;
use super::rewrite::{Rewrite, run_end};

pub(super) const INSTEAD: &str = "[REDACTED PRIVATE KEY]";
const BEGIN: &str = "-----BEGIN";
const END: &str = "-----END";
const KIND: &str = "PRIVATE KEY";
const DASHES: &str = "-----";

/// A line of so many bytes without a blank may be one of a key that has lost its beginning.
const LOOSE_BYTES_MIN: usize = 32;

/// A line of the armour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Armour {
    Begin,
    End,
}

pub(super) fn pass(text: &str, _: Surface) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    let mut from = 0;
    while let Some((found, armour)) = next(text, from) {
        let hidden = match armour {
            Armour::Begin => found.start..end_of(text, found.end),
            Armour::End => body_start(text, (from, found.start))..found.end,
        };
        from = hidden.end;
        rewrite.replace(hidden, INSTEAD);
    }
    rewrite.finish()
}

/// The next line of armour.
pub(super) fn next(text: &str, mut from: usize) -> Option<(Range<usize>, Armour)> {
    while let Some(dashes) = text[from..].find(DASHES) {
        let start = from + dashes;
        let begin = line_at(text, start, BEGIN).map(|end| (start..end, Armour::Begin));
        let found =
            begin.or_else(|| line_at(text, start, END).map(|end| (start..end, Armour::End)));
        if found.is_some() {
            return found;
        }
        from = start + 1;
    }
    None
}

/// Where the armour that begins there with this word ends, if it is about a private key.
fn line_at(text: &str, start: usize, word: &str) -> Option<usize> {
    let label = start + word.len();
    text[start..].strip_prefix(word)?;
    let dashes = run_end(text, label, |byte| {
        byte == b' ' || byte.is_ascii_uppercase()
    });
    let is_key = text[label..dashes].ends_with(KIND) && text[dashes..].starts_with(DASHES);
    is_key.then_some(dashes + DASHES.len())
}

fn end_of(text: &str, mut from: usize) -> usize {
    while let Some((found, armour)) = next(text, from) {
        if armour == Armour::End {
            return found.end;
        }
        from = found.end;
    }
    text.len()
}

/// Where the lines before an end that may belong to its key begin.
fn body_start(text: &str, (floor, end): (usize, usize)) -> usize {
    let mut start = end;
    for line in text[floor..end].split_inclusive('\n').rev() {
        if !is_body(line) {
            break;
        }
        start -= line.len();
    }
    start
}

/// Where lines at the end of a text begin that are those of a key if its end follows. A line that may become this end is
/// passed over.
pub(super) fn loose_lines(text: &str) -> Option<usize> {
    let last = text.rfind('\n').map_or(0, |at| at + 1);
    let is_armour = text[last..].trim_start().starts_with('-');
    let mut start = if is_armour { last } else { text.len() };
    let mut loose = None;
    for line in text[..start].split_inclusive('\n').rev() {
        if !is_body(line) {
            break;
        }
        start -= line.len();
        if line.trim().len() >= LOOSE_BYTES_MIN {
            loose = Some(start);
        }
    }
    loose
}

fn is_body(line: &str) -> bool {
    let line = line.trim();
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    line.bytes().all(is_base64)
}
