//! Brings a file to the shape that this release knows.
//!
//! Numbered files, run in order, each in one transaction together with the new version, so a crash
//! leaves a whole earlier shape. They only go forward: a file from a newer release is refused
//! untouched.

use angelia_core::copying::Mark;
use angelia_core::time::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::{StoreError, copying};

/// The shapes; the first makes version 1. One that has landed is not edited.
pub(crate) const MIGRATIONS: [&str; 1] = [include_str!("../migrations/sqlite/0001_the_house.sql")];

/// The version that this release writes.
pub(crate) const KNOWN: u32 = MIGRATIONS.len() as u32;

/// Runs what is missing. `place` names the file in errors. A copy that is not finished is refused untouched.
pub(crate) fn migrate(conn: &Connection, place: &str) -> Result<(), StoreError> {
    finished(conn, place)?;
    make(conn, place)
}

/// The same, also for a copy.
pub(crate) fn make(conn: &Connection, place: &str) -> Result<(), StoreError> {
    (found(conn, place)?..KNOWN)
        .try_for_each(|before| step(conn, before))
        .map_err(|fault| fault.said(place))
}

/// Refuses a copy that is not finished.
pub(crate) fn finished(conn: &Connection, place: &str) -> Result<(), StoreError> {
    let mark = copying::of_tx(&Tx::on(conn, Timestamp::from_ms(0)));
    match mark.map_err(|fault| fault.said(place))? {
        None => Ok(()),
        Some(Mark { from, .. }) => Err(StoreError::Unfinished { from }),
    }
}

/// The version that the file has, if this release knows it.
pub(crate) fn found(conn: &Connection, place: &str) -> Result<u32, StoreError> {
    let found = version(conn).map_err(|fault| fault.said(place))?;
    if found > KNOWN {
        return Err(StoreError::Newer {
            found,
            known: KNOWN,
        });
    }
    Ok(found)
}

/// The version that the file has.
pub(crate) fn version(conn: &Connection) -> Result<u32, Fault> {
    Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

fn step(conn: &Connection, before: u32) -> Result<(), Fault> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    // Someone else may have been quicker between the first look and the lock.
    if version(&tx)? == before {
        tx.execute_batch(MIGRATIONS[before as usize])?;
        tx.pragma_update(None, "user_version", before + 1)?;
    }
    Ok(tx.commit()?)
}
