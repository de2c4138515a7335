//! Which conversation is claimed next.
//!
//! `sessions.ready` is the oldest waiting message while no turn is open, else NULL. The lowest one is
//! the next claim, found in an index, so a claim costs the same with any backlog. This is the only
//! place that writes the column; whoever adds a message or opens or closes a turn calls it.
//!
//! `refresh` works it out from the rows. `arrived` knows that one message was added, and gets the same
//! with one statement: it is on the path of every message at the door.

use rusqlite::params;

use super::fault::Fault;
use super::tx::Tx;

/// Brings `ready` of the session up to date.
pub(super) fn refresh(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let open = "SELECT EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state = 'open')";
    let ready = match tx.number(open, [session])? {
        0 => oldest(tx, session)?,
        _ => None,
    };
    // An unchanged value is not written, which spares a page of the index.
    tx.run(
        "UPDATE sessions SET ready = ?2 WHERE seq = ?1 AND ready IS NOT ?2",
        params![session, ready],
    )?;
    Ok(())
}

/// Brings `ready` of the session up to date after `message` was added to it: an older one stays, and
/// an open turn comes first.
pub(super) fn arrived(tx: &Tx<'_>, session: i64, message: i64) -> Result<(), Fault> {
    tx.run(
        "UPDATE sessions SET ready = ?2 WHERE seq = ?1 AND ready IS NULL \
         AND NOT EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state = 'open')",
        [session, message],
    )?;
    Ok(())
}

fn oldest(tx: &Tx<'_>, session: i64) -> Result<Option<i64>, Fault> {
    let sql = "SELECT seq FROM inbox WHERE session = ?1 AND state = 'waiting' ORDER BY seq LIMIT 1";
    tx.one(sql, [session], |row| Ok(row.get(0)?))
}

/// How many messages wait in the session.
pub(super) fn waiting(tx: &Tx<'_>, session: i64) -> Result<usize, Fault> {
    let sql = "SELECT count(*) FROM inbox WHERE session = ?1 AND state = 'waiting'";
    Ok(usize::try_from(tx.number(sql, [session])?).unwrap_or(0))
}
