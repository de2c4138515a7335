//! Adding rows to the indexes, and taking them out.
//!
//! `search_state.indexed` is the last row whose words are in the indexes. It moves in the transaction that
//! adds them, so a crash leaves neither a gap nor a row that is in twice.

use std::ops::ControlFlow;

use angelia_core::limits;
use angelia_core::transcript::search_query;
use rusqlite::params;

use super::super::fault::Fault;
use super::super::long::words_sql;
use super::super::tx::Tx;
use super::words;
use crate::search::Indexed;

/// Rows between the position and the newest row.
pub(super) fn waiting(tx: &Tx<'_>) -> Result<u64, Fault> {
    let sql = "SELECT coalesce((SELECT max(row) FROM transcript), 0) - indexed FROM search_state";
    Ok(tx.number(sql, [])?.max(0).unsigned_abs())
}

/// Indexes the next rows.
pub(super) fn more(tx: &Tx<'_>, limit: usize) -> Result<Indexed, Fault> {
    let rows = next(tx, limit)?;
    for (row, words) in &rows {
        add(tx, *row, words)?;
    }
    if let Some((last, _)) = rows.last() {
        tx.run("UPDATE search_state SET indexed = ?1", [last])?;
    }
    Ok(Indexed {
        rows: rows.len(),
        waiting: waiting(tx)?,
    })
}

fn next(tx: &Tx<'_>, limit: usize) -> Result<Vec<(i64, String)>, Fault> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    tx.walk(
        concat!(
            "SELECT row, ",
            words_sql!("transcript"),
            ", body FROM transcript \
             WHERE row > (SELECT indexed FROM search_state) ORDER BY row LIMIT ?1"
        ),
        [limit as i64],
        |row| {
            let words = words::words(row, 1)?.into_owned();
            bytes += words.len();
            rows.push((row.get(0)?, words));
            let full = bytes >= limits::SEARCH_BATCH_BYTES;
            Ok(if full {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        },
    )?;
    Ok(rows)
}

fn add(tx: &Tx<'_>, row: i64, words: &str) -> Result<(), Fault> {
    tx.run(
        "INSERT OR REPLACE INTO search_words (rowid, text) VALUES (?1, ?2)",
        params![row, words],
    )?;
    if search_query::needs_groups(words) {
        tx.run(
            "INSERT OR REPLACE INTO search_groups (rowid, text) VALUES (?1, ?2)",
            params![row, words],
        )?;
    }
    Ok(())
}

/// Takes rows of the transcript out of the indexes. It is called in the transaction that deleted them,
/// before that writes any other row: a number that was the highest is given again, and the position
/// moves back so that the row that gets it is indexed.
pub(in crate::sqlite) fn forget(tx: &Tx<'_>, rows: &[i64]) -> Result<(), Fault> {
    for row in rows {
        tx.run("DELETE FROM search_words WHERE rowid = ?1", [row])?;
        tx.run("DELETE FROM search_groups WHERE rowid = ?1", [row])?;
    }
    tx.run(
        "UPDATE search_state SET indexed = coalesce((SELECT max(row) FROM transcript), 0) \
         WHERE indexed > coalesce((SELECT max(row) FROM transcript), 0)",
        [],
    )?;
    Ok(())
}
