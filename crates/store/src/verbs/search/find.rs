//! Asking the indexes: an expression in, a page of rows in order out.
//!
//! By time a page begins after the last row of the one before and reads no further than it must. By
//! relevance the newest hits are weighed, so many and no more, and a page begins at a place among them:
//! weights change with every row that is added, so no row can say where it stands. Of two that fit
//! alike the newer comes first.

use std::borrow::Cow;
use std::collections::BTreeMap;

use angelia_core::limits;
use angelia_core::transcript::search_query;
use rusqlite::{Error, ErrorCode};

use super::super::pages::{self, Start};
use super::filter::{Filter, admitted_sql};
use super::tokens::Tokens;
use super::{Look, expression};
use crate::database::fault::Fault;
use crate::database::tx::{Engine, Tx};
use crate::database::value::Bound;
use crate::search::Sort;
use crate::views::Page;

/// A statement that finds rows in an index: their numbers and weights, beyond `?7` in the order that it
/// names, `?8` at most. A lower weight fits better.
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
            " MATCH ?6 AND f.rowid ",
            $beyond,
            " ?7 AND ",
            admitted_sql!(),
            " ORDER BY f.rowid ",
            $order,
            " LIMIT ?8"
        )
    };
}

/// The same in a column of the transcript, where it is PostgreSQL that looks.
macro_rules! find_in_column_sql {
    ($column:literal, $weight:literal, $beyond:literal, $order:literal) => {
        concat!(
            "SELECT t.row, ",
            $weight,
            " FROM transcript t JOIN sessions s ON s.seq = t.session WHERE t.",
            $column,
            " @@ CAST(?6 AS tsquery) AND t.row ",
            $beyond,
            " ?7 AND ",
            admitted_sql!(),
            " ORDER BY t.row ",
            $order,
            " LIMIT ?8"
        )
    };
}

/// The statements of one index.
struct Index {
    weighed: &'static str,
    newest: &'static str,
    oldest: &'static str,
}

/// An index on both engines.
struct Both {
    sqlite: Index,
    postgres: Index,
    tokens: Tokens,
}

static WORDS: Both = Both {
    sqlite: Index {
        weighed: find_sql!("search_words", "f.rank", "<", "DESC"),
        newest: find_sql!("search_words", "0.0", "<", "DESC"),
        oldest: find_sql!("search_words", "0.0", ">", "ASC"),
    },
    postgres: Index {
        weighed: find_in_column_sql!(
            "words",
            "CAST(-ts_rank(t.words, CAST(?6 AS tsquery), 1) AS DOUBLE PRECISION)",
            "<",
            "DESC"
        ),
        newest: find_in_column_sql!("words", "0", "<", "DESC"),
        oldest: find_in_column_sql!("words", "0", ">", "ASC"),
    },
    tokens: Tokens::Words,
};

static GROUPS: Both = Both {
    sqlite: Index {
        weighed: find_sql!("search_groups", "f.rank", "<", "DESC"),
        newest: find_sql!("search_groups", "0.0", "<", "DESC"),
        oldest: find_sql!("search_groups", "0.0", ">", "ASC"),
    },
    postgres: Index {
        weighed: find_in_column_sql!(
            "groups",
            "CAST(-ts_rank(t.groups, CAST(?6 AS tsquery), 1) AS DOUBLE PRECISION)",
            "<",
            "DESC"
        ),
        newest: find_in_column_sql!("groups", "0", "<", "DESC"),
        oldest: find_in_column_sql!("groups", "0", ">", "ASC"),
    },
    tokens: Tokens::Groups,
};

/// An index and what to ask it.
type Question<'q> = (&'static Both, &'q str);

/// Rows that have these words.
pub(super) fn by_words(look: &Look<'_, '_>, expression: &str) -> Result<Page<i64>, Fault> {
    page(look, &[(&WORDS, expression)])
}

/// Rows that have these groups of characters. Rows without such characters are in the other index: they
/// are found by the alternatives that need none.
pub(super) fn by_groups(look: &Look<'_, '_>, expression: &str) -> Result<Page<i64>, Fault> {
    let plain = search_query::plain_alternatives(expression);
    let mut questions = vec![(&GROUPS, expression)];
    questions.extend(plain.iter().map(|plain| (&WORDS, plain.as_str())));
    page(look, &questions)
}

fn page(look: &Look<'_, '_>, questions: &[Question<'_>]) -> Result<Page<i64>, Fault> {
    let query = look.query;
    let after = match pages::start(&query.range) {
        Start::First => None,
        Start::After(after, _) => Some(after),
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let mut rows = Rows {
        tx: look.tx,
        filter: Filter::of(look.tx, query)?,
        found: BTreeMap::new(),
    };
    let asked = pages::asked(&query.range);
    let most = limits::SEARCH_RANKED_MAX as i64;
    for question in questions {
        let Some((index, expression)) = put(look, question)? else {
            continue;
        };
        match query.sort {
            Sort::Relevance => rows.ask(index.weighed, &expression, i64::MAX, most)?,
            Sort::Newest => {
                rows.ask(index.newest, &expression, after.unwrap_or(i64::MAX), asked)?
            }
            Sort::Oldest => rows.ask(index.oldest, &expression, after.unwrap_or(0), asked)?,
        }
    }
    let found = match query.sort {
        Sort::Relevance => by_weight(rows.found, after.unwrap_or(0)),
        Sort::Newest => by_number(rows.found.into_keys().rev()),
        Sort::Oldest => by_number(rows.found.into_keys()),
    };
    Ok(pages::page(&query.range, found))
}

/// The statements for a question, and the question in the engine's words; nothing if it cannot be read.
fn put<'q>(
    look: &Look<'_, '_>,
    (index, expression): &Question<'q>,
) -> Result<Option<(&'static Index, Cow<'q, str>)>, Fault> {
    Ok(match look.tx.engine() {
        Engine::Sqlite => Some((&index.sqlite, Cow::Borrowed(*expression))),
        Engine::Postgres => {
            let asked = expression::for_postgres(&look.aids.reader, index.tokens, expression)?;
            asked.map(|asked| (&index.postgres, Cow::Owned(asked)))
        }
    })
}

/// Rows with their weights; found by two questions, a row has the better one.
struct Rows<'t, 'c> {
    tx: &'t Tx<'c>,
    filter: Filter,
    found: BTreeMap<i64, f64>,
}

impl Rows<'_, '_> {
    fn ask(&mut self, sql: &str, expression: &str, from: i64, limit: i64) -> Result<(), Fault> {
        let besides: [&dyn Bound; 3] = [&expression, &from, &limit];
        let values = self.filter.with(&besides);
        let found = self.tx.all(sql, values.as_slice(), |row| {
            Ok((row.get::<i64>(0)?, row.get::<f64>(1)?))
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
        Err(Fault::Sqlite(Error::SqliteFailure(why, _)))
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
