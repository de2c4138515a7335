//! `NAME=value` with a name that tells a secret.
//!
//! Names in capitals count anywhere. Others count with a dot inside (`app.api.key`) or at the beginning of
//! a line, perhaps after `export`: elsewhere `password=foo` is prose. A line with a URL in it is left to
//! `url`, whose parameters look the same. A value that only says where the secret is looked up stays.

use std::ops::Range;

use super::rewrite::{Rewrite, is_blank, lines, run_end, run_start, word_end};
use super::{Surface, shape, url};

const WORDS: [&str; 6] = [
    "token",
    "secret",
    "password",
    "passwd",
    "credential",
    "auth",
];

/// How programs say where a value comes from.
const LOOKUPS: [&str; 4] = ["os.getenv", "os.environ", "process.env", "$ENV{"];

pub(super) fn upper_case(text: &str, surface: Surface) -> Option<String> {
    if !surface.hides_names() || url::is_form(text) {
        return None;
    }
    let mut rewrite = Rewrite::on(text, surface);
    for (equals, _) in text.match_indices('=') {
        let floor = rewrite.at();
        let name = (equals >= floor).then(|| name_before(text, (floor, equals), is_upper));
        if let Some(name) = name.filter(|name| has_secret_word(&text[name.clone()]))
            && let Some((first, value)) = secret_after(text, equals)
        {
            rewrite.replace(name.end..first, "=");
            rewrite.replace(value.clone(), &shape::log(&text[value]));
        }
    }
    rewrite.finish()
}

pub(super) fn lower_case(text: &str, surface: Surface) -> Option<String> {
    if !surface.hides_names() || url::is_form(text) {
        return None;
    }
    let mut rewrite = Rewrite::on(text, surface);
    for line in lines(text).filter(|line| !text[line.clone()].contains("://")) {
        let indent = run_end(text, line.start, is_blank);
        for (equals, _) in text[line.clone()].match_indices('=') {
            let equals = line.start + equals;
            let floor = rewrite.at().max(line.start);
            let name = (equals >= floor).then(|| name_before(text, (floor, equals), is_dotted));
            let is_meant = |name: &Range<usize>| {
                let word = &text[name.clone()];
                let is_there =
                    word.contains('.') || begins(&text[indent.min(name.start)..name.start]);
                is_there && has_secret_word(word)
            };
            if name.as_ref().is_some_and(is_meant)
                && let Some((_, value)) = secret_after(text, equals)
            {
                rewrite.replace(value.clone(), &shape::log(&text[value]));
            }
        }
    }
    rewrite.finish()
}

/// The name before an equals sign and the blanks around it.
fn name_before(text: &str, (floor, equals): (usize, usize), is_in: fn(u8) -> bool) -> Range<usize> {
    let end = run_start(text, (floor, equals), is_blank);
    run_start(text, (floor, end), is_in)..end
}

/// Where what follows an equals sign begins, and the value without its quotes. A comparison has none,
/// nor has a lookup.
fn secret_after(text: &str, equals: usize) -> Option<(usize, Range<usize>)> {
    let first = run_end(text, equals + 1, is_blank);
    if text[equals + 1..].starts_with('=') || is_lookup(&text[first..]) {
        return None;
    }
    let value = value_at(text, first);
    (!value.is_empty()).then_some((first, value))
}

/// What stands between quotes, or up to the next white space.
fn value_at(text: &str, from: usize) -> Range<usize> {
    let quote = text[from..].chars().next();
    let quote = quote.filter(|letter| matches!(letter, '\'' | '"'));
    match quote.and_then(|quote| closing(text, from + 1, quote)) {
        Some(end) => from + 1..end,
        None => from..word_end(text, from, &[]),
    }
}

/// The quote that ends what begins at `from`, on the same line.
pub(super) fn closing(text: &str, from: usize, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, letter) in text[from..].char_indices() {
        match letter {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            letter if letter == quote => return Some(from + at),
            _ => (),
        }
    }
    None
}

pub(super) fn is_lookup(value: &str) -> bool {
    LOOKUPS.iter().any(|way| value.starts_with(way))
}

/// Whether this, from the first letter of a line on, stands before a name at its beginning.
fn begins(before: &str) -> bool {
    let before = before.strip_prefix("export").unwrap_or(before);
    before.bytes().all(is_blank)
}

const fn is_upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
}

pub(super) const fn is_dotted(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Whether one of the words stands in a name, in capitals or not.
fn has_secret_word(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word)) || has_api_key(&name)
}

/// Whether a name in small letters has `api key` in it, however the two are joined.
pub(super) fn has_api_key(name: &str) -> bool {
    name.match_indices("api").any(|(at, api)| {
        let rest = &name[at + api.len()..];
        rest.trim_start_matches(['_', '-', '.']).starts_with("key")
    })
}
