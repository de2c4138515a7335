//! Telephone numbers as they are written for other countries: a plus sign and the digits.

use super::Surface;
use super::rewrite::{Rewrite, run_end};

const DIGITS_MIN: usize = 7;
const DIGITS_MAX: usize = 15;

/// Numbers up to this length, sign included, keep less of both ends.
const SHORT_CHARS: usize = 8;

/// Numbers up to this length keep nothing.
const TINY_CHARS: usize = 4;

pub(super) fn pass(text: &str, surface: Surface) -> Option<String> {
    if surface == Surface::Reply {
        return None;
    }
    let mut rewrite = Rewrite::new(text);
    let bytes = text.as_bytes();
    let is_part = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    for (plus, _) in text.match_indices('+') {
        let end = run_end(text, plus + 1, |byte| byte.is_ascii_digit());
        let fits = (DIGITS_MIN..=DIGITS_MAX).contains(&(end - plus - 1));
        // A sum has a number before its plus sign; no country's code begins with a zero.
        let is_sum = plus > 0 && is_part(bytes.get(plus - 1));
        let is_code = bytes.get(plus + 1) != Some(&b'0');
        if fits && is_code && !is_sum && !is_part(bytes.get(end)) {
            rewrite.replace(plus..end, &hidden(&text[plus..end]));
        }
    }
    rewrite.finish()
}

fn hidden(number: &str) -> String {
    let kept = match number.chars().count() {
        len if len <= TINY_CHARS => 0,
        len if len <= SHORT_CHARS => 2,
        _ => 4,
    };
    let first: String = number.chars().take(kept).collect();
    let last = number.char_indices().nth_back(kept.saturating_sub(1));
    let last = last
        .filter(|_| kept > 0)
        .map_or("", |(at, _)| &number[at..]);
    format!("{first}****{last}")
}

/// A telephone number for a log line, however it is written: a little of both ends.
#[must_use]
pub fn phone(number: &str) -> String {
    hidden(number.trim())
}
