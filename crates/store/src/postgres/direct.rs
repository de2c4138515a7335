//! A connection that is waited for where the caller is, for what is asked one at a time and nearly always the same.
//!
//! Between a caller and a thread of the `pool` lie two changes of threads, and a verb that holds, reads and changes is
//! some statements; on a machine that rests both take about as long as a commit. Here is one statement that the caller
//! waits for itself: a function that this connection made for itself and that ends with it, so it is always the one
//! that this release knows. Each statement in it sees what was committed before it began, as in a verb.
//!
//! It is a short cut and promises nothing. While somebody is on it, while there is no connection, where the server allows
//! no such function, and whatever goes wrong, it leads nowhere, and the caller goes the usual way. What was changed on it
//! and lost its answer is found there, and is as new as if it had been answered. Whoever stops waiting takes the connection along.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Semaphore;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};

use super::bind;
use super::dialect::{Remarks, statement};
use super::fault::Means;
use super::line::Care;
use super::pool::Desk;
use super::wire::{Ends, Limit, answered, connected, in_time};
use crate::database::fault::Fault;
use crate::database::value::Owned;

/// Whoever is held up goes the usual way after a moment. Rows are found by their keys, however few they are: a plan
/// that was made for an empty table would be kept.
const OURS: &str = "SET lock_timeout = '250ms'; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off";

/// Messages that go the usual way before it is tried again to open what could not be opened.
const REST: u32 = 256;

/// A function and its call.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) function: &'static str,
    pub(crate) call: &'static str,
}

/// The short cut.
pub(crate) struct Direct {
    way: Way,
    /// One goes at a time.
    room: Semaphore,
    kept: Mutex<Kept>,
}

/// What is between two who go.
enum Kept {
    Open(Box<Open>),
    /// Nothing; and how many go by before it is opened.
    Closed(u32),
}

/// The connection and the call.
struct Open {
    ends: Ends,
    call: Statement,
}

impl Direct {
    /// Nothing is open yet.
    pub(crate) fn new(way: Way) -> Self {
        Self {
            way,
            room: Semaphore::new(1),
            kept: Mutex::new(Kept::Closed(0)),
        }
    }

    /// Goes it with these values: the row that it yields, if there was a way.
    pub(crate) async fn go(&self, desk: &Desk, values: &[Owned]) -> Option<Row> {
        if desk.care != Care::Taken {
            return None;
        }
        let _alone = self.room.try_acquire().ok()?;
        let mut open = match self.take()? {
            Some(open) => open,
            None => match self.open(desk, values).await {
                Ok(open) => Box::new(open),
                Err(_) => {
                    *self.kept() = Kept::Closed(REST);
                    return None;
                }
            },
        };
        let limit = Limit::After(desk.server.times.answer);
        let gone = in_time(limit, open.go(values)).await;
        desk.counters.travel(1);
        let is_broken = gone
            .as_ref()
            .is_err_and(|fault| Means::of(fault) == Means::Broken);
        if !is_broken && !open.ends.client.is_closed() {
            *self.kept() = Kept::Open(open);
        }
        gone.ok()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is open, or that it may be opened; nothing as long as it rests.
    fn take(&self) -> Option<Option<Box<Open>>> {
        let mut kept = self.kept();
        // Whoever stops waiting leaves nothing behind, and the next one opens it again.
        match std::mem::replace(&mut *kept, Kept::Closed(0)) {
            Kept::Open(open) => Some(Some(open)),
            Kept::Closed(0) => Some(None),
            Kept::Closed(rest) => {
                *kept = Kept::Closed(rest - 1);
                None
            }
        }
    }

    async fn open(&self, desk: &Desk, values: &[Owned]) -> Result<Open, Fault> {
        let (mut ends, _) = connected(&desk.server).await?;
        let times = desk.server.times;
        let settings = times.settings();
        let Ends { client, ear } = &mut ends;
        let Way { function, call } = self.way;
        let ready = async {
            client.batch_execute(&settings).await?;
            client.batch_execute(OURS).await?;
            client.batch_execute(function).await?;
            prepared(client, call, values).await
        };
        let call = in_time(Limit::After(times.answer), answered(ear, ready)).await?;
        Ok(Open { ends, call })
    }
}

impl Open {
    async fn go(&mut self, values: &[Owned]) -> Result<Row, Error> {
        let Ends { client, ear } = &mut self.ends;
        let values: Vec<_> = values.iter().map(Owned::value).collect();
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|one| one as _).collect();
        answered(ear, client.query_one(&self.call, &values)).await
    }
}

async fn prepared(client: &Client, sql: &str, values: &[Owned]) -> Result<Statement, Error> {
    let kinds: Vec<_> = values
        .iter()
        .map(|one| bind::kind(one.value().kind()))
        .collect();
    let sql = statement(sql, Remarks::PassedOver);
    client.prepare_typed(&sql, &kinds).await
}
