//! What stands in a text in place of secrets, as far as looks tell.
//!
//! Whoever has seen a text only with its secrets hidden, and writes it anew, writes these where the secrets were. Such a text
//! has neither the lines nor the order of the other one, so marks are counted and not looked for in their places: there are
//! more of them than before.

use std::collections::BTreeMap;

use super::rewrite::run_end;
use super::shape::{FIRST, HIDDEN, LAST};
use super::{block, prefix};

/// What is left out of the middle of a long secret.
const MIDDLE: &str = "...";

/// How many of them hide the middle of a telephone number. They are told apart by the digits around.
const OF_PHONE: usize = 4;

/// Signs of a number on both sides that belong to its mark.
const AROUND_PHONE: usize = 2;

/// How often each mark stands in a text. A text that only looks like one counts as well: what was hidden is what there is
/// more of once a text is shown.
#[must_use]
pub fn marks(text: &str) -> BTreeMap<&str, usize> {
    let fixed = [prefix::SENTINEL, block::INSTEAD];
    let fixed = fixed.into_iter().flat_map(|mark| text.matches(mark));
    let mut counts = BTreeMap::new();
    for mark in fixed.chain(stars(text)).chain(ends(text)) {
        *counts.entry(mark).or_insert(0) += 1;
    }
    counts
}

/// Secrets of which nothing is left, and telephone numbers.
fn stars(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(HIDDEN)?;
        from = run_end(text, start, |byte| byte == b'*');
        let phone = || around(text, (start, from), (AROUND_PHONE, AROUND_PHONE));
        Some(match from - start {
            OF_PHONE => phone().unwrap_or(HIDDEN),
            // What touches a mark may be such a sign by itself.
            _ => HIDDEN,
        })
    })
}

/// Long secrets, of which both ends are left. Their last sign before the middle may be a full stop, too.
fn ends(text: &str) -> impl Iterator<Item = &str> {
    let middles = text.as_bytes().windows(MIDDLE.len()).enumerate();
    let middles = middles.filter(|(_, part)| *part == MIDDLE.as_bytes());
    middles.filter_map(|(at, _)| around(text, (at, at + MIDDLE.len()), (FIRST, LAST)))
}

/// A part of a text with so many letters before and after it, if there are so many.
fn around(
    text: &str,
    (start, end): (usize, usize),
    (before, after): (usize, usize),
) -> Option<&str> {
    let (first, _) = text[..start].char_indices().nth_back(before - 1)?;
    let (last, letter) = text[end..].char_indices().nth(after - 1)?;
    Some(&text[first..end + last + letter.len_utf8()])
}

#[cfg(test)]
#[path = "marks_tests.rs"]
mod tests;
