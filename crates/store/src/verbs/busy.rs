//! Messages behind a running turn.
//!
//! Only what waits in one conversation is read, and nearly always nothing does.

mod untold;

use angelia_core::command::{self, Reading};
use angelia_core::id::{DeliveryId, InboxId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::turn::busy::Mode;
use angelia_core::turn::journal::Step;
use async_trait::async_trait;

use super::commands::{Slashed, asides, one_behind, slashed, take_along};
use super::rows::message_sql;
use super::turns::{Open, messages, owned, record};
use super::{outbox, rows};
use crate::busy::{Along, Busy, Untold};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::turns::Waiting;
use crate::{Fenced, StoreError};

#[async_trait]
impl Busy for Database {
    async fn steering(&self, turn: TurnId) -> Result<Vec<Waiting>, StoreError> {
        self.read(move |tx| steering(tx, turn)).await
    }

    async fn take_along(
        &self,
        turn: TurnId,
        fence: Fence,
        seq: u32,
        step: Step,
    ) -> Result<Fenced<Along>, StoreError> {
        let zone = self.zone.clone();
        self.write(move |tx| match owned(tx, turn, fence)? {
            None => Ok(Fenced::Lost),
            Some(open) if is_written(tx, &open, seq)? => {
                record(tx, &open, (seq, &step), &zone)?;
                answered(tx, &open).map(Fenced::Done)
            }
            Some(open) => {
                let Some(found) = waiting(tx, &open, &step)? else {
                    return Ok(Fenced::Done(Along::Gone));
                };
                record(tx, &open, (seq, &step), &zone)?;
                let batch = take_along(tx, &open, &found)?;
                Ok(Fenced::Done(Along::Taken(batch)))
            }
        })
        .await
    }

    async fn asides(&self, turn: TurnId) -> Result<Vec<Waiting>, StoreError> {
        self.read(move |tx| {
            let sql = "SELECT session FROM turns WHERE id = ?1 AND state = 'open'";
            let session: Option<i64> = tx.one(sql, [turn.to_string()], |row| row.get(0))?;
            let behind = session.map(|session| slashed(tx, session)).transpose()?;
            let behind = behind.unwrap_or_default();
            Ok(asides(&behind).map(|one| one.waiting.clone()).collect())
        })
        .await
    }

    async fn answer_aside(
        &self,
        turn: TurnId,
        fence: Fence,
        inbox: InboxId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<Option<Vec<Waiting>>>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => answer_aside(tx, &open, inbox, &notice).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn untold(&self, turn: TurnId) -> Result<Option<Untold>, StoreError> {
        self.read(move |tx| untold::find(tx, turn)).await
    }

    async fn tell_waiting(
        &self,
        turn: TurnId,
        fence: Fence,
        inbox: InboxId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<()>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => untold::tell(tx, &open, (turn, inbox), &notice).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }
}

fn answer_aside(
    tx: &Tx<'_>,
    open: &Open,
    inbox: InboxId,
    (notice, text): &(DeliveryId, String),
) -> Result<Option<Vec<Waiting>>, Fault> {
    let room = open.batch.len() < limits::BATCH_WITH_ANSWERS_MAX;
    let Some(aside) = waits(tx, open, inbox)?.filter(|_| room) else {
        return Ok(None);
    };
    let to = aside.waiting.inbound.address.clone();
    let batch = take_along(tx, open, &[aside])?;
    outbox::say(tx, open, &to, (*notice, text))?;
    Ok(Some(batch))
}

fn steering(tx: &Tx<'_>, turn: TurnId) -> Result<Vec<Waiting>, Fault> {
    let sql = "SELECT session, claimed_at, batch FROM turns WHERE id = ?1 AND state = 'open'";
    let open = tx.one(sql, [turn.to_string()], |row| {
        Ok((
            row.get::<i64>(0)?,
            row.get::<i64>(1)?,
            rows::batch(row, 2)?.len(),
        ))
    })?;
    let Some((session, claimed_at, answers)) = open else {
        return Ok(Vec::new());
    };
    let room = limits::BATCH_MAX.saturating_sub(answers);
    let steers = words_behind(tx, session)?.into_iter().filter(|one| {
        one.waiting.received_at.ms() >= claimed_at
            && one.waiting.inbound.about.busy == Some(Mode::Steer)
    });
    let mut left = limits::STEERED_BYTES_MAX;
    let fits = |one: &Slashed| {
        let fits = one.waiting.inbound.text.len() <= left;
        left = left.saturating_sub(one.waiting.inbound.text.len());
        fits
    };
    let steers = steers.take(limits::STEERED_PER_STEP.min(room));
    let steers = steers.take_while(fits).map(|one| one.waiting);
    Ok(steers.collect())
}

/// The words of people that wait before any command that is still to be followed, oldest first.
fn words_behind(tx: &Tx<'_>, session: i64) -> Result<Vec<Slashed>, Fault> {
    let waiting = tx.all(
        concat!(
            "SELECT seq, id, ",
            message_sql!("inbox"),
            ", received_at FROM inbox \
             WHERE session = ?1 AND state = 'waiting' AND substr(event_key, 1, 2) <> 'p:' ORDER BY seq"
        ),
        [session],
        |row| one_behind(tx, row),
    )?;
    let mut words = Vec::new();
    for one in waiting {
        match command::read(&one.waiting.inbound) {
            Reading::Words => words.push(one),
            reading if reading.stops() || reading.answer().is_some() => (),
            Reading::Command(_) | Reading::Slip(_) => break,
        }
    }
    Ok(words)
}

fn is_written(tx: &Tx<'_>, open: &Open, seq: u32) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM steps WHERE turn = ?1 AND seq = ?2)";
    Ok(tx.number(sql, params![open.seq, seq])? == 1)
}

fn answered(tx: &Tx<'_>, open: &Open) -> Result<Along, Fault> {
    let batch = messages(tx, &open.batch)?.into_iter();
    Ok(Along::Taken(batch.map(|one| one.waiting).collect()))
}

/// The messages of the step, if all of them wait behind the turn.
fn waiting(tx: &Tx<'_>, open: &Open, step: &Step) -> Result<Option<Vec<Slashed>>, Fault> {
    let Step::Steered { said } = step else {
        return Ok(None);
    };
    let found = said.iter().map(|one| waits(tx, open, one.inbox));
    found.collect()
}

fn waits(tx: &Tx<'_>, open: &Open, inbox: InboxId) -> Result<Option<Slashed>, Fault> {
    tx.one(
        concat!(
            "SELECT seq, id, ",
            message_sql!("inbox"),
            ", received_at FROM inbox WHERE id = ?1 AND session = ?2 AND state = 'waiting'"
        ),
        params![inbox.to_string(), open.session],
        |row| one_behind(tx, row),
    )
}

/// The messages that the turn took along, in the order in which they were said.
pub(super) fn along(tx: &Tx<'_>, open: &Open) -> Result<Vec<InboxId>, Fault> {
    let sql = "SELECT body FROM steps WHERE turn = ?1 AND kind = 'steered' ORDER BY seq";
    let steps = tx.all(sql, [open.seq], |row| rows::body::<Step>(row, 0))?;
    let said = |step| match step {
        Step::Steered { said } => said,
        Step::Answer { .. }
        | Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Planned { .. }
        | Step::Moved { .. }
        | Step::Compacted { .. }
        | Step::Emitted { .. }
        | Step::Command { .. } => Vec::new(),
    };
    let said = steps.into_iter().flat_map(said);
    Ok(said.map(|one| one.inbox).collect())
}
