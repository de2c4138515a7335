//! One end of a copy: a connection, and what is to be known of it.

use std::cell::RefCell;
use std::path::Path;

use angelia_core::copying as decision;
use angelia_core::copying::checksum::Sum;
use angelia_core::limits;
use angelia_core::time::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::shape::{BOOTS, Shape, Table};
use super::{Place, check, mark};
use crate::StoreError;
use crate::database::fault::Fault;
use crate::database::tx::{Engine, Now, Tx};
use crate::database::value::{Nothing, params};
use crate::postgres::line::{Access, Care, Line, Patience};
use crate::postgres::{migrate as on_server, place};
use crate::sqlite::{connection, migrate as in_file};

/// The version that this release copies.
pub(super) const KNOWN: u32 = in_file::KNOWN;

/// A table may take longer to read than a verb may take to run.
const PATIENCE: &str = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

/// What no other database has in common with this one, whatever names lead to it.
const IDENTITY: &str = "SELECT 'server ' || extract(epoch FROM pg_postmaster_start_time()) || ' ' || \
                        current_database() || ' ' || coalesce(current_schema(), '')";

/// Gateways that were seen lately, but for those of one home.
const LIVING: &str = "SELECT DISTINCT place FROM nodes WHERE stopped_at IS NULL AND seen_at > ?1 \
                      AND home <> ?2 ORDER BY place";

/// The rooms of all tables of the schema, with their indexes.
const BYTES: &str = "SELECT CAST(coalesce(sum(pg_total_relation_size(c.oid)), 0) AS BIGINT) FROM pg_class c \
                     WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(current_schema())";

/// A connection to a store.
pub(super) struct End {
    pub(super) where_it_is: Place,
    /// Its name for people.
    pub(super) place: String,
    on: On,
}

enum On {
    Sqlite(Connection),
    Postgres(Box<RefCell<Line>>),
}

impl End {
    /// A connection that only reads; nothing where there is no file.
    pub(super) fn reading(at: &Place) -> Result<Option<Self>, StoreError> {
        let (on, place) = match at {
            Place::Sqlite(path) if !path.exists() => return Ok(None),
            Place::Sqlite(path) => {
                let conn = connection::reading(path)?;
                (On::Sqlite(conn), path.display().to_string())
            }
            Place::Postgres(address) => connected(address)?,
        };
        Ok(Some(Self {
            where_it_is: at.clone(),
            place,
            on,
        }))
    }

    /// A connection that writes. Makes the file if there is none.
    pub(super) fn writing(at: &Place) -> Result<Self, StoreError> {
        let (on, place) = match at {
            Place::Sqlite(path) => {
                let conn = connection::writing(path)?;
                (On::Sqlite(conn), path.display().to_string())
            }
            Place::Postgres(address) => connected(address)?,
        };
        Ok(Self {
            where_it_is: at.clone(),
            place,
            on,
        })
    }

    /// Reads on a snapshot.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let done = match &self.on {
            On::Sqlite(conn) => Transaction::new_unchecked(conn, TransactionBehavior::Deferred)
                .map_err(Fault::from)
                .and_then(|_unchanging| work(&Tx::on(conn, Timestamp::from_ms(0)))),
            On::Postgres(line) => {
                line.borrow_mut().begin(Access::Read, Patience::Usual);
                let done = work(&Tx::on_line(line, Now::OfServer));
                // A connection that cannot end its transaction fails at the next.
                line.borrow_mut().undo();
                done
            }
        };
        done.map_err(|fault| fault.said(&self.place))
    }

    /// Writes, whole or not at all.
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let done = match &self.on {
            On::Sqlite(conn) => written(conn, work),
            On::Postgres(line) => sent(line, work),
        };
        done.map_err(|fault| fault.said(&self.place))
    }

    /// Brings the tables to the shape of this release.
    pub(super) fn make_tables(&self) -> Result<(), StoreError> {
        match &self.on {
            On::Sqlite(conn) => in_file::make(conn, &self.place),
            On::Postgres(line) => on_server::make(&mut line.borrow_mut(), &self.place),
        }
    }

    fn version(&self) -> Result<u32, StoreError> {
        let found = match &self.on {
            On::Sqlite(conn) => in_file::version(conn),
            On::Postgres(line) => on_server::version_of(&mut line.borrow_mut()),
        };
        found.map_err(|fault| fault.said(&self.place))
    }

    fn identity(&self) -> Result<String, StoreError> {
        match &self.where_it_is {
            Place::Sqlite(path) => Ok(file_identity(path)),
            Place::Postgres(_) => {
                let found = self.read(|tx| tx.one(IDENTITY, Nothing, |row| row.get(0)))?;
                Ok(found.unwrap_or_default())
            }
        }
    }

    fn living(&self, own_home: Option<&str>) -> Result<Vec<String>, StoreError> {
        self.read(|tx| match tx.engine() {
            // The lock of the home keeps everybody else from the file.
            Engine::Sqlite => Ok(Vec::new()),
            Engine::Postgres => {
                let since = (tx.now() - limits::LEASE_TIME).ms();
                let own = own_home.unwrap_or_default();
                tx.all(LIVING, params![since, own], |row| row.get(0))
            }
        })
    }

    /// Background processes of other homes of which no end is known.
    pub(super) fn elsewhere(&self, own_home: Option<&str>) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM processes WHERE ended_at IS NULL AND home <> ?1";
        let count = self.read(|tx| tx.number(sql, [own_home.unwrap_or_default()]))?;
        Ok(count.unsigned_abs())
    }

    /// Bytes that it takes, about.
    pub(super) fn bytes(&self) -> Result<u64, StoreError> {
        let sql = match &self.on {
            On::Sqlite(_) => {
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            }
            On::Postgres(_) => BYTES,
        };
        Ok(self.read(|tx| tx.number(sql, Nothing))?.unsigned_abs())
    }

    /// Lets numbers that the server gives go on behind the highest of each table. SQLite does so by itself.
    pub(super) fn number_on(&self, shape: &Shape) -> Result<(), StoreError> {
        self.write(|tx| match tx.engine() {
            Engine::Sqlite => Ok(()),
            Engine::Postgres => {
                let mut tables = shape.tables().iter();
                tables.try_for_each(|table| settled(tx, table))
            }
        })
    }
}

/// A table that the server knows its way in.
fn settled(tx: &Tx<'_>, table: &Table) -> Result<(), Fault> {
    let mut key = table.key_names();
    if let (Some(key), None) = (key.next(), key.next()) {
        number_table_on(tx, &table.name, key)?;
    }
    // Whoever plans questions knows nothing of so many new rows before that.
    let sql = format!("ANALYZE \"{}\"", table.name);
    tx.run(&sql, Nothing).map(drop)
}

/// Nothing happens to a table whose numbers are given by others, or whose key is no number.
fn number_table_on(tx: &Tx<'_>, table: &str, key: &str) -> Result<(), Fault> {
    let sequence = "SELECT pg_get_serial_sequence(?1, ?2)";
    let quoted = format!("\"{table}\"");
    let sequence = tx.one(sequence, [quoted.as_str(), key], |row| {
        row.get::<Option<String>>(0)
    })?;
    let Some(sequence) = sequence.flatten() else {
        return Ok(());
    };
    let sql = format!(
        "SELECT setval(CAST(?1 AS text)::regclass, coalesce(max(\"{key}\"), 1), max(\"{key}\") IS NOT NULL) \
         FROM \"{table}\""
    );
    tx.number(&sql, [sequence]).map(drop)
}

fn connected(address: &str) -> Result<(On, String), StoreError> {
    let address = place::read(address)?;
    let place = place::said(&address.config);
    let server = address.server()?;
    let line = Line::to(&server, Care::Taken).and_then(|(mut line, _)| {
        line.be_patient();
        line.batch(PATIENCE)?;
        Ok(line)
    });
    let line = line.map_err(|fault| fault.said(&place))?;
    Ok((On::Postgres(Box::new(RefCell::new(line))), place))
}

fn written<T>(
    conn: &Connection,
    work: impl FnOnce(&Tx<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    let value = work(&Tx::on(conn, Timestamp::from_ms(0)))?;
    tx.commit()?;
    Ok(value)
}

fn sent<T>(
    line: &RefCell<Line>,
    work: impl FnOnce(&Tx<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    line.borrow_mut().begin(Access::Write, Patience::Usual);
    let value = work(&Tx::on_line(line, Now::OfServer));
    let mut line = line.borrow_mut();
    if value.is_err() {
        // The first error is the one to tell; a connection that cannot undo ends, which does.
        line.undo();
        return value;
    }
    line.commit()?;
    value
}

/// A file by where it really is; one that is to be made by where it will be.
fn file_identity(path: &Path) -> String {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let whole = path.canonicalize().ok();
    let joined = folder.and_then(|folder| Some(folder.join(path.file_name()?)));
    let found = whole.or(joined).unwrap_or_else(|| path.to_owned());
    format!("file {}", found.display())
}

/// What a store is like, and a connection that reads it, if it is there.
pub(super) fn look(
    at: &Place,
    own_home: Option<&str>,
    shape: &Shape,
) -> Result<(decision::End, Option<End>), StoreError> {
    let nothing = |place: String, identity: String| decision::End {
        place,
        identity,
        version: 0,
        living: Vec::new(),
        mark: None,
        filled: None,
        boots: Sum::default(),
    };
    let Some(end) = End::reading(at)? else {
        let place = format!("{at:?}");
        let identity = match at {
            Place::Sqlite(path) => file_identity(path),
            Place::Postgres(_) => String::new(),
        };
        return Ok((nothing(place, identity), None));
    };
    let mut found = nothing(end.place.clone(), end.identity()?);
    found.version = end.version()?;
    found.mark = end.read(mark::of_tx)?;
    if found.version == KNOWN {
        found.living = end.living(own_home)?;
        found.filled = end.read(|tx| filled(tx, shape))?;
        found.boots = boots(&end, shape)?;
    }
    Ok((found, Some(end)))
}

/// The boots that a store has seen.
pub(super) fn boots(end: &End, shape: &Shape) -> Result<Sum, StoreError> {
    match shape.named(BOOTS) {
        Some(table) => check::sum(end, table, &mut |_| ()),
        None => Ok(Sum::default()),
    }
}

/// A table that has rows.
fn filled(tx: &Tx<'_>, shape: &Shape) -> Result<Option<String>, Fault> {
    for table in shape.tables() {
        let sql = format!("SELECT 1 FROM \"{}\" LIMIT 1", table.name);
        if tx.one(&sql, Nothing, |_| Ok(()))?.is_some() {
            return Ok(Some(table.name.clone()));
        }
    }
    Ok(None)
}
