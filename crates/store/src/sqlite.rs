//! SQLite: one file, one writer, every verb by hand-written SQL.
//!
//! ```text
//! open:       callers → queue → one writer thread → one commit for many verbs
//!             many arrivals at once → the same, and a second thread syncs the log
//!             readers → inline, on a few read-only connections, each read on a snapshot
//! in_memory:  everything inline on the calling thread, one connection, no thread at all
//! ```
//!
//! `in_memory` runs the very same verbs, so the simulator tests the SQL that production runs, and
//! nothing in it happens beside the simulated time.
//!
//! A verb is a function over `Tx` in the file of its area (`intake`, `sessions`, `turns`, `settle`,
//! `outbox`, `leases`, `views`). Two marks are kept in one place each: a conversation's next message by
//! `ready`, a lane's `head_at` by `lanes`. Nothing is decided here: verbs ask `core`.

mod access;
mod aliases;
mod approvals;
mod branch;
mod busy;
mod claim;
mod commands;
mod connection;
mod costs;
mod counters;
mod deletion;
mod door;
mod drafts;
mod fault;
mod gather;
#[cfg(test)]
mod given;
mod intake;
mod job;
mod lanes;
mod leases;
mod links;
mod long;
pub mod look;
mod media;
mod migrate;
mod nodes;
mod outbox;
mod pages;
mod processes;
mod ready;
mod replace;
mod restarts;
mod rows;
mod said;
mod search;
mod sessions;
mod settle;
mod story;
mod syncing;
mod titles;
mod transcript;
mod turns;
mod tx;
mod usage;
mod views;
mod watches;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::id::TurnId;
use angelia_core::lease::Fence;
use angelia_core::zone::Zone;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::{Clock, StoreError};
use connection::Readers;
use counters::Counters;
pub use counters::Stats;
use fault::Fault;
use job::Kind;
use tx::Tx;
use writer::{Start, Writer};

/// The store on SQLite.
#[derive(Clone)]
pub struct Sqlite {
    engine: Arc<Engine>,
    clock: Clock,
    place: String,
    counters: Arc<Counters>,
    marker: Arc<search::Marker>,
    zone: Zone,
    /// The turn that everything is written for, if it is one's.
    held_by: Option<(TurnId, Fence)>,
}

enum Engine {
    /// Readers close before the writer, which then folds the log into the file as it closes.
    File {
        readers: Readers,
        writer: Writer,
    },
    Inline(Mutex<Connection>),
}

impl Sqlite {
    /// Opens the file, makes it if there is none, and brings it to this release's shape.
    ///
    /// # Errors
    /// `Newer` when a later release wrote the file, `Corrupt` when it is not a database or damaged,
    /// `Unavailable` when it cannot be opened or written now.
    pub fn open(path: &Path, clock: Clock) -> Result<Self, StoreError> {
        let place = path.display().to_string();
        let conn = connection::writing(path)?;
        migrate::migrate(&conn, &place)?;
        let counters = Arc::new(Counters::default());
        let start = Start {
            conn,
            clock: Arc::clone(&clock),
            place: place.clone(),
            counters: Arc::clone(&counters),
            sync: connection::log_sync(path)?,
        };
        let engine = Engine::File {
            readers: Readers::of(path),
            writer: Writer::start(start)?,
        };
        Ok(Self {
            engine: Arc::new(engine),
            clock,
            place,
            counters,
            marker: Arc::default(),
            zone: Zone::utc(),
            held_by: None,
        })
    }

    /// A store that lives in memory and runs every verb on the calling thread.
    ///
    /// # Errors
    /// `Unavailable` when there is no memory for it.
    pub fn in_memory(clock: Clock) -> Result<Self, StoreError> {
        let place = "the store in memory".to_owned();
        let conn = connection::in_memory().map_err(|fault| fault.said(&place))?;
        migrate::migrate(&conn, &place)?;
        let engine = Engine::Inline(Mutex::new(conn));
        Ok(Self {
            engine: Arc::new(engine),
            clock,
            place,
            counters: Arc::default(),
            marker: Arc::default(),
            zone: Zone::utc(),
            held_by: None,
        })
    }

    /// The same with the days of this zone, on which costs are counted.
    #[must_use]
    pub fn with_days_of(self, zone: Zone) -> Self {
        Self { zone, ..self }
    }

    /// How much was written since it was opened.
    pub fn stats(&self) -> Stats {
        self.counters.read()
    }

    /// Runs a verb that writes: whole or not at all, and seen by nobody before it is durable.
    async fn write<T, V>(&self, verb: V) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        self.write_as(Kind::Other, verb).await
    }

    /// Runs the verb of a message at the door: whole or not at all, and durable before its sender is
    /// told.
    async fn write_arrival<T, V>(&self, verb: V) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        self.write_as(Kind::Arrival, verb).await
    }

    async fn write_as<T, V>(&self, kind: Kind, verb: V) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        let held_by = self.held_by;
        let verb = move |tx: &Tx<'_>| match held_by {
            Some((turn, fence)) if turns::owned(tx, turn, fence)?.is_none() => {
                Err(Fault::Overtaken)
            }
            Some(_) | None => verb(tx),
        };
        match &*self.engine {
            Engine::File { writer, .. } => writer.run(kind, verb).await,
            Engine::Inline(conn) => self.write_inline(conn, verb),
        }
    }

    fn write_inline<T>(
        &self,
        conn: &Mutex<Connection>,
        verb: impl Fn(&Tx<'_>) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let conn = conn.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = || {
            let tx = Transaction::new_unchecked(&conn, TransactionBehavior::Immediate)?;
            let value = job::guarded(&verb, &Tx::on(&conn, (self.clock)()))?;
            tx.commit()?;
            self.counters.add(1);
            Ok(value)
        };
        whole().map_err(|fault: Fault| fault.said(&self.place))
    }

    /// Runs a verb that only reads, on a snapshot, on the calling thread.
    fn read<T>(&self, verb: impl Fn(&Tx<'_>) -> Result<T, Fault>) -> Result<T, StoreError> {
        let snapshot = |conn: &Connection| {
            let _unchanging = Transaction::new_unchecked(conn, TransactionBehavior::Deferred)?;
            verb(&Tx::on(conn, (self.clock)()))
        };
        let result = match &*self.engine {
            Engine::File { readers, .. } => readers.with(snapshot),
            Engine::Inline(conn) => snapshot(&conn.lock().unwrap_or_else(PoisonError::into_inner)),
        };
        result.map_err(|fault| fault.said(&self.place))
    }
}

#[cfg(test)]
#[path = "sqlite_tests.rs"]
mod tests;
