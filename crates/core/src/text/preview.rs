//! The first words of a text on one line, for lists.
//!
//! Runs of white space become one blank, control and direction characters vanish so that a title
//! can neither break a terminal nor turn the text around it, and a text that is too long ends with
//! an ellipsis after a whole grapheme. It reads little more than it shows. It does not render
//! Markdown.

use unicode_segmentation::UnicodeSegmentation;

const ELLIPSIS: char = '…';

/// Shows the beginning of a text in at most `max_chars` characters, the ellipsis included.
#[must_use]
pub fn preview(text: &str, max_chars: usize) -> String {
    // One character more than shown tells whether something is missing, and whether the last
    // grapheme goes on.
    let seen: String = one_line(text).take(max_chars.saturating_add(1)).collect();
    if seen.chars().count() <= max_chars {
        seen
    } else {
        shortened(&seen, max_chars)
    }
}

fn shortened(seen: &str, max_chars: usize) -> String {
    let Some(room) = max_chars.checked_sub(1) else {
        return String::new();
    };
    let mut shown = if seen.is_ascii() {
        // Without control characters each letter is a grapheme, and looking for them is dear.
        seen[..room].to_owned()
    } else {
        whole_graphemes(seen, room)
    };
    shown.truncate(shown.trim_end().len());
    shown.push(ELLIPSIS);
    shown
}

fn whole_graphemes(seen: &str, room: usize) -> String {
    let mut used = 0;
    let fits = |grapheme: &&str| {
        used += grapheme.chars().count();
        used <= room
    };
    seen.graphemes(true).take_while(fits).collect()
}

/// The characters that may be shown, with blanks only between words.
fn one_line(text: &str) -> impl Iterator<Item = char> {
    let mut seen = Seen::Nothing;
    let kept = text
        .chars()
        .filter(|char| char.is_whitespace() || is_visible(*char));
    kept.flat_map(move |char| seen.next(char))
}

/// What was read last: white space counts only once a word follows it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    Word,
    Gap,
}

impl Seen {
    fn next(&mut self, char: char) -> impl Iterator<Item = char> + use<> {
        let blank = char.is_whitespace();
        let before = (!blank && *self == Self::Gap).then_some(' ');
        *self = match (blank, *self) {
            (false, _) => Self::Word,
            (true, Self::Nothing) => Self::Nothing,
            (true, Self::Word | Self::Gap) => Self::Gap,
        };
        before.into_iter().chain((!blank).then_some(char))
    }
}

fn is_visible(char: char) -> bool {
    !char.is_control() && !is_direction(char)
}

/// Marks, embeddings, overrides and isolates of the bidirectional algorithm.
fn is_direction(char: char) -> bool {
    matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
#[path = "preview_tests.rs"]
mod tests;
