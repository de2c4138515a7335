//! Looking without an index: one or two characters of a script without blanks.
//!
//! Rows are read in order and their words looked at, so many rows and bytes for one page. A page that ends
//! for that reason has a `next` at the last row that was looked at: looking goes on there, and all rows
//! are looked at in the end.

use std::ops::ControlFlow;

use angelia_core::limits;

use super::super::long::words_sql;
use super::super::pages::{self, Start};
use super::filter::{Filter, admitted_sql};
use super::marks::holds;
use super::words;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::Bound;
use crate::search::{Query, Sort};
use crate::views::Page;

/// A statement that reads rows beyond `?6`: their number, words, and whether they may be found. Rows
/// that may not are read too, because they count.
macro_rules! walk_sql {
    ($beyond:literal, $order:literal) => {
        concat!(
            "SELECT t.row, ",
            words_sql!("t"),
            ", t.body, ",
            admitted_sql!(),
            " FROM transcript t CROSS JOIN sessions s ON s.seq = t.session \
             WHERE t.row ",
            $beyond,
            " ?6 ORDER BY t.row ",
            $order,
            " LIMIT ?7"
        )
    };
}

/// Rows that have any of the terms.
pub(super) fn by_substrings(
    tx: &Tx<'_>,
    terms: &[String],
    query: &Query,
) -> Result<Page<i64>, Fault> {
    let (sql, first) = match query.sort {
        Sort::Relevance | Sort::Newest => (walk_sql!("<", "DESC"), i64::MAX),
        Sort::Oldest => (walk_sql!(">", "ASC"), 0),
    };
    let from = match pages::start(&query.range) {
        Start::First => first,
        Start::After(after, _) => after,
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let mut walk = Walk::over(terms, pages::rows(&query.range));
    // One more than are looked at tells whether there is a next page.
    let most = limits::SEARCH_WALK_ROWS as i64 + 1;
    let (filter, besides) = (Filter::of(tx, query)?, [&from as &dyn Bound, &most]);
    tx.walk(sql, filter.with(&besides).as_slice(), |row| {
        if walk.is_over() {
            walk.page.next = Some(walk.last.to_string());
            return Ok(ControlFlow::Break(()));
        }
        walk.last = row.get(0)?;
        walk.look(&words::words(row, 1)?, row.get(3)?);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(walk.page)
}

struct Walk<'q> {
    terms: &'q [String],
    wanted: usize,
    rows: usize,
    bytes: usize,
    last: i64,
    page: Page<i64>,
}

impl<'q> Walk<'q> {
    fn over(terms: &'q [String], wanted: usize) -> Self {
        Self {
            terms,
            wanted,
            rows: 0,
            bytes: 0,
            last: 0,
            page: pages::empty(),
        }
    }

    fn is_over(&self) -> bool {
        self.page.items.len() >= self.wanted
            || self.rows >= limits::SEARCH_WALK_ROWS
            || self.bytes >= limits::SEARCH_WALK_BYTES
    }

    /// Looks at the row `last`; `admitted` is one if it may be found.
    fn look(&mut self, words: &str, admitted: i64) {
        self.rows += 1;
        self.bytes += words.len();
        if admitted == 1 && self.terms.iter().any(|term| holds(words, term)) {
            self.page.items.push(self.last);
        }
    }
}
