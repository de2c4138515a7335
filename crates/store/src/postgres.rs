//! PostgreSQL: many machines, many writers, the same verbs.
//!
//! ```text
//! callers → queue → a few threads, each with a connection → one short transaction for each verb
//! many arrivals at once → the same, and one transaction for all who stand in line (`together`)
//! an arrival by itself → one journey, and no thread between (`direct`)
//! ```
//!
//! The verbs are the functions that SQLite runs (`verbs/*.rs`, over `Tx`); here is what is below them:
//! connections (`line`, over a `wire`), the threads that own them (`pool`), the words that differ (`dialect`), and what
//! errors mean (`fault`). Transactions are read committed; what a verb decides by, it holds (`Tx::hold`).
//! Times come from the server's clock, so nodes need not agree on theirs.

mod awake;
pub(crate) mod bells;
pub(crate) mod bind;
pub(crate) mod cell;
mod dialect;
pub(crate) mod direct;
pub(crate) mod fault;
pub(crate) mod line;
pub(crate) mod migrate;
pub(crate) mod place;
pub(crate) mod pool;
pub(crate) mod times;
mod tls;
pub(crate) mod together;
mod trust;
mod wire;

use std::sync::Arc;
use std::thread;

use crate::database::Database;
use crate::database::counters::Counters;
use crate::sqlite::look::Look;
use crate::{Clock, StoreError};
use line::{Care, Line};
use place::Server;
use pool::{Desk, Pool, Time};

pub use times::Times;
pub use tls::Link;

/// Opens the database at this address and brings it to this release's shape. Times come from the server.
///
/// # Errors
/// `Newer` when a later release wrote it, `Corrupt` when it holds something else, `Unavailable` when it
/// cannot be reached or used now.
pub fn open(address: &str) -> Result<Database, StoreError> {
    open_with(address, Time::Server, (Care::Taken, Times::USUAL))
}

/// The same by a clock of the caller's, for tests.
///
/// # Errors
/// As those of [`open`].
pub fn open_by(address: &str, clock: Clock) -> Result<Database, StoreError> {
    open_with(address, Time::Given(clock), (Care::Taken, Times::USUAL))
}

/// The same with other limits to how long the server may take, for tests.
///
/// # Errors
/// As those of [`open`].
#[doc(hidden)]
pub fn open_within(address: &str, clock: Clock, times: Times) -> Result<Database, StoreError> {
    open_with(address, Time::Given(clock), (Care::Taken, times))
}

/// The same without care for others that write: what a test of care must notice.
///
/// # Errors
/// As those of [`open`].
#[doc(hidden)]
pub fn open_without_care(address: &str, clock: Clock) -> Result<Database, StoreError> {
    open_with(address, Time::Given(clock), (Care::Omitted, Times::USUAL))
}

/// The same with care, but without the check of fences: what a test of fences must notice.
///
/// # Errors
/// As those of [`open`].
#[doc(hidden)]
pub fn open_without_fences(address: &str, clock: Clock) -> Result<Database, StoreError> {
    open_with(address, Time::Given(clock), (Care::Unfenced, Times::USUAL))
}

fn open_with(
    address: &str,
    time: Time,
    (care, times): (Care, Times),
) -> Result<Database, StoreError> {
    let address = place::read(address)?;
    let place = place::said(&address.config);
    let server = Server {
        times,
        ..address.server()?
    };
    apart(|| {
        let (mut line, _) = Line::to(&server, care).map_err(|fault| fault.said(&place))?;
        migrate::migrate(&mut line, &place)
    })?;
    let counters = Arc::new(Counters::default());
    let desk = Desk {
        server,
        care,
        time,
        place: place.clone(),
        counters: Arc::clone(&counters),
    };
    Ok(Database::on_server(Pool::of(desk), place, counters))
}

/// A look at a database without changing it: which version it has, none if it is not ours yet; and how it was reached.
///
/// # Errors
/// `Unavailable` when it cannot be reached, `Newer` when a later release wrote it, `Unfinished` when it is a copy that was
/// not finished.
pub fn look(address: &str) -> Result<(Look, Link), StoreError> {
    let address = place::read(address)?;
    let place = place::said(&address.config);
    let server = address.server()?;
    apart(|| {
        let (mut line, link) =
            Line::to(&server, Care::Taken).map_err(|fault| fault.said(&place))?;
        migrate::finished(&mut line, &place)?;
        let found = migrate::version_of(&mut line).map_err(|fault| fault.said(&place))?;
        let known = migrate::KNOWN;
        if found > known {
            return Err(StoreError::Newer { found, known });
        }
        Ok((Look { found, known }, link))
    })
}

/// The server and the database of an address in words, without user and password.
///
/// # Errors
/// `Unavailable` when it is no address.
pub fn said(address: &str) -> Result<String, StoreError> {
    place::read(address).map(|address| place::said(&address.config))
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
