//! Headers of HTTP that carry a credential, in a request, in a command line or in a dump.

use std::ops::Range;

use super::rewrite::{Rewrite, is_blank, is_token, places, run_end, word_end};
use super::{Surface, shape};

const KEYS: [&str; 7] = [
    "x-api-key",
    "x-goog-api-key",
    "api-key",
    "apikey",
    "x-api-token",
    "x-auth-token",
    "x-access-token",
];

/// Longer words before a credential are no scheme (`Bearer`, `AWS4-HMAC-SHA256`).
const SCHEME_BYTES_MAX: usize = 16;

/// The scheme stays, what follows it goes.
pub(super) fn authorization(text: &str, surface: Surface) -> Option<String> {
    let mut rewrite = Rewrite::on(text, surface);
    for at in places(text, "authorization") {
        let after = at + "authorization".len();
        if at >= rewrite.at()
            && let Some(first) = value_start(text, after)
            && let Some(value) = credential(text, first)
        {
            rewrite.replace(value.clone(), &shape::log(&text[value]));
        }
    }
    rewrite.finish()
}

pub(super) fn keys(text: &str, surface: Surface) -> Option<String> {
    let mut rewrite = Rewrite::on(text, surface);
    for (colon, _) in text.match_indices(':') {
        if colon < rewrite.at() || !is_key_name(&text[..colon]) {
            continue;
        }
        let Some(first) = value_start(text, colon) else {
            continue;
        };
        let value = first..word_end(text, first, &QUOTES);
        if !value.is_empty() {
            rewrite.replace(value.clone(), &shape::log(&text[value]));
        }
    }
    rewrite.finish()
}

const QUOTES: [char; 2] = ['"', '\''];

fn is_key_name(before: &str) -> bool {
    let before = before.strip_suffix(QUOTES).unwrap_or(before).as_bytes();
    KEYS.iter().any(|key| {
        let Some(start) = before.len().checked_sub(key.len()) else {
            return false;
        };
        let (rest, name) = before.split_at(start);
        name.eq_ignore_ascii_case(key.as_bytes())
            && !rest.last().is_some_and(|byte| is_token(*byte))
    })
}

/// Where the value of a header begins: `Name: value`, or `"Name": "value"` as in a dump.
fn value_start(text: &str, after: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_quote = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|byte| matches!(byte, b'"' | b'\''))
    };
    let colon = after + usize::from(is_quote(after));
    let first = run_end(
        text,
        colon + usize::from(bytes.get(colon) == Some(&b':')),
        is_blank,
    );
    let is_dump = colon > after;
    match bytes.get(colon) {
        Some(b':') if is_dump && is_quote(first) => Some(first + 1),
        Some(b':') if !is_dump => Some(first),
        _ => None,
    }
}

/// The credential after its scheme. One that has named parts goes on to the end of its line.
fn credential(text: &str, first: usize) -> Option<Range<usize>> {
    let scheme_end = word_end(text, first, &QUOTES);
    let second = run_end(text, scheme_end, is_blank);
    let start = if is_scheme(&text[first..scheme_end]) && has_word(text, second) {
        second
    } else {
        first
    };
    let end = word_end(text, start, &QUOTES);
    let has_parts = text[start..end].ends_with(',')
        || text[start..end].ends_with('=') && text[end..].starts_with(QUOTES);
    let end = if has_parts { line_end(text, end) } else { end };
    (start < end).then_some(start..end)
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |end| from + end)
}

fn is_scheme(word: &str) -> bool {
    let fits = (1..=SCHEME_BYTES_MAX).contains(&word.len());
    fits && word
        .bytes()
        .all(|byte| byte == b'-' || byte.is_ascii_alphanumeric())
}

fn has_word(text: &str, at: usize) -> bool {
    word_end(text, at, &QUOTES) > at
}
