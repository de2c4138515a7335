//! One connection: its statements, and the beginning and the end of a transaction.
//!
//! A statement is prepared when it is first run and kept as long as the connection. The kinds of its values
//! are told to the server, which need not guess them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use angelia_core::time::Timestamp;
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::ToSql;
use postgres::{Client, Row, SimpleQueryMessage, Statement};

use super::bind;
use super::dialect::{Remarks, statement};
use super::place::Server;
use super::tls::Link;
use crate::database::fault::Fault;
use crate::database::value::{Kind, Owned, Params, Value};

/// How long a statement may take, how long it may wait for what another holds, and how long a transaction
/// may stand still before the server ends it: a node that was paused must not hold up the others.
const SETTINGS: &str = "SET statement_timeout = '30s'; SET lock_timeout = '10s'; \
                        SET idle_in_transaction_session_timeout = '15s'; \
                        SET default_transaction_isolation = 'read committed'; \
                        SET client_min_messages = 'warning'";

/// How long the server may take to answer when a connection is made.
const CONNECT: Duration = Duration::from_secs(5);

/// A peer that is gone is noticed within some fifteen seconds, also in the middle of a statement.
const SILENCE: Duration = Duration::from_secs(5);
const PROBES: u32 = 3;
const UNHEARD: Duration = Duration::from_secs(15);

/// The time of the server, in milliseconds.
macro_rules! server_time {
    () => {
        "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    };
}
/// What a transaction may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Change rows; each statement sees what was committed before it.
    Write,
    /// Only read, all of it as it was at one moment.
    Read,
}

/// Whether verbs hold what they decide by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// They do.
    Taken,
    /// They do not, so that a test can show that it would notice.
    Omitted,
}

/// A connection.
pub(crate) struct Line {
    client: Client,
    /// What the open transaction may do.
    access: Access,
    care: Care,
    kept: BTreeMap<(Access, String), Statement>,
}

impl Line {
    /// Connects; and how.
    pub(crate) fn to(server: &Server, care: Care) -> Result<(Self, Link), Fault> {
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
        let (mut client, link) = server.tls.connect(&config)?;
        client.batch_execute(SETTINGS)?;
        let line = Self {
            client,
            access: Access::Write,
            care,
            kept: BTreeMap::new(),
        };
        Ok((line, link))
    }

    /// Begins a transaction; the server's time.
    pub(crate) fn begin(&mut self, access: Access) -> Result<Timestamp, Fault> {
        self.access = access;
        let begun = self.client.simple_query(match access {
            Access::Write => concat!("BEGIN; ", server_time!()),
            Access::Read => concat!(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ",
                server_time!()
            ),
        })?;
        let time = begun.iter().find_map(|message| {
            let SimpleQueryMessage::Row(row) = message else {
                return None;
            };
            row.get(0)?.parse().ok()
        });
        let time =
            time.ok_or_else(|| Fault::Undecodable("the server does not tell its time".to_owned()))?;
        Ok(Timestamp::from_ms(time))
    }

    /// Makes the transaction durable.
    pub(crate) fn commit(&mut self) -> Result<(), Fault> {
        Ok(self.client.batch_execute("COMMIT")?)
    }

    /// Undoes the transaction.
    pub(crate) fn undo(&mut self) -> Result<(), Fault> {
        Ok(self.client.batch_execute("ROLLBACK")?)
    }

    /// Runs statements that yield nothing and have no values.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Fault> {
        Ok(self.client.batch_execute(sql)?)
    }

    /// Hears what is told on the channel that this query names.
    pub(super) fn listen(&mut self, channel: &str) -> Result<(), Fault> {
        let found = self.client.query_one(channel, &[])?;
        let channel: String = found.try_get(0)?;
        Ok(self
            .client
            .batch_execute(&format!("LISTEN \"{channel}\""))?)
    }

    /// The next that is told, if it is told within this time.
    pub(super) fn heard(&mut self, within: Duration) -> Result<Option<String>, Fault> {
        use postgres::fallible_iterator::FallibleIterator as _;
        let told = self.client.notifications().timeout_iter(within).next()?;
        Ok(told.map(|told| told.payload().to_owned()))
    }

    /// Whether nothing can be asked any more.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Changes rows; returns how many.
    pub(crate) fn execute(&mut self, sql: &str, params: &impl Params) -> Result<usize, Fault> {
        let statement = self.prepared(sql, params)?;
        let values: Vec<Value<'_>> = (0..params.count()).map(|place| params.at(place)).collect();
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let changed = self.client.execute(&statement, &values)?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
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
        use postgres::fallible_iterator::FallibleIterator as _;
        let statement = self.prepared(sql, params)?;
        let values = (0..params.count()).map(|place| params.at(place));
        Ok(self.client.query_raw(&statement, values)?.collect()?)
    }

    /// Reads rows one after the other, so that there may be more of them than memory, until `read` has seen enough.
    pub(crate) fn stream(
        &mut self,
        sql: &str,
        params: &impl Params,
        mut read: impl FnMut(&Row) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<(), Fault> {
        use postgres::fallible_iterator::FallibleIterator as _;
        let statement = self.prepared(sql, params)?;
        let values = (0..params.count()).map(|place| params.at(place));
        let mut rows = self.client.query_raw(&statement, values)?;
        while let Some(row) = rows.next()? {
            if read(&row)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Adds many rows: `sql` copies from what is sent.
    pub(crate) fn load(
        &mut self,
        sql: &str,
        kinds: &[Kind],
        rows: &[Vec<Owned>],
    ) -> Result<(), Fault> {
        let types: Vec<_> = kinds.iter().map(|kind| bind::kind(*kind)).collect();
        let mut sending = BinaryCopyInWriter::new(self.client.copy_in(sql)?, &types);
        for row in rows {
            sending.write_raw(row.iter().map(Owned::value))?;
        }
        sending.finish()?;
        Ok(())
    }

    /// Holds the rows that the statement finds; returns how many, and one where nothing is held.
    pub(crate) fn hold(&mut self, sql: &str, params: &impl Params) -> Result<usize, Fault> {
        match self.remarks() {
            Remarks::Count => Ok(self.query(sql, params)?.len()),
            Remarks::PassedOver => Ok(1),
        }
    }

    fn remarks(&self) -> Remarks {
        match (self.access, self.care) {
            (Access::Write, Care::Taken) => Remarks::Count,
            (Access::Read, _) | (_, Care::Omitted) => Remarks::PassedOver,
        }
    }

    fn prepared(&mut self, sql: &str, params: &impl Params) -> Result<Statement, Fault> {
        let key = (self.access, sql.to_owned());
        if let Some(statement) = self.kept.get(&key) {
            return Ok(statement.clone());
        }
        let kinds = (0..params.count()).map(|place| bind::kind(params.at(place).kind()));
        let kinds: Vec<_> = kinds.collect();
        let said = statement(sql, self.remarks());
        let statement = self.client.prepare_typed(&said, &kinds)?;
        self.kept.insert(key, statement.clone());
        Ok(statement)
    }
}
