//! Answers that say nothing on purpose.
//!
//! An agent that has nothing to add ends with a marker, such as `NO_REPLY` or `[SILENT]`, and nothing
//! is sent. [`is_marker`] knows a whole answer that is one; [`may_become_marker`] holds a draft back
//! while its words may still turn out to be one. [`is_narration`] knows silence that is described
//! instead ("(no response.)"), which only output that nobody asked for is dropped for.
//!
//! A turn that failed is never silent: [`suppresses`] asks how it ended. A marker takes back its own
//! words only, never what was shown before it.

/// The markers, in capitals with single blanks.
const MARKERS: [&str; 4] = ["NO_REPLY", "NO REPLY", "SILENT", "[SILENT]"];

/// Silence in words, in small letters with single blanks.
const NARRATIONS: [&str; 4] = ["silent", "silence", "no reply", "no response"];

/// A description of silence is short; more than this is an answer about it.
const NARRATION_CHARS_MAX: usize = 64;

/// No marker is longer, whatever stands around it: longer texts are not looked at.
const MARKER_BYTES_MAX: usize = 256;

/// How the turn ended that the words come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With an answer, perhaps one that was cut short.
    Answered,
    /// Without one: the words tell of the failure.
    Failed,
}

/// Whether an answer is sent to nobody.
#[must_use]
pub fn suppresses(answer: &str, ending: Ending) -> bool {
    ending == Ending::Answered && is_marker(answer)
}

/// Whether the whole text is a marker. White space, letters' case and punctuation around it do not count.
#[must_use]
pub fn is_marker(text: &str) -> bool {
    bare(text).is_some_and(|bare| MARKERS.contains(&bare.as_str()))
}

/// Whether more words could make the text a marker, or it is one.
#[must_use]
pub fn may_become_marker(text: &str) -> bool {
    let begins = |bare: String| !bare.is_empty() && MARKERS.iter().any(|it| it.starts_with(&bare));
    bare(text).is_some_and(begins)
}

/// Whether the text does nothing but describe silence.
#[must_use]
pub fn is_narration(text: &str) -> bool {
    let text = text.trim();
    if text.chars().take(NARRATION_CHARS_MAX + 1).count() > NARRATION_CHARS_MAX {
        return false;
    }
    let words = one_line(text.trim_matches(is_wrapping)).to_lowercase();
    let told = words.trim_end_matches('.').trim_end();
    NARRATIONS.contains(&told) || is_mute_sign(&words)
}

fn is_mute_sign(words: &str) -> bool {
    let dots = |char: char| matches!(char, '.' | '…');
    words == "🔇" || (!words.is_empty() && words.chars().all(dots))
}

/// Marks of emphasis and code, brackets, and the blanks between them.
fn is_wrapping(char: char) -> bool {
    matches!(char, '*' | '_' | '`' | '~' | '(' | ')') || char.is_whitespace()
}

fn bare(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > MARKER_BYTES_MAX {
        return None;
    }
    let inner = text.trim_matches(|char: char| is_punctuation(char) || char.is_whitespace());
    Some(one_line(inner).to_uppercase())
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Punctuation as Unicode has it, without currency, mathematics and back-ticks. Square brackets belong
/// to a marker, so they are not around it.
fn is_punctuation(char: char) -> bool {
    match char {
        '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~' | '[' | ']' => false,
        _ if char.is_ascii() => char.is_ascii_punctuation(),
        '\u{2044}' | '\u{2052}' => false,
        _ => matches!(char,
            '¡' | '§' | '«' | '¶' | '·' | '»' | '¿'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}'
            | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
            | '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}' | '\u{ff0c}'..='\u{ff0f}'
            | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}' | '\u{ff61}'..='\u{ff65}'),
    }
}

#[cfg(test)]
#[path = "silence_tests.rs"]
mod tests;
