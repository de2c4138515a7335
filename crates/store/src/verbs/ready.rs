//! Which message is claimed next: the ready mark.
//!
//! A message that comes to a conversation that rests is its `next`; one that comes while another is
//! `next` or is being answered is `waiting`. The lowest `next` of all is the next claim, found in an
//! index, so a claim costs the same with any backlog. Four moments change the mark: a message comes
//! to a conversation that rests (`intake`), a turn is opened, a turn is closed, and messages move to
//! another conversation with their place. The index allows one
//! `next` for each conversation. While the command that led a place to a conversation is not answered,
//! that conversation's `next` is passed over.

use super::media;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;

/// The state of a message that comes to a conversation that rests.
pub(super) const NEXT: &str = "next";

/// The state of a message that comes behind others.
pub(super) const WAITING: &str = "waiting";

/// A turn was opened over the message `next`: the conversation is active with these as its last words.
/// That is noted now, and not when the message came: the door is where every write counts.
pub(super) fn opened(tx: &Tx<'_>, session: i64, preview: &str) -> Result<(), Fault> {
    tx.also(
        "UPDATE sessions SET active_at = max(active_at, ?2), listed_at = ?2, \
         preview = coalesce(nullif(?3, ''), preview) WHERE seq = ?1",
        params![session, tx.now().ms(), preview],
    )?;
    Ok(())
}

/// The open turn was closed: the oldest message that waits is the next, if any does.
pub(super) fn closed(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let oldest =
        "SELECT seq FROM inbox WHERE session = ?1 AND state = 'waiting' ORDER BY seq LIMIT 1";
    let oldest: Option<i64> = tx.one(oldest, [session], |row| row.get(0))?;
    if let Some(oldest) = oldest {
        tx.also("UPDATE inbox SET state = 'next' WHERE seq = ?1", [oldest])?;
    }
    Ok(())
}

/// A place went from one conversation to another. If nobody speaks in the first any more, what waits
/// there was written for where the place is now, and is answered there.
pub(super) fn go_along(tx: &Tx<'_>, from: i64, to: i64) -> Result<(), Fault> {
    let spoken_in = "SELECT EXISTS (SELECT 1 FROM routes WHERE session = ?1)";
    if from == to || tx.number(spoken_in, [from])? == 1 {
        return Ok(());
    }
    // One statement for each state: each has an index of its own.
    let next =
        "UPDATE inbox SET session = ?2, state = 'waiting' WHERE session = ?1 AND state = 'next'";
    let waiting = "UPDATE inbox SET session = ?2 WHERE session = ?1 AND state = 'waiting'";
    if tx.run(next, [from, to])? + tx.run(waiting, [from, to])? > 0 {
        media::go_along(tx, from, to)?;
        again(tx, to)?;
    }
    Ok(())
}

/// A place was led from one conversation to another. If a command led it there, its own turn is still open
/// and not answered: what comes in the second is not claimed before it is, or people would read the
/// answer to what they wrote later first.
pub(super) fn follow(tx: &Tx<'_>, from: i64, to: i64) -> Result<(), Fault> {
    tx.also(
        "UPDATE sessions SET after_turn = coalesce( \
         (SELECT t.id FROM turns t JOIN steps p ON p.turn = t.seq WHERE t.session = ?1 \
          AND t.state = 'open' AND json_extract(p.body, '$.body.kind') = 'command' LIMIT 1), \
         (SELECT s.after_turn FROM sessions s WHERE s.seq = ?1), after_turn) WHERE seq = ?2",
        [from, to],
    )?;
    Ok(())
}

/// Messages came or went out of turn: the oldest that waits is the next, unless a turn is open.
pub(super) fn again(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let no_longer = "UPDATE inbox SET state = 'waiting' WHERE session = ?1 AND state = 'next'";
    tx.also(no_longer, [session])?;
    let open = "SELECT EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state = 'open')";
    if tx.number(open, [session])? == 0 {
        closed(tx, session)?;
    }
    Ok(())
}

/// How many messages wait in the session.
pub(super) fn waiting(tx: &Tx<'_>, session: i64) -> Result<usize, Fault> {
    let sql = "SELECT (SELECT count(*) FROM inbox WHERE session = ?1 AND state = 'waiting') \
               + (SELECT count(*) FROM inbox WHERE session = ?1 AND state = 'next')";
    Ok(usize::try_from(tx.number(sql, [session])?).unwrap_or(0))
}
