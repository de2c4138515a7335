//! Asking the indexes: an expression in, a page of rows in order out.
//!
//! By time a page begins after the last row of the one before and reads no further than it must. By
//! relevance the newest hits are weighed, so many and no more, and a page begins at a place among them:
//! weights change with every row that is added, so no row can say where it stands. Of two that fit
//! alike the newer comes first.

use std::collections::BTreeMap;

use angelia_core::limits;
use angelia_core::transcript::search_query;
use rusqlite::{Error, ErrorCode};

use super::super::fault::Fault;
use super::super::pages::{self, Start};
use super::super::tx::Tx;
use super::filter::{Filter, admitted_sql};
use crate::search::{Query, Sort};
use crate::views::Page;

/// A statement that finds rows in an index: their numbers and weights, beyond `:from` in the order that it
/// names, `:limit` at most. A lower weight fits better.
macro_rules! find_sql {
    ($index:literal, $weight:literal, $beyond:literal, $order:literal) => {
        concat!(
            "SELECT f.rowid, ",
            $weight,
            " FROM ",
            $index,
            " f CROSS JOIN transcript t ON t.row = f.rowid CROSS JOIN sessions s ON s.seq = t.session \
             WHERE f.",
            $index,
            " MATCH :expression AND f.rowid ",
            $beyond,
            " :from AND ",
            admitted_sql!(),
            " ORDER BY f.rowid ",
            $order,
            " LIMIT :limit"
        )
    };
}

/// The statements of one index.
struct Index {
    weighed: &'static str,
    newest: &'static str,
    oldest: &'static str,
}

const WORDS: Index = Index {
    weighed: find_sql!("search_words", "f.rank", "<", "DESC"),
    newest: find_sql!("search_words", "0.0", "<", "DESC"),
    oldest: find_sql!("search_words", "0.0", ">", "ASC"),
};

const GROUPS: Index = Index {
    weighed: find_sql!("search_groups", "f.rank", "<", "DESC"),
    newest: find_sql!("search_groups", "0.0", "<", "DESC"),
    oldest: find_sql!("search_groups", "0.0", ">", "ASC"),
};

/// An index and what to ask it.
type Question<'q> = (&'static Index, &'q str);

/// Rows that have these words.
pub(super) fn by_words(tx: &Tx<'_>, expression: &str, query: &Query) -> Result<Page<i64>, Fault> {
    page(tx, &[(&WORDS, expression)], query)
}

/// Rows that have these groups of characters. Rows without such characters are in the other index: they
/// are found by the alternatives that need none.
pub(super) fn by_groups(tx: &Tx<'_>, expression: &str, query: &Query) -> Result<Page<i64>, Fault> {
    let plain = search_query::plain_alternatives(expression);
    let mut questions = vec![(&GROUPS, expression)];
    questions.extend(plain.iter().map(|plain| (&WORDS, plain.as_str())));
    page(tx, &questions, query)
}

fn page(tx: &Tx<'_>, questions: &[Question<'_>], query: &Query) -> Result<Page<i64>, Fault> {
    let after = match pages::start(&query.range) {
        Start::First => None,
        Start::After(after, _) => Some(after),
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let mut rows = Rows {
        tx,
        filter: Filter::of(tx, query)?,
        found: BTreeMap::new(),
    };
    let asked = pages::asked(&query.range);
    let most = limits::SEARCH_RANKED_MAX as i64;
    for (index, expression) in questions {
        match query.sort {
            Sort::Relevance => rows.ask(index.weighed, expression, i64::MAX, most)?,
            Sort::Newest => rows.ask(index.newest, expression, after.unwrap_or(i64::MAX), asked)?,
            Sort::Oldest => rows.ask(index.oldest, expression, after.unwrap_or(0), asked)?,
        }
    }
    let found = match query.sort {
        Sort::Relevance => by_weight(rows.found, after.unwrap_or(0)),
        Sort::Newest => by_number(rows.found.into_keys().rev()),
        Sort::Oldest => by_number(rows.found.into_keys()),
    };
    Ok(pages::page(&query.range, found))
}

/// Rows with their weights; found by two questions, a row has the better one.
struct Rows<'t, 'c> {
    tx: &'t Tx<'c>,
    filter: Filter,
    found: BTreeMap<i64, f64>,
}

impl Rows<'_, '_> {
    fn ask(&mut self, sql: &str, expression: &str, from: i64, limit: i64) -> Result<(), Fault> {
        let besides: [(&str, &dyn rusqlite::ToSql); 3] = [
            (":expression", &expression),
            (":from", &from),
            (":limit", &limit),
        ];
        let found = self.tx.all(sql, &*self.filter.with(&besides), |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?))
        });
        for (row, weight) in readable(found)? {
            let best = self.found.entry(row).or_insert(weight);
            *best = best.min(weight);
        }
        Ok(())
    }
}

/// An expression that the index cannot read, such as one with two operators in a row, finds nothing. Any
/// other failure is one.
fn readable<T>(found: Result<Vec<T>, Fault>) -> Result<Vec<T>, Fault> {
    match found {
        Err(Fault::Sql(Error::SqliteFailure(why, _)))
            if why.code == ErrorCode::Unknown
                && why.extended_code == rusqlite::ffi::SQLITE_ERROR =>
        {
            Ok(Vec::new())
        }
        other => other,
    }
}

fn by_weight(found: BTreeMap<i64, f64>, skipped: i64) -> Vec<(String, i64)> {
    let mut weighed: Vec<(i64, f64)> = found.into_iter().collect();
    weighed.sort_by(|(a, one), (b, other)| one.total_cmp(other).then(b.cmp(a)));
    let placed = (1i64..).zip(weighed);
    let rest = placed.filter(|(place, _)| *place > skipped);
    rest.map(|(place, (row, _))| (place.to_string(), row))
        .collect()
}

fn by_number(rows: impl Iterator<Item = i64>) -> Vec<(String, i64)> {
    rows.map(|row| (row.to_string(), row)).collect()
}
