//! When a person said something, in front of what a model reads.
//!
//! [`render`] shows a message with exactly one `[Tue 2026-04-28 13:40:53 CEST]` before it, in the
//! configured zone. A message may already begin with such prefixes, written by an earlier turn or by
//! whoever forwarded it: [`strip`] takes them all off, and the one nearest to the text that can be read
//! is the message's time, before the stored one. The zone's name in a prefix is not interpreted: short
//! names mean different zones in different places.
//!
//! Local hours that a clock skips or shows twice are read as `jiff`'s compatible rule has it: past the
//! skip, and the first of the two. Only the model's copy has a prefix; stored texts stay clean.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::time::Timestamp;

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// A message without prefixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stripped<'t> {
    /// What was said.
    pub text: &'t str,
    /// When, if a prefix told.
    pub at: Option<Timestamp>,
}

/// Takes every time prefix off a message.
pub fn strip<'t>(message: &'t str, zone: &TimeZone) -> Stripped<'t> {
    let mut stripped = Stripped {
        text: message,
        at: None,
    };
    while let Some((inner, rest)) = prefix(stripped.text) {
        stripped = Stripped {
            text: rest.trim_start(),
            at: read_prefix(inner, zone).or(stripped.at),
        };
    }
    stripped
}

/// The message with one time prefix, or with none if no time is known.
pub fn render(message: &str, stored: Option<Timestamp>, zone: &TimeZone) -> String {
    let Stripped { text, at } = strip(message, zone);
    match at.or(stored).and_then(|at| shown(at, zone)) {
        None => text.to_owned(),
        Some(time) if text.is_empty() => format!("[{time}]"),
        Some(time) => format!("[{time}] {text}"),
    }
}

fn shown(at: Timestamp, zone: &TimeZone) -> Option<String> {
    let moment = jiff::Timestamp::from_millisecond(at.ms()).ok()?;
    let local = moment.to_zoned(zone.clone());
    Some(local.strftime("%a %Y-%m-%d %H:%M:%S %Z").to_string())
}

/// The moment that a value from elsewhere means: seconds since 1970 as a number or as text, or a date
/// with or without a time, in this zone unless it names an offset. Nothing for what names no moment.
pub fn moment(value: &Value, zone: &TimeZone) -> Option<Timestamp> {
    match value {
        Value::Number(number) => from_seconds(number.as_f64()?),
        Value::String(text) => from_text(text.trim(), zone),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn from_text(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    if let Some((inner, "")) = prefix(text) {
        return read_prefix(inner, zone);
    }
    match text.parse::<f64>() {
        Ok(seconds) => from_seconds(seconds),
        Err(_) => from_calendar(text, zone),
    }
}

/// Whole milliseconds. Endless, impossible and uncountable numbers are no moments.
fn from_seconds(seconds: f64) -> Option<Timestamp> {
    let moment = jiff::SignedDuration::try_from_secs_f64(seconds).ok()?;
    let moment = jiff::Timestamp::from_duration(moment).ok()?;
    Some(rounded(moment))
}

fn rounded(moment: jiff::Timestamp) -> Timestamp {
    let whole = moment.round(jiff::Unit::Millisecond).unwrap_or(moment);
    Timestamp::from_ms(whole.as_millisecond())
}

fn from_calendar(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let moment = text.parse::<jiff::Timestamp>();
    let moment = moment.or_else(|_| {
        let local: DateTime = text.parse()?;
        zone.to_timestamp(local)
    });
    moment.ok().map(rounded)
}

/// The inside of the prefix that a message begins with, and what follows it.
fn prefix(message: &str) -> Option<(&str, &str)> {
    let (inner, rest) = message.strip_prefix('[')?.split_once(']')?;
    (is_day_and_time(inner) || is_iso(inner)).then_some((inner, rest))
}

/// `Tue 2026-04-28 13:40:53`, perhaps with the name of a zone.
fn is_day_and_time(inner: &str) -> bool {
    let words: Vec<&str> = inner.split(' ').collect();
    match words[..] {
        [day, date, time] => is_day(day) && is_date(date) && is_time(time),
        [day, date, time, zone] => is_day(day) && is_date(date) && is_time(time) && is_zone(zone),
        _ => false,
    }
}

fn is_day(word: &str) -> bool {
    DAYS.contains(&word)
}

fn is_date(word: &str) -> bool {
    has_form(word, "0000-00-00")
}

fn is_time(word: &str) -> bool {
    has_form(word, "00:00:00")
}

fn is_zone(word: &str) -> bool {
    let allowed = |char: char| char.is_ascii_alphanumeric() || "+-:_/".contains(char);
    !word.is_empty() && word.chars().all(allowed)
}

/// A date, a `T`, and something that should be a time.
fn is_iso(inner: &str) -> bool {
    inner
        .split_once('T')
        .is_some_and(|(date, time)| is_date(date) && !time.is_empty())
}

/// Whether the text has a digit wherever the form has one, and else the same characters.
fn has_form(text: &str, form: &str) -> bool {
    let fits = |(byte, wanted): (u8, u8)| match wanted {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
}

fn read_prefix(inner: &str, zone: &TimeZone) -> Option<Timestamp> {
    if is_iso(inner) {
        return from_calendar(inner, zone);
    }
    let mut words = inner.split(' ').skip(1);
    let local = format!("{}T{}", words.next()?, words.next()?);
    from_calendar(&local, zone)
}

#[cfg(test)]
#[path = "stamp_tests.rs"]
mod tests;
