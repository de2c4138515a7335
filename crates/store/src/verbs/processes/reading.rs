//! Ends that a turn has read.
//!
//! Which turn did stands in `read_by`. While that turn is open, the end is held back; once it is completed,
//! the end is known and never told; if it came to any other end, nobody knows what was read, and the end is
//! told as if it had not been.
//!
//! A message about the end may be in the inbox already. As long as nobody took it, it is taken back: when
//! the turn reads the end, when somebody notes that it was told, and when the turn is completed, since
//! whoever told it meanwhile may have died before noting so. One that comes to the door after that is not
//! taken: whoever sends it may have looked before the turn did.

use angelia_core::id::ProcessId;
use angelia_core::inbound::EventKey;

use super::{Moved, moved};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::verbs::turns::Open;
use crate::verbs::{hold, ready, rows};

/// The open turn has read the end of a process.
pub(super) fn consume(tx: &Tx<'_>, open: &Open, id: ProcessId) -> Result<Moved, Fault> {
    hold(tx, id)?;
    take_back(tx, id)?;
    let sql = "UPDATE processes SET read_by = ?2 WHERE id = ?1 AND ended_at IS NOT NULL \
               AND noticed_at IS NULL AND read_by IS DISTINCT FROM ?2 AND NOT EXISTS \
               (SELECT 1 FROM turns r WHERE r.seq = read_by AND r.state = 'completed')";
    moved(tx, id, sql, params![id.to_string(), open.seq])
}

/// The end of a process was told, unless a turn read it meanwhile: then the message is taken back.
pub(super) fn noticed(tx: &Tx<'_>, id: ProcessId) -> Result<Moved, Fault> {
    hold(tx, id)?;
    let read = "SELECT EXISTS (SELECT 1 FROM processes p JOIN turns r ON r.seq = p.read_by \
                   WHERE p.id = ?1 AND (r.state = 'open' OR r.state = 'completed'))";
    let is_read = tx.number(read, [id.to_string()])? == 1;
    if is_read {
        take_back(tx, id)?;
    }
    let sql = "UPDATE processes SET noticed_at = ?2 WHERE id = ?1 \
               AND ended_at IS NOT NULL AND noticed_at IS NULL AND NOT ?3";
    moved(tx, id, sql, params![id.to_string(), tx.now().ms(), is_read])
}

/// The turn is completed: what it has read is not told.
pub(in crate::verbs) fn completed(tx: &Tx<'_>, turn: i64) -> Result<(), Fault> {
    let sql = "SELECT id FROM processes WHERE read_by = ?1";
    for id in tx.all(sql, [turn], |row| rows::parsed(row, 0))? {
        hold(tx, id)?;
        take_back(tx, id)?;
    }
    Ok(())
}

/// Whether the message tells the end of a process that a completed turn has read.
pub(in crate::verbs) fn tells_what_is_read(tx: &Tx<'_>, key: &EventKey) -> Result<bool, Fault> {
    let Some(id) = key.told_process() else {
        return Ok(false);
    };
    hold::process(tx, id)?;
    let sql = "SELECT EXISTS (SELECT 1 FROM processes p JOIN turns r ON r.seq = p.read_by \
               WHERE p.id = ?1 AND r.state = 'completed')";
    Ok(*key == EventKey::end_of(id) && tx.number(sql, [id.to_string()])? == 1)
}

/// Holds the conversation in which the end of a process is about to be told, and the process.
fn hold(tx: &Tx<'_>, id: ProcessId) -> Result<(), Fault> {
    let told = "SELECT seq FROM sessions WHERE seq = (SELECT i.session FROM inbox i JOIN processes p \
                ON p.account = i.account WHERE p.id = ?1 AND i.event_key = ?2) /* hold */";
    tx.hold(told, params![id.to_string(), EventKey::end_of(id).as_str()])?;
    hold::process(tx, id)
}

/// Takes the message about an end out of the inbox, if nobody took it yet.
fn take_back(tx: &Tx<'_>, id: ProcessId) -> Result<(), Fault> {
    let key = EventKey::end_of(id);
    let waiting = "SELECT i.seq, i.session FROM inbox i JOIN processes p ON p.account = i.account \
                   WHERE p.id = ?1 AND i.event_key = ?2 \
                   AND (i.state = 'waiting' OR i.state = 'next') /* hold i */";
    let waiting: Option<(i64, i64)> =
        tx.one(waiting, params![id.to_string(), key.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let Some((message, session)) = waiting else {
        return Ok(());
    };
    tx.also("DELETE FROM inbox WHERE seq = ?1", [message])?;
    let untold = "UPDATE processes SET noticed_at = NULL WHERE id = ?1";
    tx.also(untold, [id.to_string()])?;
    ready::again(tx, session)
}

/// A turn is forgotten. What it started and read stays as it is without it.
pub(in crate::verbs) fn forget_turn(tx: &Tx<'_>, turn: i64) -> Result<(), Fault> {
    let started = "UPDATE processes SET turn = NULL WHERE turn = ?1";
    tx.also(started, [turn])?;
    let read = "UPDATE processes SET read_by = NULL, noticed_at = CASE WHEN EXISTS \
                (SELECT 1 FROM turns r WHERE r.seq = ?1 AND r.state = 'completed') \
                THEN coalesce(noticed_at, ?2) ELSE noticed_at END WHERE read_by = ?1";
    tx.also(read, params![turn, tx.now().ms()])
}
