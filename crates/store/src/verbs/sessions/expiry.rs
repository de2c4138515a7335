//! Conversations that end while nobody writes: by their policy, or because they are old.
//!
//! Both look at every place on a snapshot, beside the writer, and then write what they found after
//! looking again, since a message may have come meanwhile.

use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::session::lifecycle::{self, Because, Standing, Unanswered};
use angelia_core::session::reset::Reason as Due;
use angelia_core::session::reset::notice::Cause;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_core::transcript::ending::{Life, Reason};

use super::begin;
use super::standing::{STANDING_COLUMNS, standing, standing_sql};
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::{Nothing, params};
use crate::sessions::{Change, Expired, Force};
use crate::verbs::hold;
use crate::verbs::rows;

/// A conversation that some place speaks in.
struct Spoken {
    seq: i64,
    id: SessionId,
    standing: Standing,
    platform: String,
    chat_kind: String,
}

fn spoken(row: &Row<'_>) -> Result<Spoken, Fault> {
    Ok(Spoken {
        seq: row.get(0)?,
        id: rows::parsed(row, 1)?,
        standing: standing(row, 2)?,
        platform: row.get(2 + STANDING_COLUMNS)?,
        chat_kind: row.get(3 + STANDING_COLUMNS)?,
    })
}

/// Conversations that may be due, by their `seq`, at most `limit`.
pub(super) fn due(tx: &Tx<'_>, rules: &Rules, limit: usize) -> Result<Vec<i64>, Fault> {
    if !rules.resets.ever_reset() {
        return Ok(Vec::new());
    }
    let sql = concat!(
        "SELECT s.seq, s.id, ",
        standing_sql!(),
        ", s.platform, s.chat_kind FROM sessions s \
         WHERE s.seq IN (SELECT session FROM routes) AND s.expired_at IS NULL"
    );
    let all = tx.all(sql, Nothing, |row| {
        let spoken = spoken(row)?;
        Ok(reason(tx, &spoken, rules).map(|_| spoken.seq))
    })?;
    Ok(all.into_iter().flatten().take(limit).collect())
}

/// Ends those that are still due.
pub(super) fn expire(tx: &Tx<'_>, due: &[i64], rules: &Rules) -> Result<Vec<Expired>, Fault> {
    let sql = concat!(
        "SELECT s.seq, s.id, ",
        standing_sql!(),
        ", s.platform, s.chat_kind FROM sessions s WHERE s.seq = ?1 AND s.expired_at IS NULL"
    );
    let mut expired = Vec::new();
    for seq in due {
        hold::session(tx, *seq)?;
        if let Some(found) = tx.one(sql, [seq], spoken)?
            && let Some(why) = reason(tx, &found, rules)
        {
            end(tx, &found, why)?;
            let session = found.id;
            expired.push(Expired { session, why });
        }
    }
    Ok(expired)
}

/// Why its policy ends a conversation that nothing else has ended or stopped.
fn reason(tx: &Tx<'_>, spoken: &Spoken, rules: &Rules) -> Option<Due> {
    if matches!(spoken.standing.life, Life::Ended(reason) if !reason.is_accident()) {
        return None;
    }
    let policy = rules.resets.at(&spoken.platform, &spoken.chat_kind);
    match lifecycle::decide(&spoken.standing, policy, rules, tx.now()) {
        lifecycle::Next::Anew(Because::Itself(Cause::Policy(why))) => Some(why),
        lifecycle::Next::Anew(_) | lifecycle::Next::Continue | lifecycle::Next::Resume(_) => None,
    }
}

fn end(tx: &Tx<'_>, spoken: &Spoken, why: Due) -> Result<(), Fault> {
    let reason = Because::Itself(Cause::Policy(why)).reason();
    begin::end(tx, spoken.seq, reason, Force::Boundary)?;
    tx.also(
        "UPDATE sessions SET expired_at = ?2, model_override = NULL, agent = NULL WHERE seq = ?1",
        params![spoken.seq, tx.now().ms()],
    )?;
    Ok(())
}

/// Conversations that may be too old to be kept at hand.
pub(super) fn stale(tx: &Tx<'_>, age: Span) -> Result<Vec<i64>, Fault> {
    if age <= Span::ms(0) {
        return Ok(Vec::new());
    }
    tx.all(
        "SELECT seq FROM sessions WHERE seq IN (SELECT session FROM routes) AND active_at < ?1 \
         AND suspended_at IS NULL LIMIT ?2",
        params![(tx.now() - age).ms(), limits::PRUNED_AT_ONCE as i64],
        |row| row.get(0),
    )
}

/// Ends those that are still too old and takes their routes away; returns how many.
pub(super) fn prune(tx: &Tx<'_>, stale: &[i64], age: Span) -> Result<usize, Fault> {
    let sql = concat!(
        "SELECT ",
        standing_sql!(),
        " FROM sessions s WHERE s.seq = ?1"
    );
    let mut pruned = 0;
    for seq in stale {
        hold::session(tx, *seq)?;
        let found = tx.one(sql, [seq], |row| standing(row, 0))?;
        if found.is_some_and(|standing| is_prunable(tx, &standing, age)) {
            tx.also("DELETE FROM routes WHERE session = ?1", [seq])?;
            let ended = begin::end(tx, *seq, Reason::IdleTimeout, Force::Boundary)?;
            debug_assert_ne!(ended, Change::Unknown, "its row was just read");
            pruned += 1;
        }
    }
    Ok(pruned)
}

fn is_prunable(tx: &Tx<'_>, standing: &Standing, age: Span) -> bool {
    standing.suspended_at.is_none()
        && standing.work.unanswered == Unanswered::Nothing
        && standing.work.since.is_none()
        && standing.active_at < tx.now() - age
}
