//! A text letter by letter, as people count them, at the price of bytes where it is plain ASCII.
//!
//! Where a letter ends is the segmentation crate's to say. In between two ASCII characters it need not be
//! asked: there a letter always ends, unless they are the two of one line break. What follows a letter's end
//! never depends on what came before it, so the two ways can take turns within one text.

use unicode_segmentation::UnicodeSegmentation as _;

/// The letters of the text, each with its offset.
pub(in crate::text) fn graphemes(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let len = first(rest);
        let here = at;
        at += len;
        (len > 0).then(|| (here, &rest[..len]))
    })
}

/// How many bytes the first letter has.
fn first(rest: &str) -> usize {
    match rest.as_bytes() {
        [] => 0,
        [b'\r', b'\n', ..] => 2,
        [one] if one.is_ascii() => 1,
        [one, next, ..] if one.is_ascii() && next.is_ascii() => 1,
        _ => rest.graphemes(true).next().map_or(0, str::len),
    }
}

#[cfg(test)]
#[path = "grapheme_tests.rs"]
mod tests;
