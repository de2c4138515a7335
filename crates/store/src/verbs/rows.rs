//! Between rows and values: the one place that knows how things are written down.
//!
//! Bodies are JSON with a version, so that a later release can read an earlier one's, and an earlier one
//! says that it cannot read a later one's. Any other row that cannot be read back is damage, never a default.

use std::cmp::Ordering;
use std::fmt::Display;
use std::str::FromStr;

use angelia_core::address::{AccountId, Address, Chat};
use angelia_core::approval::buttons::Asks;
use angelia_core::id::InboxId;
use angelia_core::inbound::{Inbound, Role};
use angelia_core::outbound::{Delivery, DeliveryKind, DeliveryState, Reach, Receipt, Wedge};
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::Step;
use serde::{Deserialize, Serialize};

use crate::database::fault::Fault;
use crate::database::row::Row;

/// The version of the stored bodies.
const BODY_VERSION: u32 = 1;

/// A JSON body with its version.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    v: u32,
    body: T,
}

/// A message of this length and below is kept in its own row of the inbox: half a page.
pub(super) const SHORT_BODY_BYTES: usize = 2048;

/// The body of the message in a row of the inbox, by the name that the row has in a query.
macro_rules! message_sql {
    ($inbox:literal) => {
        concat!(
            "coalesce(",
            $inbox,
            ".body, (SELECT l.body FROM long_bodies l WHERE l.inbox = ",
            $inbox,
            ".seq))"
        )
    };
}
pub(super) use message_sql;

/// The stored form of a message.
pub(super) fn inbound_body(inbound: &Inbound) -> Result<String, Fault> {
    versioned(inbound)
}

/// The stored form of a step.
pub(super) fn step_body(step: &Step) -> Result<String, Fault> {
    versioned(step)
}

/// The stored form of a body.
pub(super) fn versioned(body: &impl Serialize) -> Result<String, Fault> {
    json(&Versioned {
        v: BODY_VERSION,
        body,
    })
}

/// The stored form of a turn's batch.
pub(super) fn batch_body(batch: &[InboxId]) -> Result<String, Fault> {
    json(&batch)
}

/// The stored form of anything that has no version of its own.
pub(super) fn json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(undecodable)
}

/// A fault about what a row holds.
pub(super) fn undecodable(what: impl Display) -> Fault {
    Fault::Undecodable(what.to_string())
}

/// A message or step from its stored form.
pub(super) fn body<T: for<'de> Deserialize<'de>>(row: &Row<'_>, column: usize) -> Result<T, Fault> {
    let text = row.get_ref(column)?.as_str()?;
    let stored: Versioned<T> = serde_json::from_str(text).map_err(undecodable)?;
    match stored.v.cmp(&BODY_VERSION) {
        Ordering::Equal => Ok(stored.body),
        Ordering::Greater => Err(Fault::Newer(stored.v, BODY_VERSION)),
        Ordering::Less => Err(undecodable(format!(
            "a body has version {}, not {BODY_VERSION}",
            stored.v
        ))),
    }
}

/// A turn's batch from its stored form.
pub(super) fn batch(row: &Row<'_>, column: usize) -> Result<Vec<InboxId>, Fault> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(undecodable)
}

/// What may be stored as JSON, as it was written.
pub(super) fn json_maybe<T: for<'de> Deserialize<'de>>(
    row: &Row<'_>,
    column: usize,
) -> Result<Option<T>, Fault> {
    let text = row.get_ref(column)?.as_str_or_null()?;
    text.map(|text| serde_json::from_str(text).map_err(undecodable))
        .transpose()
}

/// An id or name that may be missing.
pub(super) fn parsed_maybe<T>(row: &Row<'_>, column: usize) -> Result<Option<T>, Fault>
where
    T: FromStr<Err: Display>,
{
    let text = row.get_ref(column)?.as_str_or_null()?;
    text.map(|text| text.parse().map_err(undecodable))
        .transpose()
}

/// An id or name from its text.
pub(super) fn parsed<T>(row: &Row<'_>, column: usize) -> Result<T, Fault>
where
    T: FromStr<Err: Display>,
{
    row.get_ref(column)?.as_str()?.parse().map_err(undecodable)
}

/// A moment.
pub(super) fn time(row: &Row<'_>, column: usize) -> Result<Timestamp, Fault> {
    Ok(Timestamp::from_ms(row.get(column)?))
}

/// A moment that may not have come.
pub(super) fn time_maybe(row: &Row<'_>, column: usize) -> Result<Option<Timestamp>, Fault> {
    Ok(row.get::<Option<i64>>(column)?.map(Timestamp::from_ms))
}

/// An address from five columns: platform, account, chat, chat kind, thread.
pub(super) fn address(row: &Row<'_>, first: usize) -> Result<Address, Fault> {
    Ok(Address {
        platform: parsed(row, first)?,
        account: AccountId(row.get(first + 1)?),
        chat: Chat {
            id: row.get(first + 2)?,
            kind: parsed(row, first + 3)?,
        },
        thread: row.get(first + 4)?,
    })
}

/// Who spoke. Whoever is nobody of these was noted down by the house.
pub(super) fn role(row: &Row<'_>, column: usize) -> Result<Role, Fault> {
    Ok(match row.get_ref(column)?.as_str()? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        "tool" => Role::Tool,
        _ => Role::Notice,
    })
}

/// Selects deliveries as [`delivery`] reads them; the argument says which. One whose conversation was deleted is
/// only a number in its lane, and is not found.
macro_rules! delivery_sql {
    ($which:literal) => {
        concat!(
            "SELECT o.id, t.id, s.id, t.batch, o.platform, o.account, o.chat, o.chat_kind, \
             o.thread, o.part, o.parts, o.text, o.state, o.receipt, o.reach, o.why, o.attempts, \
             o.doubts, o.due_at, o.planned_at, o.sent_at, o.seq, o.sent_order, o.notice, o.told, \
             (SELECT a.id FROM approvals a WHERE a.seq = o.question AND a.decision IS NULL), \
             o.files, o.quotes, (SELECT a.choices FROM approvals a WHERE a.seq = o.question) FROM outbox o LEFT JOIN turns t ON t.seq = o.turn \
             LEFT JOIN sessions s ON s.seq = o.session \
             WHERE (t.seq IS NOT NULL OR o.told IS NOT NULL) AND ",
            $which
        )
    };
}
pub(super) use delivery_sql;

/// Where `delivery_sql!` has the row's `seq`.
pub(super) const DELIVERY_SEQ: usize = 21;

/// Where `delivery_sql!` has the row's `sent_order`.
pub(super) const DELIVERY_SENT_ORDER: usize = 22;

/// A delivery from a row of `delivery_sql!`.
pub(super) fn delivery(row: &Row<'_>) -> Result<Delivery, Fault> {
    Ok(Delivery {
        id: parsed(row, 0)?,
        turn: parsed_maybe(row, 1)?,
        session: parsed_maybe(row, 2)?,
        inbox_ids: json_maybe(row, 3)?.unwrap_or_default(),
        address: address(row, 4)?,
        kind: delivery_kind(row)?,
        part: row.get(9)?,
        parts: row.get(10)?,
        text: row.get(11)?,
        files: json_maybe(row, 26)?.unwrap_or_default(),
        quotes: row.get(27)?,
        asks: asks(row)?,
        state: delivery_state(row)?,
        attempts: row.get(16)?,
        doubts: row.get(17)?,
        trouble: trouble(row)?,
        due_at: time(row, 18)?,
        planned_at: time(row, 19)?,
        sent_at: time_maybe(row, 20)?,
    })
}

fn asks(row: &Row<'_>) -> Result<Option<Asks>, Fault> {
    let Some(question) = parsed_maybe(row, 25)? else {
        return Ok(None);
    };
    let choices = json_maybe(row, 28)?;
    Ok(Some(Asks { question, choices }))
}

fn delivery_kind(row: &Row<'_>) -> Result<DeliveryKind, Fault> {
    match row.get_ref(24)?.as_str_or_null()? {
        Some("code") => Ok(DeliveryKind::Code),
        Some(_) => Ok(DeliveryKind::Notice),
        None => Ok(match row.get(23)? {
            0 => DeliveryKind::Reply,
            _ => DeliveryKind::Notice,
        }),
    }
}

fn delivery_state(row: &Row<'_>) -> Result<DeliveryState, Fault> {
    match row.get_ref(12)?.as_str()? {
        "due" => Ok(DeliveryState::Due),
        "sending" => Ok(DeliveryState::Sending),
        "sent" => Ok(DeliveryState::Sent(Receipt(row.get(13)?))),
        "wedged" => Ok(DeliveryState::Wedged(Wedge {
            reach: reach(row, 14)?,
            why: row.get(15)?,
        })),
        "dropped" => Ok(DeliveryState::Dropped),
        other => Err(undecodable(format!("a delivery is `{other}`"))),
    }
}

/// Of one that is over, why it was tried again does not matter any more.
fn trouble(row: &Row<'_>) -> Result<Option<String>, Fault> {
    match row.get_ref(12)?.as_str()? {
        "due" | "sending" => row.get(15),
        _ => Ok(None),
    }
}

fn reach(row: &Row<'_>, column: usize) -> Result<Reach, Fault> {
    match row.get_ref(column)?.as_str()? {
        "message" => Ok(Reach::Message),
        "chat" => Ok(Reach::Chat),
        "account" => Ok(Reach::Account),
        other => Err(undecodable(format!("a refusal reaches `{other}`"))),
    }
}

/// The stored name of a reach.
pub(super) const fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::Message => "message",
        Reach::Chat => "chat",
        Reach::Account => "account",
    }
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
