//! Adding rows to the indexes, and taking them out.
//!
//! `search_state.indexed` is the last row whose words are in the indexes. It moves in the transaction that
//! adds them, so a crash leaves neither a gap nor a row that is in twice.

use std::ops::ControlFlow;

use angelia_core::limits;
use angelia_core::transcript::search_query;

use super::super::long::words_sql;
use super::tokens::{Reader, Tokens};
use super::words;
use crate::database::fault::Fault;
use crate::database::tx::{Engine, Tx};
use crate::database::value::{Nothing, params};
use crate::search::Indexed;

/// Rows between the position and the newest row. PostgreSQL knows no such order: there, all without words, counted up to
/// a limit. To count all of them with every step would take longer than the step while a whole store is indexed.
pub(super) fn waiting(tx: &Tx<'_>) -> Result<u64, Fault> {
    if tx.engine() == Engine::Postgres {
        let unread = "SELECT count(*) FROM (SELECT 1 FROM transcript WHERE words IS NULL LIMIT ?1) AS unread";
        let most = limits::SEARCH_COUNTED_MAX as i64;
        return Ok(tx.number(unread, [most])?.unsigned_abs());
    }
    let sql = "SELECT coalesce((SELECT max(row) FROM transcript), 0) - indexed FROM search_state";
    Ok(tx.number(sql, Nothing)?.max(0).unsigned_abs())
}

/// Indexes the next rows.
pub(super) fn more(tx: &Tx<'_>, reader: &Reader, limit: usize) -> Result<Indexed, Fault> {
    let rows = next(tx, limit)?;
    for (row, words) in &rows {
        match tx.engine() {
            Engine::Sqlite => add(tx, *row, words)?,
            Engine::Postgres => note(tx, reader, *row, words)?,
        }
    }
    if let (Engine::Sqlite, Some((last, _))) = (tx.engine(), rows.last()) {
        tx.also("UPDATE search_state SET indexed = ?1", [last])?;
    }
    Ok(Indexed {
        rows: rows.len(),
        waiting: waiting(tx)?,
    })
}

/// Selects rows of the transcript with their words; the argument says which.
macro_rules! next_sql {
    ($which:literal) => {
        concat!(
            "SELECT row, ",
            words_sql!("transcript"),
            ", body FROM transcript WHERE ",
            $which
        )
    };
}

fn next(tx: &Tx<'_>, limit: usize) -> Result<Vec<(i64, String)>, Fault> {
    let sql = match tx.engine() {
        Engine::Sqlite => {
            next_sql!("row > (SELECT indexed FROM search_state) ORDER BY row LIMIT ?1")
        }
        // Whoever else does the same takes others, and nobody waits for a row that is being deleted.
        Engine::Postgres => {
            next_sql!("words IS NULL ORDER BY row LIMIT ?1 FOR NO KEY UPDATE SKIP LOCKED")
        }
    };
    let (mut rows, mut bytes) = (Vec::new(), 0);
    tx.walk(sql, [limit as i64], |row| {
        let words = words::words(row, 1)?.into_owned();
        bytes += words.len();
        rows.push((row.get(0)?, words));
        let full = bytes >= limits::SEARCH_BATCH_BYTES;
        Ok(if full {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    })?;
    Ok(rows)
}

fn add(tx: &Tx<'_>, row: i64, words: &str) -> Result<(), Fault> {
    tx.also(
        "INSERT OR REPLACE INTO search_words (rowid, text) VALUES (?1, ?2)",
        params![row, words],
    )?;
    if search_query::needs_groups(words) {
        tx.also(
            "INSERT OR REPLACE INTO search_groups (rowid, text) VALUES (?1, ?2)",
            params![row, words],
        )?;
    }
    Ok(())
}

/// On PostgreSQL the words stand beside the text, in a column that an index leads to.
fn note(tx: &Tx<'_>, reader: &Reader, row: i64, words: &str) -> Result<(), Fault> {
    let groups = search_query::needs_groups(words)
        .then(|| reader.vector(Tokens::Groups, words))
        .transpose()?;
    let sql = "UPDATE transcript SET words = CAST(?2 AS tsvector), groups = CAST(?3 AS tsvector) \
               WHERE row = ?1";
    tx.also(
        sql,
        params![row, reader.vector(Tokens::Words, words)?, groups],
    )?;
    Ok(())
}

/// Takes rows of the transcript out of the indexes. It is called in the transaction that deleted them,
/// before that writes any other row: a number that was the highest is given again, and the position
/// moves back so that the row that gets it is indexed.
pub(in crate::verbs) fn forget(tx: &Tx<'_>, rows: &[i64]) -> Result<(), Fault> {
    if tx.engine() == Engine::Postgres {
        // They went with the rows.
        return Ok(());
    }
    for row in rows {
        tx.also("DELETE FROM search_words WHERE rowid = ?1", [row])?;
        tx.also("DELETE FROM search_groups WHERE rowid = ?1", [row])?;
    }
    tx.also(
        "UPDATE search_state SET indexed = coalesce((SELECT max(row) FROM transcript), 0) \
         WHERE indexed > coalesce((SELECT max(row) FROM transcript), 0)",
        Nothing,
    )?;
    Ok(())
}
