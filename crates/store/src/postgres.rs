//! PostgreSQL: many machines, many writers, the verbs of SQLite.
//!
//! ```text
//! callers → queue → a few threads, each with a connection → one short transaction for each verb
//! ```
//!
//! The verbs are the same functions that SQLite runs (`sqlite/*.rs`, over `Tx`); here is what is below them:
//! connections (`line`), the threads that own them (`pool`), the words that differ (`dialect`), and what
//! errors mean (`fault`). Transactions are read committed; what a verb decides by, it holds (`Tx::hold`).
//! Times come from the server's clock, so nodes need not agree on theirs.

pub(crate) mod bind;
pub(crate) mod cell;
mod dialect;
pub(crate) mod fault;
pub(crate) mod line;
mod migrate;
mod place;
pub(crate) mod pool;
mod tls;

use std::sync::Arc;
use std::thread;

use ::postgres::Config;

use crate::sqlite::Sqlite;
use crate::sqlite::counters::Counters;
use crate::{Clock, StoreError};
use line::Line;
use pool::{Desk, Pool, Time};

/// Opens the database at this address and brings it to this release's shape. Times come from the server.
///
/// # Errors
/// `Newer` when a later release wrote it, `Corrupt` when it holds something else, `Unavailable` when it
/// cannot be reached or used now.
pub fn open(address: &str) -> Result<Sqlite, StoreError> {
    open_with(address, Time::Server)
}

/// The same by a clock of the caller's, for tests.
///
/// # Errors
/// As those of [`open`].
pub fn open_by(address: &str, clock: Clock) -> Result<Sqlite, StoreError> {
    open_with(address, Time::Given(clock))
}

fn open_with(address: &str, time: Time) -> Result<Sqlite, StoreError> {
    let config = place::read(address)?;
    let place = place::said(&config);
    apart(|| prepare(&config, &place))?;
    let counters = Arc::new(Counters::default());
    let desk = Desk {
        config,
        time,
        place: place.clone(),
        counters: Arc::clone(&counters),
    };
    Ok(Sqlite::on_server(Pool::of(desk), place, counters))
}

fn prepare(config: &Config, place: &str) -> Result<(), StoreError> {
    let mut line = Line::to(config).map_err(|fault| fault.said(place))?;
    migrate::migrate(&mut line, place)
}

/// Runs this on a thread of its own: a connection is waited for in a way that no async task may wait.
fn apart<T: Send>(work: impl FnOnce() -> Result<T, StoreError> + Send) -> Result<T, StoreError> {
    let done = thread::scope(|scope| scope.spawn(work).join());
    done.unwrap_or_else(|_| {
        Err(StoreError::Unavailable(
            "opening it ended in a bug".to_owned(),
        ))
    })
}
