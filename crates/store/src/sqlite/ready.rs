//! Which conversation is claimed next.
//!
//! A message that comes to a conversation that rests is its `next`; one that comes while another is
//! `next` or is being answered is `waiting`. Only those that wait stand in an index by conversation,
//! so the ordinary message, which does not, costs one entry less.
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

/// A turn was opened. The conversation moves to the head of lists now, and not when its message came:
/// the door is where every write counts, and the claim follows within a moment.
pub(super) fn opened(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let sql = "UPDATE sessions SET ready = NULL, listed_at = ?2 WHERE seq = ?1";
    tx.run(sql, [session, tx.now().ms()])?;
    Ok(())
}

/// The open turn was closed: the next message that waits is due, if any does.
pub(super) fn closed(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let oldest =
        "SELECT seq FROM inbox WHERE session = ?1 AND state = 'waiting' ORDER BY seq LIMIT 1";
    let oldest: Option<i64> = tx.one(oldest, [session], |row| Ok(row.get(0)?))?;
    if let Some(oldest) = oldest {
        tx.run("UPDATE inbox SET state = 'next' WHERE seq = ?1", [oldest])?;
        let sql = "UPDATE sessions SET ready = ?2 WHERE seq = ?1";
        tx.run(sql, [session, oldest])?;
    }
    Ok(())
}

/// How many messages wait in the session.
pub(super) fn waiting(tx: &Tx<'_>, session: i64) -> Result<usize, Fault> {
    let sql = "SELECT (SELECT count(*) FROM inbox WHERE session = ?1 AND state = 'waiting') \
               + (SELECT ready IS NOT NULL FROM sessions WHERE seq = ?1)";
    Ok(usize::try_from(tx.number(sql, [session])?).unwrap_or(0))
}
