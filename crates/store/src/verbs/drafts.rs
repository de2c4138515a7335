//! Messages that show a reply while it grows.

use std::collections::BTreeMap;

use angelia_core::address::AccountId;
use angelia_core::id::{DeliveryId, TurnId};
use angelia_core::outbound::{Receipt, Sign};
use async_trait::async_trait;

use super::{hold, lanes, outbox, rows};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::drafts::{Begun, Draft, Drafts, Fate, NewDraft, Role, Stale};
use crate::{Fenced, StoreError};

#[async_trait]
impl Drafts for Database {
    async fn begin_draft(&self, new: NewDraft) -> Result<Fenced<Begun>, StoreError> {
        self.write(move |tx| begin(tx, &new)).await
    }

    async fn keep_draft(&self, id: DeliveryId, receipt: Receipt) -> Result<(), StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE drafts SET receipt = ?2 WHERE id = ?1";
            tx.also(sql, [&id.to_string(), &receipt.0])
        })
        .await
    }

    async fn drafts(&self, turn: TurnId) -> Result<Vec<Draft>, StoreError> {
        self.read(move |tx| of_turn(tx, turn)).await
    }

    async fn stale_drafts(
        &self,
        account: &AccountId,
        limit: usize,
    ) -> Result<Vec<Stale>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = "SELECT d.id, d.receipt, d.platform, d.account, d.chat, d.chat_kind, d.thread, d.role, \
                   EXISTS (SELECT 1 FROM outbox o WHERE o.turn = d.turn AND o.state = 'sent' \
                           AND o.receipt = d.receipt), t.state \
                   FROM drafts d JOIN turns t ON t.seq = d.turn \
                   WHERE d.account = ?1 AND d.receipt IS NOT NULL AND t.state <> 'open' \
                   AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.turn = d.turn \
                                   AND (o.state = 'due' OR o.state = 'sending')) \
                   ORDER BY d.seq LIMIT ?2";
        let account = account.to_owned();
        self.read(move |tx| tx.all(sql, params![account.0, limit], stale))
            .await
    }

    async fn forget_draft(&self, id: DeliveryId) -> Result<(), StoreError> {
        self.write(move |tx| {
            let sql = "DELETE FROM drafts WHERE id = ?1";
            tx.also(sql, [id.to_string()])
        })
        .await
    }
}

fn begin(tx: &Tx<'_>, new: &NewDraft) -> Result<Fenced<Begun>, Fault> {
    if !outbox::is_live(tx, &new.address.account, new.fence)? {
        return Ok(Fenced::Lost);
    }
    let open = "SELECT seq FROM turns WHERE id = ?1 AND state = 'open' /* keep */";
    let open = tx.one(open, [new.turn.to_string()], |row| row.get::<i64>(0))?;
    let Some(turn) = open else {
        return Ok(Fenced::Lost);
    };
    if new.role != Role::Sign && is_early(tx, new)? {
        return Ok(Fenced::Done(Begun::NotYet));
    }
    let to = &new.address;
    tx.also(
        "INSERT INTO drafts (id, turn, role, place, platform, account, chat, chat_kind, thread) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING",
        params![
            new.id.to_string(),
            turn,
            role_name(new.role),
            new.place,
            to.platform.name(),
            to.account.0,
            to.chat.id,
            to.chat.kind.name(),
            to.thread,
        ],
    )?;
    Ok(Fenced::Done(Begun::Now))
}

/// Whether something else is to be said in the chat first.
fn is_early(tx: &Tx<'_>, new: &NewDraft) -> Result<bool, Fault> {
    let (account, chat) = (&new.address.account.0, &new.address.chat.id);
    hold::lane(tx, account, chat)?;
    lanes::is_held(tx, account, chat)
}

fn of_turn(tx: &Tx<'_>, turn: TurnId) -> Result<Vec<Draft>, Fault> {
    let sql = "SELECT d.id, d.role, d.place, d.receipt FROM drafts d JOIN turns t ON t.seq = d.turn \
               WHERE t.id = ?1 AND d.receipt IS NOT NULL ORDER BY d.seq";
    let all = tx.all(sql, [turn.to_string()], |row| {
        Ok(Draft {
            id: rows::parsed(row, 0)?,
            role: role(row, 1)?,
            place: row.get(2)?,
            receipt: Receipt(row.get(3)?),
        })
    })?;
    let newest = all
        .into_iter()
        .map(|draft| ((draft.role, draft.place), draft));
    Ok(BTreeMap::from_iter(newest).into_values().collect())
}

fn stale(row: &Row<'_>) -> Result<Stale, Fault> {
    let is_reply = row.get(8)?;
    Ok(Stale {
        id: rows::parsed(row, 0)?,
        receipt: Receipt(row.get(1)?),
        address: rows::address(row, 2)?,
        fate: match role(row, 7)? {
            Role::Lines => Fate::Stays,
            Role::Reply if is_reply => Fate::Stays,
            Role::Reply | Role::PassingLines => Fate::Goes,
            Role::Sign => Fate::Signed(sign_after(row.get_ref(9)?.as_str()?)),
        },
    })
}

/// The sign that stays on a message whose turn ended like this: none if somebody ended it.
fn sign_after(state: &str) -> Option<Sign> {
    match state {
        "completed" => Some(Sign::Done),
        "interrupted" => None,
        _ => Some(Sign::Failed),
    }
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Reply => "reply",
        Role::Lines => "lines",
        Role::PassingLines => "passing",
        Role::Sign => "sign",
    }
}

fn role(row: &Row<'_>, column: usize) -> Result<Role, Fault> {
    match row.get_ref(column)?.as_str()? {
        "reply" => Ok(Role::Reply),
        "lines" => Ok(Role::Lines),
        "passing" => Ok(Role::PassingLines),
        "sign" => Ok(Role::Sign),
        other => Err(rows::undecodable(format!("a draft has the role {other}"))),
    }
}
