//! Which conversation is claimed next.
//!
//! `sessions.ready` is the oldest waiting message while no turn is open, else NULL. The lowest one is
//! the next claim, found in an index, so a claim costs the same with any backlog. This is the only
//! place that writes the column, and there are three moments that change it: a message comes to a
//! conversation that rests, a turn is opened, a turn is closed. A message that comes while others
//! wait, or while a turn is open, changes nothing.

use rusqlite::params;

use super::fault::Fault;
use super::tx::Tx;

/// A conversation that rests gets a message: it is active now, these are its last words, and the
/// message is its next claim. One statement, since all of it is in one row.
pub(super) fn wake(tx: &Tx<'_>, session: i64, message: i64, preview: &str) -> Result<(), Fault> {
    tx.run(
        "UPDATE sessions SET active_at = ?2, preview = coalesce(nullif(?3, ''), preview), \
         ready = ?4 WHERE seq = ?1",
        params![session, tx.now().ms(), preview, message],
    )?;
    Ok(())
}

/// A turn was opened.
pub(super) fn opened(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let sql = "UPDATE sessions SET ready = NULL WHERE seq = ?1";
    tx.run(sql, [session])?;
    Ok(())
}

/// The open turn was closed: the next message that waits is due, if any does.
pub(super) fn closed(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let oldest =
        "SELECT seq FROM inbox WHERE session = ?1 AND state = 'waiting' ORDER BY seq LIMIT 1";
    let oldest: Option<i64> = tx.one(oldest, [session], |row| Ok(row.get(0)?))?;
    if oldest.is_some() {
        let sql = "UPDATE sessions SET ready = ?2 WHERE seq = ?1";
        tx.run(sql, params![session, oldest])?;
    }
    Ok(())
}

/// How many messages wait in the session.
pub(super) fn waiting(tx: &Tx<'_>, session: i64) -> Result<usize, Fault> {
    let sql = "SELECT count(*) FROM inbox WHERE session = ?1 AND state = 'waiting'";
    Ok(usize::try_from(tx.number(sql, [session])?).unwrap_or(0))
}
