//! The pause that a server asks for, in a header or in its words.
//!
//! Headers come first: they are meant for programs. Where none is, the words of a refusal are searched for the few
//! phrases in which servers say when to come again.

use std::time::Duration;

use jiff::fmt::rfc2822;

/// What stands before a length of time, in small letters.
const BEFORE: [&str; 4] = [
    "\"retrydelay\"",
    "retry in ",
    "try again in ",
    "retry after ",
];

/// What a header says: seconds, milliseconds in a field of their own, or a date. A date counts from the one that the
/// same answer bears, so that nobody's clock needs to be right.
pub(super) fn in_headers(header: impl Fn(&str) -> Option<String>) -> Option<Duration> {
    let number = |name: &str| header(name)?.trim().parse::<f64>().ok();
    let date = |name: &str| {
        rfc2822::DateTimeParser::new()
            .parse_timestamp(header(name)?)
            .ok()
    };
    let seconds = number("retry-after-ms").map(|ms| ms / 1000.0);
    let seconds = seconds.or_else(|| number("retry-after"));
    let until = || {
        Some(
            date("retry-after")?
                .duration_since(date("date")?)
                .as_secs_f64(),
        )
    };
    Duration::try_from_secs_f64(seconds.or_else(until)?).ok()
}

/// What the words of a refusal say, in small letters: `"retrydelay": "36s"`, `try again in 1m2.5s`.
pub(super) fn in_words(low: &str) -> Option<Duration> {
    BEFORE.iter().find_map(|before| {
        let at = low.find(before)? + before.len();
        let is_between = |letter: char| matches!(letter, '"' | ':') || letter.is_whitespace();
        length(low[at..].trim_start_matches(is_between))
    })
}

/// The length of time at the beginning of a text: numbers, each with its unit.
fn length(text: &str) -> Option<Duration> {
    let (mut rest, mut seconds) = (text, None);
    while let Some((more, behind)) = one(rest) {
        seconds = Some(seconds.unwrap_or(0.0) + more);
        rest = behind;
    }
    Duration::try_from_secs_f64(seconds?).ok()
}

/// One number with its unit, in seconds, and what stands behind it.
fn one(text: &str) -> Option<(f64, &str)> {
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '.';
    let (number, rest) = text.split_at(text.find(|letter| !is_digit(letter))?);
    let rest = rest.trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_alphabetic());
    let (unit, behind) = rest.split_at(end.unwrap_or(rest.len()));
    let seconds = match unit {
        "ms" | "milliseconds" => 0.001,
        "s" | "sec" | "seconds" | "second" => 1.0,
        "m" | "min" | "minutes" | "minute" => 60.0,
        "h" | "hours" | "hour" => 3600.0,
        _ => return None,
    };
    Some((number.parse::<f64>().ok()? * seconds, behind))
}
