//! Brings a database to the shape that this release knows.
//!
//! Numbered files, run in order, each in one transaction together with the new version, as on SQLite and
//! under the same numbers. The one row of `house` holds the version; whoever migrates holds that row, so
//! nodes that start together do it one after the other, and the second finds nothing left to do. A step may take
//! longer than a verb: a large table is not changed in half a minute.

use angelia_core::copying::Mark;

use super::fault::Means;
use super::line::{Access, Line, Patience};
use crate::database::fault::Fault;
use crate::database::value::{Nothing, params};
use crate::{StoreError, copying};

/// The shapes; the first makes version 1. One that has landed is not edited.
const MIGRATIONS: [&str; 1] = [include_str!("../migrations/postgres/0001_the_house.sql")];

/// The version that this release writes.
pub(super) const KNOWN: u32 = MIGRATIONS.len() as u32;

/// Where the version stands.
const HOUSE: &str = "CREATE TABLE IF NOT EXISTS house (one BIGINT PRIMARY KEY CHECK (one = 1), \
                     version BIGINT NOT NULL); \
                     INSERT INTO house (one, version) VALUES (1, 0) ON CONFLICT DO NOTHING";

/// A step takes the time that it takes, and so does whoever is quicker.
const UNHURRIED: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0";

/// Tables that are in use are not waited for without end: whoever wants them would wait behind.
const BRIEFLY: &str = "SET LOCAL lock_timeout = '10s'";

/// How often two that begin together may be in each other's way.
const ATTEMPTS: usize = 5;

/// Runs what is missing. `place` names the database in errors. A copy that is not finished is refused untouched.
pub(super) fn migrate(line: &mut Line, place: &str) -> Result<(), StoreError> {
    finished(line, place)?;
    make(line, place)
}

/// Refuses a copy that is not finished.
pub(super) fn finished(line: &mut Line, place: &str) -> Result<(), StoreError> {
    match copying::of_line(line).map_err(|fault| fault.said(place))? {
        None => Ok(()),
        Some(Mark { from, .. }) => Err(StoreError::Unfinished { from }),
    }
}

/// Runs what is missing, also in a copy.
pub(crate) fn make(line: &mut Line, place: &str) -> Result<(), StoreError> {
    line.be_patient();
    make_house(line).map_err(|fault| fault.said(place))?;
    let found = found(line, place)?;
    (found..KNOWN)
        .try_for_each(|before| step(line, before))
        .map_err(|fault| fault.said(place))
}

/// Two that make the same table at once are not as patient with each other as with its rows.
fn make_house(line: &mut Line) -> Result<(), Fault> {
    let mut made = line.batch(HOUSE);
    for _ in 1..ATTEMPTS {
        match &made {
            Err(fault) if Means::of(fault) == Means::Otherwise => {
                made = line.batch(HOUSE);
            }
            Ok(()) | Err(_) => break,
        }
    }
    made
}

/// The version that the database has, if this release knows it.
fn found(line: &mut Line, place: &str) -> Result<u32, StoreError> {
    let found = version(line, "SELECT version FROM house").map_err(|fault| fault.said(place))?;
    if found > KNOWN {
        return Err(StoreError::Newer {
            found,
            known: KNOWN,
        });
    }
    Ok(found)
}

/// The version of a database, and nothing if it is not ours yet. Changes nothing.
pub(crate) fn version_of(line: &mut Line) -> Result<u32, Fault> {
    let made = line.query("SELECT to_regclass('house') IS NOT NULL", &Nothing)?;
    let made = made.first().map(|row| row.try_get(0)).transpose()?;
    match made {
        Some(true) => version(line, "SELECT version FROM house"),
        Some(false) | None => Ok(0),
    }
}

fn version(line: &mut Line, sql: &str) -> Result<u32, Fault> {
    let rows = line.query(sql, &Nothing)?;
    let version: i64 = rows
        .first()
        .map(|row| row.try_get(0))
        .transpose()?
        .unwrap_or(0);
    u32::try_from(version).map_err(|_| Fault::Undecodable(format!("its version is {version}")))
}

fn step(line: &mut Line, before: u32) -> Result<(), Fault> {
    line.begin(Access::Write, Patience::Usual);
    let done = step_within(line, before);
    match done {
        Ok(()) => line.commit(),
        Err(fault) => {
            // The first error is the one to tell; a connection that cannot roll back ends, which does.
            line.undo();
            Err(fault)
        }
    }
}

fn step_within(line: &mut Line, before: u32) -> Result<(), Fault> {
    line.batch(UNHURRIED)?;
    // Someone else may have been quicker between the first look and the lock.
    if version(line, "SELECT version FROM house FOR UPDATE")? == before {
        line.batch(BRIEFLY)?;
        line.batch(MIGRATIONS[before as usize])?;
        let sql = "UPDATE house SET version = ?1";
        line.execute(sql, &params![i64::from(before) + 1])?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "migrate_tests.rs"]
mod tests;
