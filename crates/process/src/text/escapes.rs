//! Escapes for a terminal: what they are, and texts without them.
//!
//! The whole family of ECMA-48 in its 7-bit and 8-bit forms: control sequences (colours, movements),
//! strings (titles, links, images), and escapes of two or three letters. Of one that never comes to
//! its end only the introducer goes, so that a stray one does not swallow the rest of an output.

use std::ops::RangeInclusive;

const ESC: char = '\u{1b}';
const BEL: char = '\u{7}';
const CSI: char = '\u{9b}';
const OSC: char = '\u{9d}';
const ST: &str = "\u{9c}";
const C1: RangeInclusive<char> = '\u{80}'..='\u{9f}';

const PARAMETERS: RangeInclusive<char> = '0'..='?';
const INTERMEDIATES: RangeInclusive<char> = ' '..='/';
const FINALS: RangeInclusive<char> = '@'..='~';
/// Letters that make an escape together with what went before.
const LAST: RangeInclusive<char> = '0'..='~';

/// What stands at some place of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// A letter to be kept.
    Letter(char),
    /// An escape of so many bytes.
    Escape(usize),
    /// An escape that has not come to its end; if it never does, so many bytes of it go.
    Begun(usize),
}

/// A text without escapes. Other control letters stay.
pub fn strip(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let letters = letters(rest);
        kept.push_str(&rest[..letters]);
        rest = &rest[letters..];
        let Some(at) = at(rest) else {
            return kept;
        };
        rest = &rest[match at {
            At::Letter(letter) => {
                kept.push(letter);
                letter.len_utf8()
            }
            At::Escape(bytes) => bytes,
            At::Begun(0) => {
                kept.push(ESC);
                ESC.len_utf8()
            }
            At::Begun(bytes) => bytes,
        }..];
    }
}

/// How many bytes there are before the next that may begin an escape: those that introduce one stand in the
/// text as this byte, or begin with the other.
fn letters(text: &str) -> usize {
    let introduces = |byte: u8| matches!(byte, 0x1b | 0xc2);
    text.bytes().position(introduces).unwrap_or(text.len())
}

/// A text that does nothing to a terminal but show itself: without escapes and control letters, each
/// return a new line.
pub fn plain(text: &str) -> String {
    let text = strip(text).replace("\r\n", "\n").replace('\r', "\n");
    let is_shown = |letter: &char| !letter.is_ascii_control() || matches!(letter, '\n' | '\t');
    text.chars().filter(is_shown).collect()
}

/// What stands at the beginning of `text`.
pub(super) fn at(text: &str) -> Option<At> {
    let first = text.chars().next()?;
    let rest = &text[first.len_utf8()..];
    Some(match first {
        ESC => after_escape(rest),
        CSI => sequence(rest, first.len_utf8()),
        OSC => string(rest, first.len_utf8(), &[BEL.into(), ST.into()]),
        other if C1.contains(&other) => At::Escape(other.len_utf8()),
        other => At::Letter(other),
    })
}

fn after_escape(rest: &str) -> At {
    /// The escape letter and the one behind it.
    const INTRODUCER: usize = 2;
    let Some(second) = rest.chars().next() else {
        return At::Begun(0);
    };
    let inner = &rest[second.len_utf8()..];
    let string_end = format!("{ESC}\\");
    match second {
        '[' => sequence(inner, INTRODUCER),
        ']' => string(inner, INTRODUCER, &[BEL.into(), string_end]),
        'P' | 'X' | '^' | '_' => string(inner, INTRODUCER, &[string_end]),
        letter if INTERMEDIATES.contains(&letter) => with_intermediates(rest),
        letter if LAST.contains(&letter) => At::Escape(INTRODUCER),
        _ => At::Letter(ESC),
    }
}

/// A control sequence: parameters, intermediates, one final letter.
fn sequence(inner: &str, introducer: usize) -> At {
    let parameters = count(inner, &PARAMETERS);
    let intermediates = count(&inner[parameters..], &INTERMEDIATES);
    let body = parameters + intermediates;
    match inner[body..].chars().next() {
        Some(last) if FINALS.contains(&last) => At::Escape(introducer + body + 1),
        Some(_) => At::Escape(introducer),
        None => At::Begun(introducer),
    }
}

/// A string up to the first of `ends`.
fn string(inner: &str, introducer: usize, ends: &[String]) -> At {
    let found = ends
        .iter()
        .filter_map(|end| Some(inner.find(end.as_str())? + end.len()));
    match found.min() {
        Some(length) => At::Escape(introducer + length),
        None => At::Begun(introducer),
    }
}

/// An escape of three or more letters.
fn with_intermediates(rest: &str) -> At {
    let intermediates = count(rest, &INTERMEDIATES);
    match rest[intermediates..].chars().next() {
        Some(last) if LAST.contains(&last) => At::Escape(ESC.len_utf8() + intermediates + 1),
        Some(_) => At::Letter(ESC),
        None => At::Begun(0),
    }
}

/// How many letters of `range`, all of them of one byte, `text` begins with.
fn count(text: &str, range: &RangeInclusive<char>) -> usize {
    text.chars()
        .take_while(|letter| range.contains(letter))
        .count()
}
