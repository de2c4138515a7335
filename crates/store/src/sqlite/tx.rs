//! The transaction that a verb sees: some SQL, and the one `now` of it.
//!
//! Every statement is prepared once per connection and kept. There is no commit here: whoever opened
//! the transaction ends it, so a verb cannot happen by halves.

use std::ops::ControlFlow;

use angelia_core::time::Timestamp;
use rusqlite::{Connection, Params, Row};

use super::fault::Fault;

/// An open transaction.
pub(super) struct Tx<'c> {
    conn: &'c Connection,
    now: Timestamp,
}

impl<'c> Tx<'c> {
    /// The transaction that is open on `conn`, at `now` by the store's clock.
    pub(super) fn on(conn: &'c Connection, now: Timestamp) -> Self {
        Self { conn, now }
    }

    /// The store's time; the same for all of the verb.
    pub(super) fn now(&self) -> Timestamp {
        self.now
    }

    /// Changes rows; returns how many.
    pub(super) fn run(&self, sql: &str, params: impl Params) -> Result<usize, Fault> {
        Ok(self.conn.prepare_cached(sql)?.execute(params)?)
    }

    /// Adds a row; returns its `seq`.
    pub(super) fn insert(&self, sql: &str, params: impl Params) -> Result<i64, Fault> {
        Ok(self.conn.prepare_cached(sql)?.insert(params)?)
    }

    /// Reads at most one row.
    pub(super) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let mut statement = self.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        rows.next()?.map(read).transpose()
    }

    /// Reads all rows.
    pub(super) fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut statement = self.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read(row)?);
        }
        Ok(found)
    }

    /// Reads rows until `read` has seen enough.
    pub(super) fn walk(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<(), Fault> {
        let mut statement = self.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        while let Some(row) = rows.next()? {
            if read(row)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Reads the one number that the statement always yields.
    pub(super) fn number(&self, sql: &str, params: impl Params) -> Result<i64, Fault> {
        Ok(self
            .conn
            .prepare_cached(sql)?
            .query_row(params, |row| row.get(0))?)
    }
}
