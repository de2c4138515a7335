//! *deliver* and *confirm*; what is put into the outbox, in `plan`.

mod plan;

use angelia_core::address::AccountId;
use angelia_core::id::DeliveryId;
use angelia_core::lease::Fence;
use angelia_core::outbound::{Dedupe, Delivery, DeliveryState, DeliveryUpdate, NextTry};
use angelia_core::recovery::{self, LeftSending};
use angelia_core::time::Span;
use async_trait::async_trait;

use super::rows::{delivery, delivery_sql};
use super::{hold, lanes, leases, rows};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::{Engine, Tx};
use crate::database::value::params;
use crate::outbox::{Changed, Outbox};
use crate::{Fenced, StoreError};
pub(super) use plan::{Told, reply, say, say_going, tell, turn_away};

#[async_trait]
impl Outbox for Database {
    async fn claim_deliveries(
        &self,
        account: &AccountId,
        fence: Fence,
        limit: usize,
    ) -> Result<Fenced<Vec<Delivery>>, StoreError> {
        let account = account.clone();
        self.write(move |tx| claim(tx, &account, fence, limit))
            .await
    }

    async fn confirm_delivery(
        &self,
        delivery: DeliveryId,
        fence: Fence,
        update: DeliveryUpdate,
    ) -> Result<Fenced<Delivery>, StoreError> {
        self.write(move |tx| confirm(tx, delivery, fence, &update))
            .await
    }

    async fn recover_deliveries(
        &self,
        account: &AccountId,
        fence: Fence,
        dedupe: Dedupe,
    ) -> Result<Fenced<usize>, StoreError> {
        let account = account.clone();
        self.write(move |tx| recover(tx, &account, fence, dedupe))
            .await
    }

    async fn next_due(&self, account: &AccountId) -> Result<Option<Span>, StoreError> {
        let account = account.to_owned();
        self.read(move |tx| next_due(tx, &account.0)).await
    }

    async fn retry_delivery(&self, delivery: DeliveryId) -> Result<Changed, StoreError> {
        self.write(move |tx| change(tx, delivery, Wish::Retry))
            .await
    }

    async fn drop_delivery(&self, delivery: DeliveryId) -> Result<Changed, StoreError> {
        self.write(move |tx| change(tx, delivery, Wish::Drop)).await
    }
}

/// What an operator wants of a delivery.
#[derive(Clone, Copy)]
enum Wish {
    Retry,
    Drop,
}

/// Whether the account's lease still carries the fence.
fn carries(tx: &Tx<'_>, account: &AccountId, fence: Fence) -> Result<bool, Fault> {
    let lease = leases::find(tx, &leases::of_account(account))?;
    Ok(lease.is_some_and(|lease| lease.fence == fence && !lease.holder.is_empty()))
}

/// Whether the account's lease carries the fence and is live: needed to begin something new.
pub(super) fn is_live(tx: &Tx<'_>, account: &AccountId, fence: Fence) -> Result<bool, Fault> {
    let lease = leases::find(tx, &leases::of_account(account))?;
    Ok(lease.is_some_and(|lease| lease.fence == fence && lease.is_live(tx.now())))
}

fn claim(
    tx: &Tx<'_>,
    account: &AccountId,
    fence: Fence,
    limit: usize,
) -> Result<Fenced<Vec<Delivery>>, Fault> {
    if !is_live(tx, account, fence)? {
        return Ok(Fenced::Lost);
    }
    if lanes::account_rests(tx, &account.0)? {
        return Ok(Fenced::Done(Vec::new()));
    }
    let mut claimed = Vec::new();
    for (seq, chat) in due_heads(tx, &account.0, limit)? {
        hold::lane(tx, &account.0, &chat)?;
        claimed.extend(send(tx, seq, fence)?);
    }
    Ok(Fenced::Done(claimed))
}

fn due_heads(tx: &Tx<'_>, account: &str, limit: usize) -> Result<Vec<(i64, String)>, Fault> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    tx.all(
        "SELECT seq, chat FROM outbox WHERE account = ?1 AND head_at <= ?2 \
         ORDER BY head_at, seq LIMIT ?3",
        params![account, tx.now().ms(), limit],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// Its lane has no head while it is under way. One that is the head no more was dropped meanwhile.
fn send(tx: &Tx<'_>, seq: i64, fence: Fence) -> Result<Option<Delivery>, Fault> {
    let sent = tx.run(
        "UPDATE outbox SET state = 'sending', head_at = NULL, attempts = attempts + 1, \
         fence = ?2 WHERE seq = ?1 AND head_at IS NOT NULL",
        [seq, fence.0],
    )?;
    (sent > 0).then(|| read(tx, seq)).transpose()
}

fn read(tx: &Tx<'_>, seq: i64) -> Result<Delivery, Fault> {
    let found = tx.one(delivery_sql!("o.seq = ?1"), [seq], delivery)?;
    found.ok_or_else(|| rows::undecodable("a delivery has no turn or session"))
}

/// A delivery that was handed to the platform.
struct Sending {
    seq: i64,
    account: AccountId,
    chat: String,
    attempts: u32,
    doubts: u32,
}

impl Sending {
    fn left(&self) -> LeftSending {
        LeftSending {
            attempts: self.attempts,
            doubts: self.doubts,
        }
    }
}

fn sending(row: &Row<'_>) -> Result<Sending, Fault> {
    Ok(Sending {
        seq: row.get(0)?,
        account: AccountId(row.get(1)?),
        chat: row.get(2)?,
        attempts: row.get(3)?,
        doubts: row.get(4)?,
    })
}

fn confirm(
    tx: &Tx<'_>,
    id: DeliveryId,
    fence: Fence,
    update: &DeliveryUpdate,
) -> Result<Fenced<Delivery>, Fault> {
    hold_lane_of(tx, id)?;
    let found = tx.one(
        "SELECT seq, account, chat, attempts, doubts FROM outbox \
         WHERE id = ?1 AND state = 'sending' AND fence = ?2",
        params![id.to_string(), fence.0],
        sending,
    )?;
    match found {
        Some(row) if carries(tx, &row.account, fence)? => {
            apply(tx, &row, update)?;
            read(tx, row.seq).map(Fenced::Done)
        }
        _ => Ok(Fenced::Lost),
    }
}

fn recover(
    tx: &Tx<'_>,
    account: &AccountId,
    fence: Fence,
    dedupe: Dedupe,
) -> Result<Fenced<usize>, Fault> {
    if !carries(tx, account, fence)? {
        return Ok(Fenced::Lost);
    }
    let left = tx.all(
        "SELECT seq, account, chat, attempts, doubts FROM outbox \
         WHERE account = ?1 AND state = 'sending' AND fence < ?2 ORDER BY seq",
        params![account.0, fence.0],
        sending,
    )?;
    for row in &left {
        hold::lane(tx, &row.account.0, &row.chat)?;
        let dedupe = if is_in_a_draft(tx, row.seq)? {
            Dedupe::ByKey
        } else {
            dedupe
        };
        let update = recovery::after_crash(row.left(), dedupe, tx.now());
        apply(tx, row, &update)?;
    }
    Ok(Fenced::Done(left.len()))
}

/// Whether a delivery ends in a message that is shown already: to change that twice is to change it once.
fn is_in_a_draft(tx: &Tx<'_>, seq: i64) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM outbox o JOIN drafts d ON d.turn = o.turn \
               WHERE o.seq = ?1 AND o.notice = 0 AND o.files IS NULL AND d.role = 'reply' AND d.place = o.part \
               AND d.receipt IS NOT NULL)";
    Ok(tx.number(sql, [seq])? != 0)
}

/// Writes down what became of a delivery, and lets its lane go on.
fn apply(tx: &Tx<'_>, row: &Sending, update: &DeliveryUpdate) -> Result<(), Fault> {
    match update {
        DeliveryUpdate::Sent(receipt) => sent(tx, row, &receipt.0)?,
        DeliveryUpdate::Again(later) => due(tx, row.seq, later, row.doubts)?,
        DeliveryUpdate::AgainInDoubt(later) => due(tx, row.seq, later, row.doubts + 1)?,
        DeliveryUpdate::Wedged(wedge) => {
            let sql = "UPDATE outbox SET state = 'wedged', head_at = NULL, reach = ?2, why = ?3 \
                       WHERE seq = ?1";
            tx.also(
                sql,
                params![row.seq, rows::reach_name(wedge.reach), wedge.why],
            )?;
        }
    }
    lanes::refresh(tx, &row.account.0, &row.chat)
}

/// The order of sending is counted by itself: a delivery that was set aside goes out after later
/// ones, and whoever reads on from the last one must still meet it.
fn sent(tx: &Tx<'_>, row: &Sending, receipt: &str) -> Result<(), Fault> {
    let last = tx.number(
        "SELECT coalesce(max(sent_order), 0) FROM outbox \
         WHERE account = ?1 AND chat = ?2 AND state = 'sent'",
        [&row.account.0, &row.chat],
    )?;
    tx.also(
        "UPDATE outbox SET state = 'sent', head_at = NULL, receipt = ?2, sent_at = ?3, \
         sent_order = ?4 WHERE seq = ?1",
        params![row.seq, receipt, tx.now().ms(), last + 1],
    )?;
    Ok(())
}

fn due(tx: &Tx<'_>, seq: i64, later: &NextTry, doubts: u32) -> Result<(), Fault> {
    tx.also(
        "UPDATE outbox SET state = 'due', head_at = NULL, due_at = ?2, doubts = ?3, why = ?4 \
         WHERE seq = ?1",
        params![seq, later.at.ms(), doubts, later.why],
    )?;
    Ok(())
}

fn next_due(tx: &Tx<'_>, account: &str) -> Result<Option<Span>, Fault> {
    if lanes::account_rests(tx, account)? {
        return Ok(None);
    }
    let sql = "SELECT head_at FROM outbox WHERE account = ?1 AND head_at IS NOT NULL \
               ORDER BY head_at LIMIT 1";
    let due = tx.one(sql, [account], |row| rows::time(row, 0))?;
    Ok(due.map(|due| due.since(tx.now())))
}

/// Holds the lane of a delivery. It is the same as long as the delivery is there.
fn hold_lane_of(tx: &Tx<'_>, id: DeliveryId) -> Result<(), Fault> {
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    let sql = "SELECT account, chat FROM outbox WHERE id = ?1";
    let lane = tx.one(sql, [id.to_string()], |row| {
        Ok((row.get::<String>(0)?, row.get::<String>(1)?))
    })?;
    lane.map_or(Ok(()), |(account, chat)| hold::lane(tx, &account, &chat))
}

fn drop_one(tx: &Tx<'_>, seq: i64) -> Result<(), Fault> {
    let sql = "UPDATE outbox SET state = 'dropped', head_at = NULL WHERE seq = ?1";
    tx.run(sql, [seq]).map(drop)
}

/// Does an operator's wish to a delivery that is due or wedged.
fn change(tx: &Tx<'_>, id: DeliveryId, wish: Wish) -> Result<Changed, Fault> {
    hold_lane_of(tx, id)?;
    let found = tx.one(delivery_sql!("o.id = ?1"), [id.to_string()], |row| {
        Ok((row.get::<i64>(rows::DELIVERY_SEQ)?, delivery(row)?))
    })?;
    let Some((seq, found)) = found else {
        return Ok(Changed::NotFound);
    };
    match found.state {
        DeliveryState::Due | DeliveryState::Wedged(_) => (),
        DeliveryState::Sending | DeliveryState::Sent(_) | DeliveryState::Dropped => {
            return Ok(Changed::NotNow(found));
        }
    }
    match wish {
        Wish::Retry => lanes::try_again(tx, seq)?,
        Wish::Drop => drop_one(tx, seq)?,
    }
    lanes::refresh(tx, &found.address.account.0, &found.address.chat.id)?;
    read(tx, seq).map(Changed::Done)
}
