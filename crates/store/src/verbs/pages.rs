//! Pages by key: a page begins after the last row of the one before, so rows that arrive meanwhile
//! neither repeat nor hide another.
//!
//! A cursor is a number, or two with a dot. One that cannot be read is past the end: an empty page.

use angelia_core::limits;

use crate::views::{Page, Range};

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// At the first row.
    First,
    /// After this one.
    After(i64, i64),
    /// Nowhere.
    PastTheEnd,
}

/// Reads the cursor of the range.
pub(super) fn start(range: &Range) -> Start {
    match range.after.as_deref() {
        None => Start::First,
        Some(cursor) => parse(cursor).map_or(Start::PastTheEnd, |(a, b)| Start::After(a, b)),
    }
}

fn parse(cursor: &str) -> Option<(i64, i64)> {
    let (first, second) = cursor.split_once('.').unwrap_or((cursor, "0"));
    Some((first.parse().ok()?, second.parse().ok()?))
}

/// How many rows the page may have.
pub(super) fn rows(range: &Range) -> usize {
    match range.limit {
        0 => limits::PAGE_ROWS,
        limit => limit.min(limits::PAGE_ROWS_MAX),
    }
}

/// How many rows to ask for: one more tells whether there is a next page.
pub(super) fn asked(range: &Range) -> i64 {
    rows(range) as i64 + 1
}

/// The page of the rows that were asked for, each with its own cursor.
pub(super) fn page<T>(range: &Range, found: Vec<(String, T)>) -> Page<T> {
    let more = found.len() > rows(range);
    let page = page_to_follow(range, found);
    Page {
        next: page.next.filter(|_| more),
        ..page
    }
}

/// The same, with `next` set whenever there are rows: for readers who wait for more.
pub(super) fn page_to_follow<T>(range: &Range, found: Vec<(String, T)>) -> Page<T> {
    let mut items = Vec::with_capacity(found.len());
    let mut next = None;
    for (cursor, item) in found.into_iter().take(rows(range)) {
        items.push(item);
        next = Some(cursor);
    }
    Page { items, next }
}

/// A page without rows.
pub(super) fn empty<T>() -> Page<T> {
    Page {
        items: Vec::new(),
        next: None,
    }
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
