//! What commands in chat need.
//!
//! Whether a waiting message is a command is asked of `core` and not of SQL: only those that begin with a
//! slash are read for it, and nearly always nothing waits.

use std::sync::Arc;

use angelia_core::command;
use angelia_core::id::{SessionId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::lease::Fence;
use angelia_core::session::key::{Isolation, Scope};
use angelia_core::transcript::title::Title;
use async_trait::async_trait;

use super::rows::message_sql;
use super::turns::{Open, owned};
use super::{aliases, hold, long, ready, rows, turns};
use crate::commands::{Behind, Commands, PlaceSession};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::turns::Waiting;
use crate::{Fenced, StoreError};

#[async_trait]
impl Commands for Database {
    async fn behind(&self, turn: TurnId) -> Result<Behind, StoreError> {
        self.read(move |tx| behind(tx, turn)).await
    }

    async fn take_stops(
        &self,
        turn: TurnId,
        fence: Fence,
    ) -> Result<Fenced<Vec<Waiting>>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => take_stops(tx, &open).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn of_place(&self, scope: &Scope) -> Result<Vec<PlaceSession>, StoreError> {
        let scope = scope.to_owned();
        self.read(move |tx| of_place(tx, &scope)).await
    }

    async fn carry_over(
        &self,
        from: SessionId,
        scope: &Scope,
        isolation: Isolation,
    ) -> Result<usize, StoreError> {
        let scope = scope.clone();
        self.write(move |tx| carry_over(tx, from, &scope, isolation))
            .await
    }
}

fn behind(tx: &Tx<'_>, turn: TurnId) -> Result<Behind, Fault> {
    let sql = "SELECT session, claimed_at FROM turns WHERE id = ?1 AND state = 'open'";
    let found = tx.one(sql, [turn.to_string()], |row| {
        Ok((row.get::<i64>(0)?, rows::time(row, 1)?))
    })?;
    let Some((session, claimed_at)) = found else {
        return Ok(Behind::default());
    };
    // What the gateway itself tells of processes is nobody's word.
    let all = "SELECT count(*) FROM inbox WHERE session = ?1 AND state = 'waiting' \
               AND substr(event_key, 1, 2) <> 'p:'";
    let all = usize::try_from(tx.number(all, [session])?).unwrap_or(0);
    let interrupts = concat!(
        "SELECT count(*) FROM inbox WHERE session = ?1 AND state = 'waiting' AND json_extract(",
        message_sql!("inbox"),
        ", '$.body.about.busy') = 'interrupt'"
    );
    let slashed = slashed(tx, session)?;
    let reads = slashed
        .iter()
        .map(|one| (command::read(&one.waiting.inbound), one.waiting.received_at));
    let (mut others, mut stops) = (0, 0);
    for (reading, received_at) in reads {
        others += usize::from(!reading.is_for_the_agent());
        stops += usize::from(reading.stops() && received_at >= claimed_at);
    }
    let open = "SELECT count(*) FROM approvals a JOIN turns t ON t.seq = a.turn \
                WHERE t.id = ?1 AND a.decision IS NULL AND a.choices IS NOT NULL";
    let inquiries = tx.number(open, [turn.to_string()])?;
    Ok(Behind {
        words: all - others,
        asides: asides(&slashed).count(),
        interrupts: usize::try_from(tx.number(interrupts, [session])?).unwrap_or(0),
        stops,
        inquiries: usize::try_from(inquiries).unwrap_or(0),
    })
}

/// Those that only tell something, before any that is to be followed in its turn.
pub(super) fn asides(slashed: &[Slashed]) -> impl Iterator<Item = &Slashed> {
    let read = |one: &Slashed| command::read(&one.waiting.inbound);
    let is_before = move |one: &&Slashed| {
        let reading = read(one);
        let is_heard = reading.stops() || reading.answer().is_some();
        reading.is_aside() || reading.is_for_the_agent() || is_heard
    };
    let before = slashed.iter().take_while(is_before);
    before.filter(move |one| read(one).is_aside())
}

/// A message that may be a command.
pub(super) struct Slashed {
    pub(super) seq: i64,
    pub(super) waiting: Waiting,
}

/// The waiting messages that begin with a slash, oldest first.
pub(super) fn slashed(tx: &Tx<'_>, session: i64) -> Result<Vec<Slashed>, Fault> {
    tx.all(
        concat!(
            "SELECT seq, id, ",
            message_sql!("inbox"),
            ", received_at FROM inbox \
             WHERE session = ?1 AND state = 'waiting' \
             AND substr(coalesce((SELECT l.text FROM long_texts l WHERE l.message = inbox.seq), \
             json_extract(",
            message_sql!("inbox"),
            ", '$.body.text')), 1, 1) = '/' ORDER BY seq"
        ),
        [session],
        |row| one_behind(tx, row),
    )
}

/// The waiting messages that are for the agent, oldest first; not what the gateway itself tells of processes.
pub(super) fn spoken(tx: &Tx<'_>, session: i64) -> Result<Vec<Slashed>, Fault> {
    let mut waiting = tx.all(
        concat!(
            "SELECT seq, id, ",
            message_sql!("inbox"),
            ", received_at FROM inbox \
             WHERE session = ?1 AND state = 'waiting' AND substr(event_key, 1, 2) <> 'p:' ORDER BY seq"
        ),
        [session],
        |row| one_behind(tx, row),
    )?;
    waiting.retain(|one| command::read(&one.waiting.inbound).is_for_the_agent());
    Ok(waiting)
}

pub(super) fn one_behind(tx: &Tx<'_>, row: &Row<'_>) -> Result<Slashed, Fault> {
    Ok(Slashed {
        seq: row.get(0)?,
        waiting: Waiting {
            inbox: rows::parsed(row, 1)?,
            inbound: Arc::new(long::inbound(tx, row, (2, 0))?),
            received_at: rows::time(row, 3)?,
        },
    })
}

fn take_stops(tx: &Tx<'_>, open: &Open) -> Result<Vec<Waiting>, Fault> {
    let claimed_at = tx.number("SELECT claimed_at FROM turns WHERE seq = ?1", [open.seq])?;
    let mut stops = slashed(tx, open.session)?;
    stops.retain(|one| {
        one.waiting.received_at.ms() >= claimed_at && command::read(&one.waiting.inbound).stops()
    });
    take_along(tx, open, &stops)
}

/// Lets the turn answer these messages too. Returns all that it answers now.
pub(super) fn take_along(
    tx: &Tx<'_>,
    open: &Open,
    messages: &[Slashed],
) -> Result<Vec<Waiting>, Fault> {
    for one in messages {
        let taken = "UPDATE inbox SET state = 'taken', turn = ?2 WHERE seq = ?1";
        tx.also(taken, [one.seq, open.seq])?;
    }
    let taken = messages.iter().map(|one| one.waiting.inbox);
    let batch: Vec<_> = open.batch.iter().copied().chain(taken).collect();
    let body = rows::batch_body(&batch)?;
    let answers = "UPDATE turns SET batch = ?2 WHERE seq = ?1";
    tx.also(answers, params![open.seq, body])?;
    let answered = turns::messages(tx, &batch)?;
    Ok(answered.into_iter().map(|one| one.waiting).collect())
}

fn of_place(tx: &Tx<'_>, scope: &Scope) -> Result<Vec<PlaceSession>, Fault> {
    let found = tx.all(
        "SELECT id, title, preview, active_at FROM sessions \
         WHERE seq IN (SELECT seq FROM sessions WHERE scope = ?1 \
                       UNION SELECT session FROM bindings WHERE scope = ?1 AND why <> 'led' \
                       UNION SELECT session FROM routes WHERE scope = ?1) \
         ORDER BY seq",
        [scope.as_str()],
        |row| {
            let title: Option<String> = row.get(1)?;
            Ok(PlaceSession {
                id: rows::parsed(row, 0)?,
                number: 0,
                title: title.map(|text| titled(&text)).transpose()?.flatten(),
                preview: row.get(2)?,
                active_at: rows::time(row, 3)?,
            })
        },
    )?;
    let numbered = (1..).zip(found);
    Ok(numbered
        .map(|(number, one)| PlaceSession { number, ..one })
        .collect())
}

fn carry_over(
    tx: &Tx<'_>,
    from: SessionId,
    scope: &Scope,
    isolation: Isolation,
) -> Result<usize, Fault> {
    hold::place(tx, scope.as_str())?;
    let route = "SELECT session FROM routes WHERE scope = ?1";
    let to: Option<i64> = tx.one(route, [scope.as_str()], |row| row.get(0))?;
    let from = turns::session_seq(tx, from)?;
    let (Some(from), Some(to)) = (from, to) else {
        return Ok(0);
    };
    if from == to {
        return Ok(0);
    }
    let mut carried = 0;
    for (seq, inbound) in unanswered(tx, from)? {
        let route = aliases::route(tx, &inbound, isolation)?;
        if route.is_ok_and(|route| route.scope == *scope) {
            let moved = "UPDATE inbox SET session = ?2, state = 'waiting' WHERE seq = ?1";
            carried += tx.run(moved, [seq, to])?;
        }
    }
    // What was next, here or there, may be so no more.
    ready::again(tx, from)?;
    ready::again(tx, to)?;
    Ok(carried)
}

/// The messages of a conversation that no turn has taken.
fn unanswered(tx: &Tx<'_>, session: i64) -> Result<Vec<(i64, Inbound)>, Fault> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, long::inbound(tx, row, (1, 0))?));
    let sql = concat!(
        "SELECT seq, ",
        message_sql!("inbox"),
        " FROM inbox WHERE session = ?1 AND state = 'waiting' UNION ALL SELECT seq, ",
        message_sql!("inbox"),
        " FROM inbox WHERE session = ?1 AND state = 'next'"
    );
    tx.all(sql, [session], read)
}

fn titled(text: &str) -> Result<Option<Title>, Fault> {
    Title::clean(text).map_err(rows::undecodable)
}
