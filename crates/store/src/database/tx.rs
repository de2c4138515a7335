//! The transaction that a verb sees: some SQL, and the one `now` of it.
//!
//! A verb is written once and runs on either engine. Its SQL is SQLite's, as far as PostgreSQL reads it as
//! well; the few words that differ are put into PostgreSQL's when a statement is first prepared there
//! (`postgres::dialect`), and where the two must do different things a verb asks which `engine` it is on.
//!
//! Every statement is prepared once per connection and kept. There is no commit here: whoever opened
//! the transaction ends it, so a verb cannot happen by halves.
//!
//! On SQLite one verb writes at a time. On PostgreSQL many do, and a verb that decides by what it read must
//! [`hold`](Tx::hold) it first, so that nobody changes it meanwhile.

use std::cell::RefCell;
use std::ops::ControlFlow;

use angelia_core::time::Timestamp;
use rusqlite::{CachedStatement, Connection};

use super::fault::Fault;
use super::row::Row;
use super::value::{Kind, Owned, Params, Value};
use crate::postgres::line::Line;

/// An open transaction.
pub(crate) struct Tx<'c> {
    on: On<'c>,
    now: Now,
}

/// Which time it is for the verb.
#[derive(Clone, Copy)]
pub(crate) enum Now {
    /// This.
    Given(Timestamp),
    /// The server's when the transaction began.
    OfServer,
}

/// What the transaction is open on.
#[derive(Clone, Copy)]
enum On<'c> {
    Sqlite(&'c Connection),
    Postgres(&'c RefCell<Line>),
}

/// The two engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

impl<'c> Tx<'c> {
    /// The transaction that is open on `conn`, at `now` by the store's clock.
    pub(crate) fn on(conn: &'c Connection, now: Timestamp) -> Self {
        let (on, now) = (On::Sqlite(conn), Now::Given(now));
        Self { on, now }
    }

    /// The transaction that is open on `line`, at `now`.
    pub(crate) fn on_line(line: &'c RefCell<Line>, now: Now) -> Self {
        let on = On::Postgres(line);
        Self { on, now }
    }

    /// The store's time; the same for all of the verb.
    pub(crate) fn now(&self) -> Timestamp {
        match (self.now, self.on) {
            (Now::Given(now), _) => now,
            (Now::OfServer, On::Postgres(line)) => line.borrow_mut().now(),
            (Now::OfServer, On::Sqlite(_)) => Timestamp::from_ms(0),
        }
    }

    /// Where the verb runs.
    pub(crate) fn engine(&self) -> Engine {
        match self.on {
            On::Sqlite(_) => Engine::Sqlite,
            On::Postgres(_) => Engine::Postgres,
        }
    }

    /// Waits until nobody else changes the rows that the statement finds, and keeps others from it until the
    /// verb ends. It is so when the next statement is run. Nothing happens on SQLite, where nobody else writes,
    /// and to verbs that only read.
    pub(crate) fn hold(&self, sql: &str, params: impl Params) -> Result<(), Fault> {
        match self.on {
            On::Sqlite(_) => Ok(()),
            On::Postgres(line) => line.borrow_mut().hold(sql, &params),
        }
    }

    /// The same at once; returns how many rows there are, and one where nothing has to be held.
    pub(crate) fn hold_some(&self, sql: &str, params: impl Params) -> Result<usize, Fault> {
        match self.on {
            On::Sqlite(_) => Ok(1),
            On::Postgres(line) => line.borrow_mut().hold_some(sql, &params),
        }
    }

    /// Changes rows; returns how many.
    pub(crate) fn run(&self, sql: &str, params: impl Params) -> Result<usize, Fault> {
        match self.on {
            On::Sqlite(conn) => Ok(prepared(conn, sql, &params)?.raw_execute()?),
            On::Postgres(line) => line.borrow_mut().execute(sql, &params),
        }
    }

    /// Changes rows, and nobody asks how many: a server is told with the next statement or with the commit. What
    /// it refuses is a fault of those.
    pub(crate) fn also(&self, sql: &str, params: impl Params) -> Result<(), Fault> {
        match self.on {
            On::Sqlite(_) => self.run(sql, params).map(drop),
            On::Postgres(line) => line.borrow_mut().also(sql, &params),
        }
    }

    /// Changes rows as the last that the verb does; returns how many. A server is told to commit with it. If there was
    /// nothing to change the verb may go on, and does so in a transaction of its own: what it held it holds no more.
    pub(crate) fn last(&self, sql: &str, params: impl Params) -> Result<usize, Fault> {
        match self.on {
            On::Sqlite(_) => self.run(sql, params),
            On::Postgres(line) => line.borrow_mut().last(sql, &params),
        }
    }

    /// Adds a row; returns its `seq`.
    pub(crate) fn insert(&self, sql: &str, params: impl Params) -> Result<i64, Fault> {
        match self.on {
            On::Sqlite(conn) => {
                prepared(conn, sql, &params)?.raw_execute()?;
                Ok(conn.last_insert_rowid())
            }
            On::Postgres(line) => line.borrow_mut().insert(sql, &params),
        }
    }

    /// Reads at most one row.
    pub(crate) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        match self.on {
            On::Sqlite(conn) => {
                let mut statement = prepared(conn, sql, &params)?;
                let mut rows = statement.raw_query();
                rows.next()?.map(|row| read(&Row::Sqlite(row))).transpose()
            }
            On::Postgres(line) => {
                let found = line.borrow_mut().query(sql, &params)?;
                found
                    .first()
                    .map(|row| read(&Row::Postgres(row)))
                    .transpose()
            }
        }
    }

    /// Reads all rows.
    pub(crate) fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut found = Vec::new();
        self.walk(sql, params, |row| {
            found.push(read(row)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    /// Reads rows until `read` has seen enough.
    pub(crate) fn walk(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<(), Fault> {
        let conn = match self.on {
            On::Sqlite(conn) => conn,
            On::Postgres(line) => {
                let found = line.borrow_mut().query(sql, &params)?;
                return walk_found(&found, read);
            }
        };
        let mut statement = prepared(conn, sql, &params)?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            if read(&Row::Sqlite(row))?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The same, one row after the other: there may be more of them than memory. Nothing else may be asked meanwhile.
    pub(crate) fn stream(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<(), Fault> {
        match self.on {
            On::Sqlite(_) => self.walk(sql, params, read),
            On::Postgres(line) => {
                let read = |row: &tokio_postgres::Row| read(&Row::Postgres(row));
                line.borrow_mut().stream(sql, &params, read)
            }
        }
    }

    /// Adds many rows to a table, with values for these columns.
    pub(crate) fn load(
        &self,
        table: &str,
        columns: &[(String, Kind)],
        rows: &[Vec<Owned>],
    ) -> Result<(), Fault> {
        let names: Vec<String> = columns
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect();
        let names = names.join(", ");
        match self.on {
            On::Sqlite(_) => {
                let places: Vec<String> = (1..=columns.len())
                    .map(|place| format!("?{place}"))
                    .collect();
                let sql = format!(
                    "INSERT INTO \"{table}\" ({names}) VALUES ({})",
                    places.join(", ")
                );
                let put = |row: &Vec<Owned>| self.run(&sql, row.as_slice()).map(drop);
                rows.iter().try_for_each(put)
            }
            On::Postgres(line) => {
                let kinds: Vec<Kind> = columns.iter().map(|(_, kind)| *kind).collect();
                let sql = format!("COPY \"{table}\" ({names}) FROM STDIN (FORMAT BINARY)");
                line.borrow_mut().load(&sql, &kinds, rows)
            }
        }
    }

    /// Reads the one number that the statement always yields.
    pub(crate) fn number(&self, sql: &str, params: impl Params) -> Result<i64, Fault> {
        let number = self.one(sql, params, |row| row.get(0))?;
        number.ok_or_else(|| {
            Fault::Undecodable("a statement that yields one number yields none".to_owned())
        })
    }
}

fn walk_found(
    found: &[tokio_postgres::Row],
    mut read: impl FnMut(&Row<'_>) -> Result<ControlFlow<()>, Fault>,
) -> Result<(), Fault> {
    for row in found {
        if read(&Row::Postgres(row))?.is_break() {
            break;
        }
    }
    Ok(())
}

/// A statement with its values, ready to be run on SQLite.
fn prepared<'c>(
    conn: &'c Connection,
    sql: &str,
    params: &impl Params,
) -> Result<CachedStatement<'c>, Fault> {
    let mut statement = conn.prepare_cached(sql)?;
    for place in 0..params.count() {
        match params.at(place) {
            Value::Number(number) => statement.raw_bind_parameter(place + 1, number)?,
            Value::Truth(truth) => statement.raw_bind_parameter(place + 1, truth)?,
            Value::Text(text) => statement.raw_bind_parameter(place + 1, text)?,
            Value::Bytes(bytes) => statement.raw_bind_parameter(place + 1, bytes)?,
            Value::Missing(_) => statement.raw_bind_parameter(place + 1, rusqlite::types::Null)?,
        }
    }
    Ok(statement)
}
