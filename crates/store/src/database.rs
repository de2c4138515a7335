//! The store as callers have it: an engine, and the verbs that run on it.
//!
//! ```text
//! open:       callers → queue → one writer thread → one commit for many verbs          (`sqlite`)
//!             many arrivals at once → the same, and a second thread syncs the log
//!             readers → inline, on a few read-only connections, each read on a snapshot
//! in_memory:  everything inline on the calling thread, one connection, no thread at all
//! on_server:  callers → queue → a few threads with connections to PostgreSQL          (`postgres`)
//! ```
//!
//! `in_memory` runs the very same verbs, so the simulator tests the SQL that production runs, and
//! nothing in it happens beside the simulated time.
//!
//! Here is also what a verb meets, whatever the engine: its transaction (`tx`), what goes in (`value`) and
//! comes out (`row`), and what can go wrong (`fault`). Nothing here knows what a verb does.

pub(crate) mod counters;
pub(crate) mod fault;
pub(crate) mod job;
pub(crate) mod row;
pub(crate) mod tx;
pub(crate) mod value;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::id::TurnId;
use angelia_core::lease::Fence;
use angelia_core::zone::Zone;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::intake::Accepted;
use crate::postgres::direct::Direct;
use crate::postgres::pool::{Access, Desk, Haste, Pool};
use crate::postgres::together::{Together, Verbs};
use crate::sqlite::connection::{self, Readers};
use crate::sqlite::writer::{Start, Writer};
use crate::sqlite::{merging, migrate};
use crate::turns::ClaimedTurn;
use crate::verbs::claim::{self, Want};
use crate::verbs::intake::{self, Arrival};
use crate::verbs::search::Aids;
use crate::verbs::turns;
use crate::{Clock, StoreError};
use counters::Counters;
pub use counters::Stats;
use fault::Fault;
use job::Kind;
use tx::Tx;

/// The store on one of its engines.
#[derive(Clone)]
pub struct Database {
    engine: Arc<Engine>,
    pub(crate) place: String,
    counters: Arc<Counters>,
    pub(crate) aids: Arc<Aids>,
    pub(crate) zone: Zone,
    /// The turn that everything is written for, if it is one's.
    held_by: Option<(TurnId, Fence)>,
}

enum Engine {
    /// Readers close before the writer, which then folds the log into the file as it closes.
    File {
        readers: Readers,
        writer: Writer,
        clock: Clock,
    },
    Inline(Mutex<Connection>, Clock),
    /// A server, and threads with connections to it.
    Server(Box<Server>),
}

/// A server, and those who are served together there.
struct Server {
    pool: Pool,
    direct: Direct,
    arrivals: Arc<Together<Arrival, Accepted>>,
    claims: Arc<Together<Want, Option<ClaimedTurn>>>,
}

/// Those who ask for the same at once.
pub(crate) struct Company<'d, A, T> {
    pool: &'d Pool,
    line: &'d Arc<Together<A, T>>,
}

impl<A: Send + Sync + 'static, T: Send + 'static> Company<'_, A, T> {
    /// Asks, perhaps together with others.
    pub(crate) async fn ask(self, what: A) -> Result<T, StoreError> {
        self.line.ask(self.pool, what).await
    }
}

impl Database {
    /// Opens the file, makes it if there is none, and brings it to this release's shape.
    ///
    /// # Errors
    /// `Newer` when a later release wrote the file, `Corrupt` when it is not a database or damaged,
    /// `Unavailable` when it cannot be opened or written now.
    pub fn open(path: &Path, clock: Clock) -> Result<Self, StoreError> {
        let place = path.display().to_string();
        let conn = connection::writing(path)?;
        migrate::migrate(&conn, &place)?;
        merging::set(&conn).map_err(|fault| fault.said(&place))?;
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
            clock,
        };
        Ok(Self {
            engine: Arc::new(engine),
            place,
            counters,
            aids: Arc::default(),
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
        merging::set(&conn).map_err(|fault| fault.said(&place))?;
        let engine = Engine::Inline(Mutex::new(conn), clock);
        Ok(Self {
            engine: Arc::new(engine),
            place,
            counters: Arc::default(),
            aids: Arc::default(),
            zone: Zone::utc(),
            held_by: None,
        })
    }

    /// A store on a server.
    pub(crate) fn on_server(pool: Pool, place: String, counters: Arc<Counters>) -> Self {
        let arrivals = Together::new(Verbs {
            alone: intake::accept,
            together: intake::together::accept,
        });
        let claims = Together::new(Verbs {
            alone: claim::new_turn,
            together: claim::together::new_turns,
        });
        let server = Server {
            pool,
            direct: Direct::new(intake::straight::WAY),
            arrivals: Arc::new(arrivals),
            claims: Arc::new(claims),
        };
        Self {
            engine: Arc::new(Engine::Server(Box::new(server))),
            place,
            counters,
            aids: Arc::default(),
            zone: Zone::utc(),
            held_by: None,
        }
    }

    /// The same with the days of this zone, on which costs are counted.
    #[must_use]
    pub fn with_days_of(self, zone: Zone) -> Self {
        Self { zone, ..self }
    }

    /// The same, but everything is written for this turn, or not at all once another has it.
    pub(crate) fn for_turn(&self, turn: TurnId, fence: Fence) -> Self {
        Self {
            held_by: Some((turn, fence)),
            ..self.clone()
        }
    }

    /// What connections to the server are made with, if there is one.
    pub(crate) fn server(&self) -> Option<&Desk> {
        match &*self.engine {
            Engine::Server(server) => Some(server.pool.desk()),
            Engine::File { .. } | Engine::Inline(..) => None,
        }
    }

    /// Where messages that come at once are taken together, if that is worth it.
    pub(crate) fn door(&self) -> Option<Company<'_, Arrival, Accepted>> {
        let Server { pool, arrivals, .. } = self.shared()?;
        let line = arrivals;
        Some(Company { pool, line })
    }

    /// The way of a message that comes by itself, if there is one.
    pub(crate) fn short_cut(&self) -> Option<(&Direct, &Desk)> {
        let Server { direct, pool, .. } = self.shared()?;
        Some((direct, pool.desk()))
    }

    /// Where turns that are wanted at once are claimed together, if that is worth it.
    pub(crate) fn claims(&self) -> Option<Company<'_, Want, Option<ClaimedTurn>>> {
        let Server { pool, claims, .. } = self.shared()?;
        let line = claims;
        Some(Company { pool, line })
    }

    /// The server, if there is one. What is written for a turn is written only while the turn is its own, and so
    /// by itself.
    fn shared(&self) -> Option<&Server> {
        match &*self.engine {
            Engine::Server(server) if self.held_by.is_none() => Some(server),
            Engine::Server(_) | Engine::File { .. } | Engine::Inline(..) => None,
        }
    }

    /// How much was written since it was opened.
    pub fn stats(&self) -> Stats {
        self.counters.read()
    }

    /// Runs a verb that writes: whole or not at all, and seen by nobody before it is durable.
    pub(crate) async fn write<T, V>(&self, verb: V) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        self.write_as(Kind::Other, verb).await
    }

    /// The same for a verb on which leases depend: it does not wait behind others that are held up.
    pub(crate) async fn write_at_once<T, V>(&self, verb: V) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        match &*self.engine {
            Engine::Server(server) => {
                let hurry = (Access::Write, Haste::Urgent);
                server.pool.run(hurry, verb).await
            }
            Engine::File { .. } | Engine::Inline(..) => self.write(verb).await,
        }
    }

    /// Runs the verb of a message at the door: whole or not at all, and durable before its sender is
    /// told.
    pub(crate) async fn write_arrival<T, V>(&self, verb: V) -> Result<T, StoreError>
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
            Engine::Inline(conn, clock) => self.write_inline(conn, clock, verb),
            Engine::Server(server) => server.pool.run((Access::Write, Haste::Usual), verb).await,
        }
    }

    fn write_inline<T>(
        &self,
        conn: &Mutex<Connection>,
        clock: &Clock,
        verb: impl Fn(&Tx<'_>) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let conn = conn.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = || {
            let tx = Transaction::new_unchecked(&conn, TransactionBehavior::Immediate)?;
            let value = job::guarded(&verb, &Tx::on(&conn, clock()))?;
            tx.commit()?;
            self.counters.add(1);
            Ok(value)
        };
        whole().map_err(|fault: Fault| fault.said(&self.place))
    }

    /// Runs a verb that only reads, on a snapshot: on the calling thread, unless there is a server to be asked.
    pub(crate) async fn read<T, V>(&self, verb: V) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        match &*self.engine {
            Engine::Server(server) => server.pool.run((Access::Read, Haste::Usual), verb).await,
            Engine::File { .. } | Engine::Inline(..) => self.read_here(verb),
        }
    }

    /// The same on the calling thread, where that is possible.
    pub(crate) fn read_here<T>(
        &self,
        verb: impl Fn(&Tx<'_>) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let result = match &*self.engine {
            Engine::File { readers, clock, .. } => {
                readers.with(|conn| snapshot(conn, clock, &verb))
            }
            Engine::Inline(conn, clock) => {
                let conn = conn.lock().unwrap_or_else(PoisonError::into_inner);
                snapshot(&conn, clock, &verb)
            }
            Engine::Server(_) => Err(Fault::GivenUp),
        };
        result.map_err(|fault| fault.said(&self.place))
    }
}

fn snapshot<T>(
    conn: &Connection,
    clock: &Clock,
    verb: &impl Fn(&Tx<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let _unchanging = Transaction::new_unchecked(conn, TransactionBehavior::Deferred)?;
    verb(&Tx::on(conn, clock()))
}

#[cfg(test)]
#[path = "database_tests.rs"]
mod tests;
