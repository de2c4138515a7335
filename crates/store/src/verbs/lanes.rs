//! The order of sending within one chat of one account.
//!
//! A row *holds* its lane while it is due, being sent, or wedged with more than itself. Only the
//! first such row can go, and only while nothing of the lane is under way. `outbox.head_at` marks
//! that row with its time, so the courier's next work is found in an index, whatever the backlog.
//!
//! This is the only place that sets the column. Whoever changes a row's state clears it on that row
//! and then calls `refresh`.

use angelia_core::time::Timestamp;

use super::rows;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;

/// A row that holds its lane.
struct Holding {
    seq: i64,
    state: String,
    reach: Option<String>,
    due_at: Timestamp,
}

/// Marks the head of the lane, if it can be sent.
pub(super) fn refresh(tx: &Tx<'_>, account: &str, chat: &str) -> Result<(), Fault> {
    let held = first_two(tx, account, chat)?;
    mark_head(tx, (account, chat), &held)
}

/// The same when somebody there was answered: a chat that rests is tried once more, since whoever speaks may have
/// let us in again. If not, the refusal comes once more, and the chat rests as before.
pub(super) fn refresh_answered(tx: &Tx<'_>, account: &str, chat: &str) -> Result<(), Fault> {
    let mut held = first_two(tx, account, chat)?;
    let rests = |row: &&mut Holding| row.state == "wedged" && row.reach.as_deref() == Some("chat");
    if let Some(row) = held.first_mut().filter(rests) {
        try_again(tx, row.seq)?;
        (row.state, row.due_at) = ("due".to_owned(), tx.now());
    }
    mark_head(tx, (account, chat), &held)
}

/// Makes a delivery due now, with its attempts counted anew.
pub(super) fn try_again(tx: &Tx<'_>, seq: i64) -> Result<(), Fault> {
    tx.run(
        "UPDATE outbox SET state = 'due', attempts = 0, due_at = ?2, head_at = NULL, \
         reach = NULL, why = NULL WHERE seq = ?1",
        [seq, tx.now().ms()],
    )?;
    Ok(())
}

fn mark_head(tx: &Tx<'_>, (account, chat): (&str, &str), held: &[Holding]) -> Result<(), Fault> {
    let under_way = "SELECT EXISTS (SELECT 1 FROM outbox \
                     WHERE account = ?1 AND chat = ?2 AND state = 'sending')";
    let busy = tx.number(under_way, [account, chat])? != 0;
    for (place, row) in held.iter().enumerate() {
        let is_head = place == 0 && row.state == "due" && !busy;
        mark(tx, row.seq, is_head.then_some(row.due_at))?;
    }
    Ok(())
}

/// The first row is the head; the second may have been it until an older one came back.
fn first_two(tx: &Tx<'_>, account: &str, chat: &str) -> Result<Vec<Holding>, Fault> {
    tx.all(
        "SELECT seq, state, due_at, reach FROM outbox WHERE account = ?1 AND chat = ?2 \
         AND (state = 'due' OR state = 'sending' OR (state = 'wedged' AND reach <> 'message')) \
         ORDER BY seq LIMIT 2",
        [account, chat],
        |row| {
            Ok(Holding {
                seq: row.get(0)?,
                state: row.get(1)?,
                due_at: rows::time(row, 2)?,
                reach: row.get(3)?,
            })
        },
    )
}

/// Whether something of the lane is to be sent before anything new.
pub(super) fn is_held(tx: &Tx<'_>, account: &str, chat: &str) -> Result<bool, Fault> {
    Ok(!first_two(tx, account, chat)?.is_empty())
}

fn mark(tx: &Tx<'_>, seq: i64, head_at: Option<Timestamp>) -> Result<(), Fault> {
    tx.also(
        "UPDATE outbox SET head_at = ?2 WHERE seq = ?1 AND head_at IS DISTINCT FROM ?2",
        params![seq, head_at.map(Timestamp::ms)],
    )?;
    Ok(())
}

/// Whether the whole account rests because of a refusal.
pub(super) fn account_rests(tx: &Tx<'_>, account: &str) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM outbox \
               WHERE account = ?1 AND state = 'wedged' AND reach = 'account')";
    Ok(tx.number(sql, [account])? != 0)
}
