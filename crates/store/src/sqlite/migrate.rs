//! Brings a file to the shape that this release knows.
//!
//! Numbered files, run in order, each in one transaction together with the new version, so a crash
//! leaves a whole earlier shape. They only go forward: a file from a newer release is refused
//! untouched.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;
use crate::database::fault::Fault;

/// The shapes; the first makes version 1.
const MIGRATIONS: [&str; 1] = [include_str!("../migrations/sqlite/0001_the_house.sql")];

/// The version that this release writes.
pub(crate) const KNOWN: u32 = MIGRATIONS.len() as u32;

/// Runs what is missing. `place` names the file in errors.
pub(crate) fn migrate(conn: &Connection, place: &str) -> Result<(), StoreError> {
    (found(conn, place)?..KNOWN)
        .try_for_each(|before| step(conn, before))
        .map_err(|fault| fault.said(place))
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

fn version(conn: &Connection) -> Result<u32, Fault> {
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
