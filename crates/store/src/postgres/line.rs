//! One connection: its statements, and the beginning and the end of a transaction.
//!
//! A statement is prepared when it is first run and kept as long as the connection. The kinds of its values
//! are told to the server, which need not guess them.
//!
//! A server may be a few milliseconds away, so journeys are counted. The beginning of a transaction, what is held,
//! and changes whose number nobody asks for go *ahead* of the next statement: they are written with it and
//! answered with it. Changes that come last go with the commit. Nobody waits for the end of a transaction that
//! only read, or that is undone. The server runs one after the other, each seeing what was committed before it, as
//! if it had been asked for alone; if one fails, those behind it do too, and the first fault is told.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::pin::pin;
use std::time::Duration;

use angelia_core::time::Timestamp;
use futures_util::TryStreamExt as _;
use futures_util::future::{OptionFuture, join, join_all, join3};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, Row, Statement};

use super::bind;
use super::dialect::{Remarks, statement, unfenced};
use super::place::Server;
use super::tls::Link;
use super::wire::Wire;
use crate::database::fault::Fault;
use crate::database::value::{Kind, Nothing, Owned, Params, Value};

/// How long the server's machine may take to answer when a connection is made.
const CONNECT: Duration = Duration::from_secs(5);

/// A peer that is gone is noticed within some fifteen seconds, also in the middle of a statement.
const SILENCE: Duration = Duration::from_secs(5);
const PROBES: u32 = 3;
const UNHEARD: Duration = Duration::from_secs(15);

/// How long a connection without care rests before it commits, so that others decide by what it has changed already.
const DAWDLE: Duration = Duration::from_millis(15);

/// Statements that may wait for the next one.
const AHEAD_MAX: usize = 16;

/// The time of the server, in milliseconds.
const SERVER_TIME: &str = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";

/// What a transaction may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Change rows; each statement sees what was committed before it.
    Write,
    /// Only read, all of it as it was at one moment.
    Read,
}

/// How long a transaction waits for what others hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As long as the settings say.
    Usual,
    /// For a moment: others wait behind it, and whoever holds something may stand still.
    Little,
}

/// How a transaction begins.
const fn beginning(access: Access, patience: Patience) -> &'static str {
    match (access, patience) {
        (Access::Write, Patience::Usual) => "BEGIN",
        (Access::Write, Patience::Little) => "BEGIN; SET LOCAL lock_timeout = '250ms'",
        (Access::Read, _) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    }
}

/// How far the transaction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// There is none.
    Ended,
    /// It is wanted; the server hears of it with the first statement.
    Wanted,
    /// It is open since this time of the server.
    Open(Timestamp),
    /// The server was told to commit it, with its last change.
    Sealed,
}

/// Whether verbs hold what they decide by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// They do.
    Taken,
    /// They do not, so that a test can show that it would notice.
    Omitted,
    /// They do, but do not see that somebody else was given a higher fence, for the same reason.
    Unfenced,
}

/// A connection.
pub(crate) struct Line {
    wire: Wire,
    /// Asks for the server's time.
    clock: Statement,
    /// What the open transaction may do, and how far it is.
    access: Access,
    patience: Patience,
    standing: Standing,
    care: Care,
    kept: BTreeMap<(Access, String), Statement>,
    /// What goes out with the next statement.
    ahead: Vec<Ahead>,
    /// Why the transaction could not begin when only its time was asked for: told to whoever asks next.
    unbegun: Option<Fault>,
    /// How often the server was waited for since somebody asked that.
    journeys: u64,
}

/// A statement that waits for the next one.
struct Ahead {
    statement: Statement,
    values: Vec<Owned>,
}

impl Ahead {
    async fn run(&self, client: &Client) -> Result<(), Error> {
        let values: Vec<Value<'_>> = self.values.iter().map(Owned::value).collect();
        client.execute_raw(&self.statement, values).await.map(drop)
    }
}

impl Line {
    /// Connects; and how.
    pub(crate) fn to(server: &Server, care: Care) -> Result<(Self, Link), Fault> {
        let (mut wire, link) = Wire::to(server)?;
        let settings = server.times.settings();
        wire.wait(async |client| client.batch_execute(&settings).await)?;
        let clock = wire.wait(async |client| client.prepare(SERVER_TIME).await)?;
        let line = Self {
            wire,
            clock,
            access: Access::Write,
            patience: Patience::Usual,
            standing: Standing::Ended,
            care,
            kept: BTreeMap::new(),
            ahead: Vec::new(),
            unbegun: None,
            journeys: 0,
        };
        Ok((line, link))
    }

    /// Waits for every answer from now on, however long it takes.
    pub(crate) fn be_patient(&mut self) {
        self.wire.be_patient();
    }

    /// How often the server was waited for since this was asked before.
    pub(super) fn journeys(&mut self) -> u64 {
        std::mem::take(&mut self.journeys)
    }

    /// Begins a transaction.
    pub(crate) fn begin(&mut self, access: Access, patience: Patience) {
        self.access = access;
        self.patience = patience;
        self.standing = Standing::Wanted;
    }

    /// The server's time when the transaction began. One that cannot begin has no time; whatever is asked
    /// next tells why, and nothing that was made of this time is kept.
    pub(crate) fn now(&mut self) -> Timestamp {
        if self.standing == Standing::Wanted {
            self.unbegun = self.ask(async |_| Ok(())).err();
        }
        match self.standing {
            Standing::Open(since) => since,
            Standing::Ended | Standing::Wanted | Standing::Sealed => Timestamp::from_ms(0),
        }
    }

    /// Makes the transaction durable. One in which nothing was asked needs no end, and one that only read needs
    /// nobody who waits for it.
    pub(crate) fn commit(&mut self) -> Result<(), Fault> {
        let is_untouched = self.standing == Standing::Wanted && self.ahead.is_empty();
        let ended = match self.access {
            _ if self.unbegun.is_some() => self.ask(async |_| Ok(())),
            _ if is_untouched || self.is_sealed() => Ok(()),
            Access::Write => {
                self.dawdle();
                self.ask(async |client| client.batch_execute("COMMIT").await)
            }
            Access::Read => {
                self.wire.send("COMMIT");
                Ok(())
            }
        };
        self.standing = Standing::Ended;
        ended
    }

    /// Whether the server was told to commit before the verb had ended: if that failed, nobody can tell what happened.
    pub(super) fn is_sealed(&self) -> bool {
        self.standing == Standing::Sealed
    }

    fn dawdle(&self) {
        if self.care == Care::Omitted {
            std::thread::sleep(DAWDLE);
        }
    }

    /// Undoes the transaction.
    pub(crate) fn undo(&mut self) {
        self.ahead.clear();
        self.unbegun = None;
        self.standing = Standing::Ended;
        self.wire.send("ROLLBACK");
    }

    /// Runs statements that yield nothing and have no values.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Fault> {
        self.ask(async |client| client.batch_execute(sql).await)
    }

    /// Hears what is told on the channel that this query names.
    pub(super) fn listen(&mut self, channel: &str) -> Result<(), Fault> {
        let found = self.query(channel, &Nothing)?;
        let found = found.first();
        let found = found.ok_or_else(|| Fault::Undecodable("a channel has no name".to_owned()))?;
        let channel: String = found.try_get(0)?;
        self.batch(&format!("LISTEN \"{channel}\""))
    }

    /// The next that is told, if it is told within this time.
    pub(super) fn heard(&mut self, within: Duration) -> Result<Option<String>, Fault> {
        let heard = self.wire.heard(within)?;
        if heard.is_none() && self.is_closed() {
            return Err(Fault::GivenUp);
        }
        Ok(heard)
    }

    /// Whether nothing can be asked any more.
    pub(super) fn is_closed(&self) -> bool {
        self.wire.is_closed()
    }

    /// Changes rows; returns how many.
    pub(crate) fn execute(&mut self, sql: &str, params: &impl Params) -> Result<usize, Fault> {
        let statement = self.prepared(sql, params)?;
        let values: Vec<Value<'_>> = (0..params.count()).map(|place| params.at(place)).collect();
        let changed = self.ask(async |client| client.execute_raw(&statement, values).await)?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    /// Changes rows, before or together with whatever is asked next.
    pub(crate) fn also(&mut self, sql: &str, params: &impl Params) -> Result<(), Fault> {
        let statement = self.prepared(sql, params)?;
        let values = (0..params.count()).map(|place| Owned::of(params.at(place)));
        let values = values.collect();
        self.ahead.push(Ahead { statement, values });
        if self.ahead.len() < AHEAD_MAX {
            return Ok(());
        }
        self.ask(async |_| Ok(()))
    }

    /// Changes rows and makes the transaction durable, in one journey; returns how many rows it were. If it were
    /// none, nothing has happened yet, and another transaction is begun with the next statement.
    pub(crate) fn last(&mut self, sql: &str, params: &impl Params) -> Result<usize, Fault> {
        let statement = self.prepared(sql, params)?;
        let values: Vec<Value<'_>> = (0..params.count()).map(|place| params.at(place)).collect();
        self.dawdle();
        let sealed = self.ask(async |client| {
            let changed = client.execute_raw(&statement, values);
            let (changed, committed) = join(changed, client.batch_execute("COMMIT")).await;
            let changed = changed?;
            committed.map(|()| changed)
        });
        self.standing = match sealed {
            Ok(0) => Standing::Wanted,
            Ok(_) | Err(_) => Standing::Sealed,
        };
        Ok(usize::try_from(sealed?).unwrap_or(usize::MAX))
    }

    /// Adds a row; returns its `seq`.
    pub(crate) fn insert(&mut self, sql: &str, params: &impl Params) -> Result<i64, Fault> {
        let rows = self.query(&format!("{sql} RETURNING seq"), params)?;
        let row = rows.first();
        let row = row.ok_or_else(|| Fault::Undecodable("a new row is not there".to_owned()))?;
        Ok(row.try_get(0)?)
    }

    /// Reads rows.
    pub(crate) fn query(&mut self, sql: &str, params: &impl Params) -> Result<Vec<Row>, Fault> {
        let statement = self.prepared(sql, params)?;
        let values: Vec<Value<'_>> = (0..params.count()).map(|place| params.at(place)).collect();
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        self.ask(async |client| client.query(&statement, &values).await)
    }

    /// Reads rows one after the other, so that there may be more of them than memory, until `read` has seen enough.
    pub(crate) fn stream(
        &mut self,
        sql: &str,
        params: &impl Params,
        mut read: impl FnMut(&Row) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<(), Fault> {
        let statement = self.prepared(sql, params)?;
        let values: Vec<Value<'_>> = (0..params.count()).map(|place| params.at(place)).collect();
        let read_all = async |client: &Client| {
            let mut rows = pin!(client.query_raw(&statement, values).await?);
            while let Some(row) = rows.try_next().await? {
                match read(&row) {
                    Ok(ControlFlow::Continue(())) => (),
                    Ok(ControlFlow::Break(())) => break,
                    Err(fault) => return Ok(Err(fault)),
                }
            }
            Ok(Ok(()))
        };
        self.ask(read_all)?
    }

    /// Adds many rows: `sql` copies from what is sent.
    pub(crate) fn load(
        &mut self,
        sql: &str,
        kinds: &[Kind],
        rows: &[Vec<Owned>],
    ) -> Result<(), Fault> {
        let types: Vec<_> = kinds.iter().map(|kind| bind::kind(*kind)).collect();
        self.ask(async |client| {
            let sending = BinaryCopyInWriter::new(client.copy_in(sql).await?, &types);
            let mut sending = pin!(sending);
            for row in rows {
                let values = row.iter().map(Owned::value);
                sending.as_mut().write_raw(values).await?;
            }
            sending.finish().await.map(drop)
        })
    }

    /// Holds the rows that the statement finds, before whatever is asked next is answered.
    pub(crate) fn hold(&mut self, sql: &str, params: &impl Params) -> Result<(), Fault> {
        match self.remarks() {
            Remarks::Count => self.also(sql, params),
            Remarks::PassedOver => Ok(()),
        }
    }

    /// Holds the rows that the statement finds; returns how many, and one where nothing is held.
    pub(crate) fn hold_some(&mut self, sql: &str, params: &impl Params) -> Result<usize, Fault> {
        match self.remarks() {
            Remarks::Count => Ok(self.query(sql, params)?.len()),
            Remarks::PassedOver => Ok(1),
        }
    }

    fn remarks(&self) -> Remarks {
        match (self.access, self.care) {
            (Access::Write, Care::Taken | Care::Unfenced) => Remarks::Count,
            (Access::Read, _) | (_, Care::Omitted) => Remarks::PassedOver,
        }
    }

    /// Sends the beginning of the transaction, what goes ahead, and this, and waits for all of them.
    fn ask<T>(&mut self, last: impl AsyncFnOnce(&Client) -> Result<T, Error>) -> Result<T, Fault> {
        if let Some(fault) = self.unbegun.take() {
            return Err(fault);
        }
        let beginning =
            (self.standing == Standing::Wanted).then(|| beginning(self.access, self.patience));
        let (ahead, clock) = (std::mem::take(&mut self.ahead), &self.clock);
        self.journeys += 1;
        let (begun, value) = self.wire.wait(async |client| {
            // The order in which they are made is the order in which they are sent.
            let begun = OptionFuture::from(beginning.map(|sql| begin(client, sql, clock)));
            let before = join_all(ahead.iter().map(|one| one.run(client)));
            let (begun, before, value) = join3(begun, before, last(client)).await;
            let begun = begun.transpose()?;
            before.into_iter().collect::<Result<(), _>>()?;
            Ok((begun, value?))
        })?;
        if let Some(begun) = begun {
            self.standing = Standing::Open(Timestamp::from_ms(begun));
        }
        Ok(value)
    }

    fn prepared(&mut self, sql: &str, params: &impl Params) -> Result<Statement, Fault> {
        let key = (self.access, sql.to_owned());
        let kinds = (0..params.count()).map(|place| bind::kind(params.at(place).kind()));
        let kinds: Vec<_> = kinds.collect();
        // With values of other kinds it is another statement: one that cannot be written must not be left out while
        // those behind it are sent.
        let kept = self.kept.get(&key);
        if let Some(statement) = kept.filter(|statement| statement.params() == kinds) {
            return Ok(statement.clone());
        }
        let mut said = statement(sql, self.remarks());
        if self.care == Care::Unfenced {
            said = unfenced(&said);
        }
        let statement = self
            .wire
            .wait(async |client| client.prepare_typed(&said, &kinds).await)?;
        self.kept.insert(key, statement.clone());
        Ok(statement)
    }
}

/// How connections are made.
pub(super) fn config(server: &Server) -> Config {
    let mut config = server.config.clone();
    if config.get_application_name().is_none() {
        config.application_name("angelia");
    }
    config
        .connect_timeout(CONNECT)
        .keepalives(true)
        .keepalives_idle(SILENCE)
        .keepalives_interval(SILENCE)
        .keepalives_retries(PROBES)
        .tcp_user_timeout(UNHEARD);
    config
}

/// Begins a transaction; the time of the server then.
async fn begin(client: &Client, sql: &str, clock: &Statement) -> Result<i64, Error> {
    let (begun, told) = join(client.batch_execute(sql), client.query_one(clock, &[])).await;
    begun?;
    told?.try_get(0)
}
