//! What is shown of a row that was found, and of its neighbours.

use angelia_core::limits;
use angelia_core::transcript::entry::Role;
use angelia_core::transcript::search_query::Scope;

use super::super::long::words_sql;
use super::super::rows;
use super::filter;
use super::words;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::search::{Excerpt, Hit, Snippet};

/// A hit whose words are not marked yet.
pub(super) struct Bare {
    pub(super) hit: Hit,
    pub(super) words: String,
}

/// The rows that were found, in their order.
pub(super) fn shown(tx: &Tx<'_>, found: &[i64], scope: Scope) -> Result<Vec<Bare>, Fault> {
    let mut hits = Vec::with_capacity(found.len());
    for row in found {
        let bare = tx.one(
            concat!(
                "SELECT t.session, s.id, t.seq, t.role, t.at, s.platform, s.created_at, ",
                words_sql!("t"),
                ", t.body \
                 FROM transcript t JOIN sessions s ON s.seq = t.session WHERE t.row = ?1"
            ),
            [row],
            |row| bare(tx, row, scope),
        )?;
        hits.extend(bare);
    }
    Ok(hits)
}

fn bare(tx: &Tx<'_>, row: &Row<'_>, scope: Scope) -> Result<Bare, Fault> {
    let seq: i64 = row.get(2)?;
    let hit = Hit {
        session: rows::parsed(row, 1)?,
        seq: seq.unsigned_abs(),
        role: Role::from(row.get::<String>(3)?),
        at: rows::time(row, 4)?,
        tool_name: words::tool_name(row, 8)?,
        platform: rows::parsed(row, 5)?,
        session_started: rows::time(row, 6)?,
        snippet: Snippet::default(),
        context: context(tx, (row.get(0)?, seq), scope)?,
    };
    Ok(Bare {
        hit,
        words: words::words(row, 7)?.into_owned(),
    })
}

/// The row before, the row and the row after: those that may be found as well.
fn context(tx: &Tx<'_>, (session, seq): (i64, i64), scope: Scope) -> Result<Vec<Excerpt>, Fault> {
    let admitted = filter::admitted(scope);
    let before = tx.one(
        concat!(
            "SELECT seq, role, ",
            words_sql!("transcript"),
            " FROM transcript WHERE session = ?1 AND seq < ?2 \
             AND visibility IN (SELECT value FROM json_each(?3)) ORDER BY seq DESC LIMIT 1"
        ),
        params![session, seq, admitted],
        excerpt,
    )?;
    let from = tx.all(
        concat!(
            "SELECT seq, role, ",
            words_sql!("transcript"),
            " FROM transcript WHERE session = ?1 AND seq >= ?2 \
             AND visibility IN (SELECT value FROM json_each(?3)) ORDER BY seq LIMIT 2"
        ),
        params![session, seq, admitted],
        excerpt,
    )?;
    Ok(before.into_iter().chain(from).collect())
}

fn excerpt(row: &Row<'_>) -> Result<Excerpt, Fault> {
    let text = row.get_ref(2)?.as_str()?;
    Ok(Excerpt {
        seq: row.get::<i64>(0)?.unsigned_abs(),
        role: Role::from(row.get::<String>(1)?),
        text: text.chars().take(limits::SEARCH_EXCERPT_CHARS).collect(),
    })
}
