//! Places for a cut in plain ASCII, at the price of bytes.
//!
//! There every byte is a character and a letter, but for the two of one line break. A growing reply is looked at again
//! and again, so places are looked for from the end.

use super::Gap;

pub(super) fn gap_or_end(window: &[u8], half: usize, floor: usize) -> usize {
    let line = last_line(window, floor).filter(|at| *at >= half);
    line.or_else(|| last(window, floor, b' '))
        .unwrap_or(window.len())
}

pub(super) fn before_inline_code(piece: &[u8], floor: usize) -> Option<Gap> {
    let is_escaped = |at: usize| at > 0 && piece[at - 1] == b'\\';
    let (mut count, mut tick) = (0_usize, 0);
    for (at, byte) in piece.iter().enumerate() {
        if *byte == b'`' && !is_escaped(at) {
            (count, tick) = (count + 1, at);
        }
    }
    let before = &piece[..tick];
    let at = last_line(before, floor).max(last(before, floor, b' '));
    at.filter(|_| count % 2 == 1)
        .map(|at| Gap { at, chars: at })
}

/// The last line break behind the floor: where it begins.
fn last_line(text: &[u8], floor: usize) -> Option<usize> {
    let at = last(text, floor, b'\n')?;
    let begins = at - usize::from(at > 0 && text[at - 1] == b'\r');
    Some(begins).filter(|at| *at > floor)
}

fn last(text: &[u8], floor: usize, wanted: u8) -> Option<usize> {
    let behind = text.get(floor + 1..)?;
    let at = behind.iter().rposition(|byte| *byte == wanted)?;
    Some(floor + 1 + at)
}
