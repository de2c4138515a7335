//! Where one part ends: the best place for a cut inside the room that a part has.
//!
//! The last line break is best, unless it would leave the part less than half full; then the last
//! blank, then the last grapheme that fits. A cut that would part inline code moves back before it
//! if that keeps more than a quarter of the room. Fenced blocks are not known here: the caller
//! moves a cut that hits one of their lines.

mod plain;

use unicode_segmentation::UnicodeSegmentation;

use super::grapheme::graphemes;
use super::length::Limit;

/// A line break or blank between two pieces of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gap {
    at: usize,
    chars: usize,
}

/// Finds the cut: a byte offset in `rest`, at a grapheme's end, with no gap up to `floor` used.
///
/// Returns none if not even the first grapheme fits. Reads one character more than the room.
pub(super) fn place(rest: &str, room: Limit, floor: usize) -> Option<usize> {
    let fitting = room.unit.prefix(rest, room.max);
    let window = whole_graphemes(rest, fitting.len());
    let chars = fitting.chars().count();
    let at = gap_or_end(window, chars / 2, floor);
    let gap = before_inline_code(&window[..at], floor).filter(|gap| gap.chars > chars / 4);
    Some(gap.map_or(at, |gap| gap.at)).filter(|at| *at > 0)
}

/// Returns where the first grapheme ends, if it fits.
pub(super) fn first_grapheme(rest: &str, room: Limit) -> Option<usize> {
    let fitting = room.unit.prefix(rest, room.max).len();
    let first = whole_graphemes(rest, fitting).graphemes(true).next();
    first.map(str::len)
}

/// Shortens the first `fitting` bytes so that they end with a grapheme.
///
/// One character of what follows is enough to see whether the last grapheme goes on, so a grapheme
/// of a megabyte costs no more than any other text.
fn whole_graphemes(rest: &str, fitting: usize) -> &str {
    let ahead = rest[fitting..].chars().next().map_or(0, char::len_utf8);
    let seen = &rest[..fitting + ahead];
    let last = seen.grapheme_indices(true).next_back();
    match last {
        Some((at, _)) if ahead > 0 => &seen[..at],
        _ => seen,
    }
}

/// Tells whether the whole text is a single grapheme.
pub(super) fn is_one_grapheme(text: &str) -> bool {
    text.graphemes(true).take(2).count() == 1
}

fn gap_or_end(window: &str, half: usize, floor: usize) -> usize {
    if window.is_ascii() {
        return plain::gap_or_end(window.as_bytes(), half, floor);
    }
    gap_or_end_by_letters(window, half, floor)
}

fn gap_or_end_by_letters(window: &str, half: usize, floor: usize) -> usize {
    let (mut line, mut blank) = (None, None);
    for (gap, grapheme) in gaps(window).filter(|(gap, _)| gap.at > floor) {
        match grapheme {
            " " => blank = Some(gap),
            _ => line = Some(gap),
        }
    }
    let line = line.filter(|gap| gap.chars >= half);
    line.or(blank).map_or(window.len(), |gap| gap.at)
}

/// The last gap before the back-tick that opens inline code and is not closed in the piece.
fn before_inline_code(piece: &str, floor: usize) -> Option<Gap> {
    if piece.is_ascii() {
        return plain::before_inline_code(piece.as_bytes(), floor);
    }
    before_inline_code_by_letters(piece, floor)
}

fn before_inline_code_by_letters(piece: &str, floor: usize) -> Option<Gap> {
    let mut gap = None;
    let mut before_tick = None;
    let mut ticks = 0_usize;
    let mut escaped = false;
    for (here, grapheme) in counted(piece) {
        if is_gap(grapheme) && here.at > floor {
            gap = Some(here);
        }
        if grapheme.as_bytes().first() == Some(&b'`') && !escaped {
            ticks += 1;
            before_tick = gap;
        }
        escaped = grapheme.as_bytes().last() == Some(&b'\\');
    }
    before_tick.filter(|_| ticks % 2 == 1)
}

fn gaps(window: &str) -> impl Iterator<Item = (Gap, &str)> {
    counted(window).filter(|(_, grapheme)| is_gap(grapheme))
}

fn is_gap(grapheme: &str) -> bool {
    matches!(grapheme.as_bytes(), b" " | b"\n" | b"\r\n")
}

fn counted(text: &str) -> impl Iterator<Item = (Gap, &str)> {
    let mut chars = 0;
    graphemes(text).map(move |(at, grapheme)| {
        let here = Gap { at, chars };
        chars += grapheme.chars().count();
        (here, grapheme)
    })
}

#[cfg(test)]
#[path = "cut_tests.rs"]
mod tests;
