//! Who is to be told what becomes of a message that waits.

use angelia_core::id::{DeliveryId, InboxId, TurnId};
use angelia_core::time::Timestamp;
use angelia_core::turn::ack::{self, Newcomer};

use super::words_behind;
use crate::busy::Untold;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::verbs::commands::Slashed;
use crate::verbs::turns::Open;
use crate::verbs::{outbox, rows};

/// A running turn, and whom of those behind it somebody spoke to.
struct Running {
    session: i64,
    claimed_at: Timestamp,
    told_at: Option<Timestamp>,
    told: i64,
}

/// The newest words behind the turn, if it is time.
pub(super) fn find(tx: &Tx<'_>, turn: TurnId) -> Result<Option<Untold>, Fault> {
    let running = tx.one(
        "SELECT t.session, t.claimed_at, s.told, s.told_at FROM turns t \
         JOIN sessions s ON s.seq = t.session WHERE t.id = ?1 AND t.state = 'open'",
        [turn.to_string()],
        |row| {
            let told_at: Option<i64> = row.get(3)?;
            Ok(Running {
                session: row.get(0)?,
                claimed_at: rows::time(row, 1)?,
                told: row.get(2)?,
                told_at: told_at.map(Timestamp::from_ms),
            })
        },
    )?;
    let Some(running) = running.filter(|running| ack::is_due(running.told_at, tx.now())) else {
        return Ok(None);
    };
    let mut words = words_behind(tx, running.session)?;
    let newest = words.pop().filter(|one| is_untold(one, &running));
    Ok(newest.map(|newest| Untold {
        newcomer: Newcomer {
            mode: newest.waiting.inbound.about.busy.unwrap_or_default(),
            before: words.len(),
            working: tx.now().since(running.claimed_at),
        },
        waiting: newest.waiting,
    }))
}

fn is_untold(one: &Slashed, running: &Running) -> bool {
    one.seq > running.told && !ack::is_afterthought(running.claimed_at, one.waiting.received_at)
}

/// Tells it, unless it is not the one to be told any more.
pub(super) fn tell(
    tx: &Tx<'_>,
    open: &Open,
    (turn, inbox): (TurnId, InboxId),
    (notice, text): &(DeliveryId, String),
) -> Result<(), Fault> {
    let Some(untold) = find(tx, turn)?.filter(|untold| untold.waiting.inbox == inbox) else {
        return Ok(());
    };
    let told = "UPDATE sessions SET told_at = ?2, told = (SELECT seq FROM inbox WHERE id = ?3) WHERE seq = ?1";
    tx.also(
        told,
        params![open.session, tx.now().ms(), inbox.to_string()],
    )?;
    outbox::say(tx, open, &untold.waiting.inbound.address, (*notice, text))
}
