//! Messages that are answered together.
//!
//! Only asked when the first of them says that it may be: what waits behind it is read, and `core` says how much
//! of it belongs together and from when on it may be claimed.

use std::sync::Arc;

use angelia_core::limits;
use angelia_core::time::Timestamp;
use angelia_core::turn::gather::{self, Item};

use super::rows::message_sql;
use super::{long, rows};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::turns::Waiting;

/// A message that waits.
pub(super) struct Behind {
    pub(super) seq: i64,
    pub(super) waiting: Waiting,
    pub(super) due_at: Option<Timestamp>,
}

impl Behind {
    fn item(&self) -> Item<'_> {
        Item {
            inbound: &self.waiting.inbound,
            received_at: self.waiting.received_at,
            due_at: self.due_at,
        }
    }
}

/// What waits behind the next message of a conversation, oldest first: as much as one turn may answer.
pub(super) fn behind(tx: &Tx<'_>, session: i64) -> Result<Vec<Behind>, Fault> {
    tx.all(
        concat!(
            "SELECT seq, id, ",
            message_sql!("inbox"),
            ", received_at, due_at FROM inbox \
             WHERE session = ?1 AND state = 'waiting' ORDER BY seq LIMIT ?2"
        ),
        params![session, limits::GATHERED_MAX as i64],
        |row| {
            Ok(Behind {
                seq: row.get(0)?,
                waiting: Waiting {
                    inbox: rows::parsed(row, 1)?,
                    inbound: Arc::new(long::inbound(tx, row, (2, 0))?),
                    received_at: rows::time(row, 3)?,
                },
                due_at: row.get::<Option<i64>>(4)?.map(Timestamp::from_ms),
            })
        },
    )
}

/// The first message, and those behind it that are answered with it.
pub(super) fn group(first: Behind, behind: Vec<Behind>) -> Vec<Behind> {
    let mut all: Vec<Behind> = [first].into_iter().chain(behind).collect();
    let items: Vec<Item<'_>> = all.iter().map(Behind::item).collect();
    let count = gather::together(&items);
    all.truncate(count);
    all
}

/// When to look again, if more may come before the messages are answered. `waiting` is how many there are in all.
pub(super) fn later(group: &[Behind], waiting: usize, now: Timestamp) -> Option<Timestamp> {
    if gather::is_closed(group.len(), waiting) {
        return None;
    }
    let came: Vec<Timestamp> = group.iter().map(|one| one.waiting.received_at).collect();
    gather::due_at(&came).filter(|due| !gather::is_due(*due, now))
}
