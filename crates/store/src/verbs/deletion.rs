//! Forgetting conversations.
//!
//! No index leads from a conversation to its turns: one would cost every message. So the turns are looked
//! for first, by readers, who hold nobody back; the transaction that deletes then only looks at turns that
//! were opened since. From its turns everything else of a conversation is found by an index: messages by
//! the batch, steps and deliveries by the turn.
//!
//! Two rows outlive their conversation, both without a word of it: a message, so that it is recognised when
//! it comes again, and the delivery that a lane sent last, so that the order of sending never goes back.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::id::{InboxId, SessionId};
use angelia_core::time::{Span, Timestamp};
use async_trait::async_trait;

use super::{approvals, costs, hold, lanes, long, media, processes, replace, rows, turns};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::{Nothing, params};
use crate::deletion::{Deletion, Emptied};
use crate::{Change, StoreError};

#[async_trait]
impl Deletion for Database {
    async fn delete(&self, sessions: Vec<SessionId>) -> Result<Change<Vec<SessionId>>, StoreError> {
        let asked = sessions.clone();
        let traces = self
            .read(move |tx| traces(tx, &with_delegates(tx, &asked)?))
            .await?;
        self.write(move |tx| delete(tx, &sessions, &traces)).await
    }

    async fn delete_if_empty(&self, session: SessionId) -> Result<Change<Emptied>, StoreError> {
        let traces = self
            .read(move |tx| traces(tx, &with_delegates(tx, &[session])?))
            .await?;
        self.write(move |tx| delete_if_empty(tx, session, &traces))
            .await
    }

    async fn forget_ended(&self, kept: Span, limit: usize) -> Result<Vec<SessionId>, StoreError> {
        let traces = self
            .read(move |tx| traces(tx, &ended_before(tx, tx.now() - kept, limit)?))
            .await?;
        self.write(move |tx| forget(tx, tx.now() - kept, &traces))
            .await
    }
}

/// Conversations by their rows.
type Sessions = BTreeMap<i64, SessionId>;

/// The turns of conversations, as far as a reader saw them.
struct Traces {
    turns: BTreeMap<i64, Vec<i64>>,
    /// The newest turn of all at that time.
    up_to: i64,
}

fn traces(tx: &Tx<'_>, sessions: &Sessions) -> Result<Traces, Fault> {
    let mut traces = Traces {
        turns: sessions
            .keys()
            .map(|session| (*session, Vec::new()))
            .collect(),
        up_to: tx.number("SELECT coalesce(max(seq), 0) FROM turns", Nothing)?,
    };
    if sessions.is_empty() {
        return Ok(traces);
    }
    let every = "SELECT session, seq FROM turns";
    for (session, turn) in tx.all(every, Nothing, |row| Ok((row.get(0)?, row.get(1)?)))? {
        traces
            .turns
            .entry(session)
            .and_modify(|of: &mut Vec<i64>| of.push(turn));
    }
    Ok(traces)
}

/// The conversations that exist, and the runs on behalf of them.
fn with_delegates(tx: &Tx<'_>, sessions: &[SessionId]) -> Result<Sessions, Fault> {
    let mut all = Sessions::new();
    let mut next: Vec<(i64, SessionId)> = Vec::new();
    for session in sessions {
        next.extend(turns::session_seq(tx, *session)?.map(|seq| (seq, *session)));
    }
    while let Some((seq, session)) = next.pop() {
        if all.insert(seq, session).is_none() {
            next.extend(tx.all(
                "SELECT seq, id FROM sessions WHERE parent = ?1 AND link = 'delegate'",
                [seq],
                |row| Ok((row.get(0)?, rows::parsed(row, 1)?)),
            )?);
        }
    }
    Ok(all)
}

fn delete(
    tx: &Tx<'_>,
    sessions: &[SessionId],
    traces: &Traces,
) -> Result<Change<Vec<SessionId>>, Fault> {
    let all = with_delegates(tx, sessions)?;
    if all.is_empty() {
        return Ok(Change::Unknown);
    }
    for session in all.keys() {
        hold::session(tx, *session)?;
        if is_busy(tx, *session, &turns_of(tx, *session, traces)?)? {
            return Ok(Change::Busy);
        }
    }
    for session in all.keys() {
        erase(tx, *session, traces)?;
    }
    Ok(Change::Done(all.into_values().collect()))
}

fn delete_if_empty(
    tx: &Tx<'_>,
    session: SessionId,
    traces: &Traces,
) -> Result<Change<Emptied>, Fault> {
    let Some(seq) = turns::session_seq(tx, session)? else {
        return Ok(Change::Unknown);
    };
    let anything = "SELECT EXISTS (SELECT 1 FROM transcript WHERE session = ?1) \
                    OR EXISTS (SELECT 1 FROM sessions WHERE parent = ?1) \
                    OR EXISTS (SELECT 1 FROM sessions WHERE seq = ?1 AND title IS NOT NULL)";
    if tx.number(anything, [seq])? != 0 {
        return Ok(Change::Done(Emptied::Kept));
    }
    if is_busy(tx, seq, &turns_of(tx, seq, traces)?)? {
        return Ok(Change::Busy);
    }
    erase(tx, seq, traces)?;
    Ok(Change::Done(Emptied::Deleted))
}

/// What may be forgotten; the transaction that does looks again.
fn ended_before(tx: &Tx<'_>, moment: Timestamp, limit: usize) -> Result<Sessions, Fault> {
    let found = tx.all(
        "SELECT seq, id FROM sessions s WHERE ended_at IS NOT NULL AND ended_at < ?1 \
         AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.session = s.seq AND t.state = 'open') \
         AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.session = s.seq AND i.state = 'next') \
         ORDER BY ended_at LIMIT ?2",
        params![moment.ms(), i64::try_from(limit).unwrap_or(i64::MAX)],
        |row| Ok((row.get(0)?, rows::parsed(row, 1)?)),
    )?;
    Ok(found.into_iter().collect())
}

fn forget(tx: &Tx<'_>, moment: Timestamp, traces: &Traces) -> Result<Vec<SessionId>, Fault> {
    let mut forgotten = Vec::new();
    for session in traces.turns.keys() {
        hold::session(tx, *session)?;
        let still =
            "SELECT id FROM sessions WHERE seq = ?1 AND ended_at IS NOT NULL AND ended_at < ?2";
        let still = tx.one(still, [*session, moment.ms()], |row| rows::parsed(row, 0))?;
        if let Some(id) = still
            && !is_busy(tx, *session, &turns_of(tx, *session, traces)?)?
            && !is_owed(tx, &turns_of(tx, *session, traces)?)?
        {
            erase(tx, *session, traces)?;
            forgotten.push(id);
        }
    }
    Ok(forgotten)
}

/// All turns of a conversation: those that a reader saw, and those opened since.
fn turns_of(tx: &Tx<'_>, session: i64, traces: &Traces) -> Result<Vec<i64>, Fault> {
    let mut all = traces.turns.get(&session).cloned().unwrap_or_default();
    let since = "SELECT seq FROM turns WHERE seq > ?2 AND session = ?1";
    all.extend(tx.all(since, [session, traces.up_to], |row| row.get::<i64>(0))?);
    Ok(all)
}

fn is_busy(tx: &Tx<'_>, session: i64, turns: &[i64]) -> Result<bool, Fault> {
    let work = "SELECT EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state = 'open') \
                OR EXISTS (SELECT 1 FROM inbox WHERE session = ?1 AND state = 'next') \
                OR EXISTS (SELECT 1 FROM inbox WHERE session = ?1 AND state = 'waiting')";
    if tx.number(work, [session])? != 0 || processes::is_at_work(tx, session)? {
        return Ok(true);
    }
    let sending = "SELECT EXISTS (SELECT 1 FROM outbox WHERE turn = ?1 AND state = 'sending')";
    for turn in turns {
        if tx.number(sending, [turn])? != 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an answer is still to be sent. Somebody who deletes a conversation means its answers too; time
/// alone takes none away.
fn is_owed(tx: &Tx<'_>, turns: &[i64]) -> Result<bool, Fault> {
    let owed = "SELECT EXISTS (SELECT 1 FROM outbox WHERE turn = ?1 \
                AND (state = 'due' OR (state = 'wedged' AND reach <> 'message')))";
    for turn in turns {
        if tx.number(owed, [turn])? != 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Deletes one conversation with everything that is only about it.
fn erase(tx: &Tx<'_>, session: i64, traces: &Traces) -> Result<(), Fault> {
    let turns = turns_of(tx, session, traces)?;
    processes::empty(tx, session)?;
    approvals::erase(tx, session)?;
    media::erase(tx, session)?;
    let mut chats = BTreeSet::new();
    for turn in &turns {
        erase_turn(tx, *turn, &mut chats)?;
    }
    for (account, chat) in &chats {
        hold::lane(tx, account, chat)?;
        lanes::refresh(tx, account, chat)?;
    }
    replace::delete(tx, session)?;
    costs::forget_session(tx, session)?;
    for sql in [
        "DELETE FROM agent_links WHERE session = ?1",
        "DELETE FROM usage WHERE session = ?1",
        "DELETE FROM usage_lines WHERE session = ?1",
        "DELETE FROM routes WHERE session = ?1",
        "DELETE FROM bindings WHERE session = ?1",
        "UPDATE sessions SET parent = NULL, link = NULL WHERE parent = ?1",
        "DELETE FROM sessions WHERE seq = ?1",
    ] {
        tx.also(sql, [session])?;
    }
    Ok(())
}

fn erase_turn(tx: &Tx<'_>, turn: i64, chats: &mut BTreeSet<(String, String)>) -> Result<(), Fault> {
    let batch = "SELECT batch FROM turns WHERE seq = ?1";
    let batch: Vec<InboxId> = tx
        .one(batch, [turn], |row| rows::batch(row, 0))?
        .unwrap_or_default();
    for inbox in batch {
        for empty in [
            "DELETE FROM long_bodies WHERE inbox = (SELECT seq FROM inbox WHERE id = ?1)",
            "UPDATE inbox SET session = NULL, turn = NULL, body = '' WHERE id = ?1",
        ] {
            tx.also(empty, [inbox.to_string()])?;
        }
        let number = "SELECT seq FROM inbox WHERE id = ?1";
        if let Some(number) = tx.one(number, [inbox.to_string()], |row| row.get(0))? {
            long::release(tx, number)?;
        }
    }
    tx.also("DELETE FROM steps WHERE turn = ?1", [turn])?;
    tx.also("DELETE FROM drafts WHERE turn = ?1", [turn])?;
    let touched = "SELECT DISTINCT account, chat FROM outbox WHERE turn = ?1";
    chats.extend(tx.all(touched, [turn], |row| Ok((row.get(0)?, row.get(1)?)))?);
    erase_deliveries(tx, turn)?;
    processes::reading::forget_turn(tx, turn)?;
    tx.also("DELETE FROM turns WHERE seq = ?1", [turn])?;
    Ok(())
}

fn erase_deliveries(tx: &Tx<'_>, turn: i64) -> Result<(), Fault> {
    let last_of_its_lane = "state = 'sent' AND sent_order = (SELECT max(l.sent_order) FROM outbox l \
                            WHERE l.account = outbox.account AND l.chat = outbox.chat \
                            AND l.state = 'sent')";
    tx.also(
        &format!(
            "UPDATE outbox SET turn = NULL, session = NULL, text = '', files = NULL, quotes = NULL, receipt = NULL \
             WHERE turn = ?1 AND {last_of_its_lane}"
        ),
        [turn],
    )?;
    tx.also("DELETE FROM outbox WHERE turn = ?1", [turn])?;
    Ok(())
}

#[cfg(test)]
#[path = "deletion_tests.rs"]
mod tests;
