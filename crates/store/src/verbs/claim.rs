//! *claim*: a new turn over the oldest message, or an open one that lost its owner.

pub(crate) mod together;

use std::sync::Arc;

use angelia_core::agent::{self, AgentName};
use angelia_core::command;
use angelia_core::id::{NodeId, SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::session::key::SessionKey;
use angelia_core::session::lifecycle::{Interrupted, Mark};
use angelia_core::session::model_override::ModelOverride;
use angelia_core::session::news::News;
use angelia_core::text;
use angelia_core::time::Timestamp;

use super::rows::message_sql;
use super::sessions::standing;
use super::{costs, gather, leases, long, ready, rows, turns};
use crate::database::fault::Fault;
use crate::database::tx::{Engine, Tx};
use crate::database::value::{Nothing, params};
use crate::postgres::fault::is_held_up;
use crate::turns::{ClaimedTurn, Resumed, Waiting};

/// A conversation that can be claimed.
struct Ready {
    session: i64,
    session_id: SessionId,
    key: SessionKey,
    message: i64,
    batch: Vec<Waiting>,
    /// The rows of the batch behind the first.
    along: Vec<i64>,
    due_at: Option<Timestamp>,
    news: Option<News>,
    mark: Option<Mark>,
    directory: Option<String>,
    prompt_tokens: u32,
    agent: AgentName,
    model: Option<ModelOverride>,
}

/// Who claims, and which turn it will be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Want {
    pub(super) node: NodeId,
    pub(super) turn: TurnId,
}

/// Opens a turn over the oldest message of a conversation that has none open.
pub(crate) fn new_turn(tx: &Tx<'_>, want: &Want) -> Result<Option<ClaimedTurn>, Fault> {
    let (node, turn) = (want.node, want.turn);
    let mut after = 0;
    while let Some(mut ready) = next(tx, after)? {
        if gathered(tx, &mut ready)? == Gathered::NotYet {
            after = ready.message;
            continue;
        }
        let lease = leases::of_session(ready.session_id);
        if let Some(fence) = leases::take(tx, &lease, &turn.to_string(), node)? {
            return open(tx, ready, turn, (lease, fence)).map(Some);
        }
        // Its last owner still lives by the lease, though no turn is open: the next one, then.
        after = ready.message;
    }
    Ok(None)
}

/// Selects the next conversation that can be claimed, and says what to do about those that somebody holds. Every row is above
/// zero; a server must be told, or it does not take the index that has them in order.
macro_rules! ready_sql {
    ($held:literal) => {
        concat!(
            "SELECT s.seq, s.id, s.key, i.seq, i.id, ",
            message_sql!("i"),
            ", s.news, s.resume_at, s.resume_reason, s.directory, s.prompt_tokens, \
             s.agent, s.model_override, i.received_at, i.due_at FROM inbox i JOIN sessions s ON s.seq = i.session \
             WHERE i.state = 'next' AND i.seq > ?1 AND i.seq > 0 \
             AND (i.due_at IS NULL OR i.due_at <= ?2 OR i.due_at > ?2 + ?3) AND (s.after_turn IS NULL OR NOT EXISTS \
             (SELECT 1 FROM turns t WHERE t.id = s.after_turn AND t.state = 'open')) \
             ORDER BY i.seq LIMIT ?4 ",
            $held
        )
    };
}
use ready_sql;

/// The next that nobody holds. If there is none, whoever holds one is waited for: they may be about to let it go
/// without anybody being told. Not for long: it may be somebody who stands still, and all others would with them.
fn next(tx: &Tx<'_>, after: i64) -> Result<Option<Ready>, Fault> {
    let free = next_ready(tx, ready_sql!("/* take i, s */"), after)?;
    if free.is_some() || tx.engine() == Engine::Sqlite {
        return Ok(free);
    }
    if next_ready(tx, ready_sql!(""), after)?.is_none() {
        return Ok(None);
    }
    tx.also("SET LOCAL lock_timeout = '500ms'", Nothing)?;
    match next_ready(tx, ready_sql!("/* hold i, s */"), after) {
        Err(fault) if is_held_up(&fault) => Ok(None),
        found => found,
    }
}

fn next_ready(tx: &Tx<'_>, sql: &str, after: i64) -> Result<Option<Ready>, Fault> {
    Ok(several(tx, sql, (after, 1))?.pop())
}

/// So many of those behind `after`.
fn several(tx: &Tx<'_>, sql: &str, (after, count): (i64, i64)) -> Result<Vec<Ready>, Fault> {
    let latest = limits::GATHER_TIME_MAX.as_ms();
    tx.all(sql, [after, tx.now().ms(), latest, count], |row| {
        let waiting = Waiting {
            inbox: rows::parsed(row, 4)?,
            inbound: Arc::new(long::inbound(tx, row, (5, 3))?),
            received_at: rows::time(row, 13)?,
        };
        let chosen = rows::parsed_maybe(row, 11)?;
        Ok(Ready {
            session: row.get(0)?,
            session_id: rows::parsed(row, 1)?,
            key: SessionKey::from_stored(row.get(2)?),
            message: row.get(3)?,
            agent: agent::of_turn(waiting.inbound.about.agent.as_ref(), chosen),
            batch: vec![waiting],
            along: Vec::new(),
            due_at: row.get::<Option<i64>>(14)?.map(Timestamp::from_ms),
            news: rows::json_maybe(row, 6)?,
            mark: standing::mark(row, 7)?,
            directory: row.get(9)?,
            prompt_tokens: row.get(10)?,
            model: rows::json_maybe(row, 12)?,
        })
    })
}

/// Whether all that is answered together may be claimed.
#[derive(PartialEq, Eq)]
enum Gathered {
    Now,
    NotYet,
}

/// Gathers what is answered together with the message. If more may come, the row says when to look again.
fn gathered(tx: &Tx<'_>, ready: &mut Ready) -> Result<Gathered, Fault> {
    if ready.due_at.is_none() {
        return Ok(Gathered::Now);
    }
    let behind = gather::behind(tx, ready.session)?;
    let first = gather::Behind {
        seq: ready.message,
        waiting: ready.batch[0].clone(),
        due_at: ready.due_at,
    };
    let waiting = 1 + behind.len();
    let group = gather::group(first, behind);
    if let Some(later) = gather::later(&group, waiting, tx.now()) {
        let again = "UPDATE inbox SET due_at = ?2 WHERE seq = ?1";
        tx.also(again, [ready.message, later.ms()])?;
        return Ok(Gathered::NotYet);
    }
    ready.along = group.iter().skip(1).map(|one| one.seq).collect();
    ready.batch = group.into_iter().map(|one| one.waiting).collect();
    Ok(Gathered::Now)
}

/// Opens the turn, and tells what it is.
fn open(
    tx: &Tx<'_>,
    mut ready: Ready,
    turn: TurnId,
    lease: (String, Fence),
) -> Result<ClaimedTurn, Fault> {
    tell_words_only(&mut ready);
    write(tx, &ready, turn, lease.1)?;
    Ok(begun(ready, turn, lease))
}

/// News are for the agent's first turn; a command is answered without it.
fn tell_words_only(ready: &mut Ready) {
    let is_words = ready.batch.first().is_some_and(is_words);
    ready.news = ready.news.take().filter(|_| is_words);
}

/// The messages of the batch, in their stored form.
fn batch_of(ready: &Ready) -> Result<String, Fault> {
    let batch: Vec<_> = ready.batch.iter().map(|one| one.inbox).collect();
    rows::batch_body(&batch)
}

/// What a list shows of the conversation from now on; nothing if that stays.
fn preview_of(ready: &Ready) -> String {
    let last = ready.batch.last().map(|one| &one.inbound);
    let words = last.filter(|inbound| command::read(inbound).is_for_the_agent());
    words.map_or_else(String::new, |inbound| {
        text::preview(&inbound.gist(), limits::PREVIEW_CHARS)
    })
}

fn write(tx: &Tx<'_>, ready: &Ready, turn: TurnId, fence: Fence) -> Result<(), Fault> {
    let (batch, asked) = (batch_of(ready)?, ready.batch.len() as i64);
    tx.also(
        "INSERT INTO turns (id, session, state, attempts, fence, claimed_at, batch, news, agent, asked) \
         VALUES (?1, ?2, 'open', 1, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            turn.to_string(),
            ready.session,
            fence.0,
            tx.now().ms(),
            batch,
            ready.news.as_ref().map(rows::json).transpose()?,
            ready.agent.as_str(),
            asked,
        ],
    )?;
    // The turn is named by its id, so that nobody waits for its number.
    let taken = "UPDATE inbox SET state = 'taken', turn = (SELECT t.seq FROM turns t WHERE t.id = ?2) \
                 WHERE seq = ?1";
    for message in [ready.message].iter().chain(&ready.along) {
        tx.also(taken, params![*message, turn.to_string()])?;
    }
    ready::opened(tx, ready.session, &preview_of(ready))?;
    if ready.news.is_some() {
        tx.also(
            "UPDATE sessions SET news = NULL WHERE seq = ?1",
            [ready.session],
        )?;
    }
    Ok(())
}

/// The turn that was just opened: it has done nothing yet.
fn begun(ready: Ready, turn: TurnId, (lease, fence): (String, Fence)) -> ClaimedTurn {
    ClaimedTurn {
        turn,
        fence,
        lease,
        session: ready.session_id,
        key: ready.key,
        asked: ready.batch.len(),
        batch: ready.batch,
        attempts: 1,
        journal: Vec::new(),
        news: ready.news,
        resumed: ready.mark.map_or(Resumed::No, Resumed::Conversation),
        directory: ready.directory,
        prompt_tokens: ready.prompt_tokens,
        agent: ready.agent,
        model: ready.model,
    }
}

/// Claims an open turn whose lease has ended: of those that were begun least often, the oldest.
pub(super) fn orphan(tx: &Tx<'_>, node: NodeId) -> Result<Option<ClaimedTurn>, Fault> {
    let found = tx.one(
        "SELECT t.seq, t.id, l.name FROM turns t JOIN sessions s ON s.seq = t.session \
         JOIN leases l ON l.name = 'session/' || s.id \
         WHERE t.state = 'open' AND l.ends_at <= ?1 ORDER BY t.attempts, t.seq LIMIT 1 \
         /* take t, s, l */",
        [tx.now().ms()],
        |row| Ok((row.get(0)?, row.get::<String>(1)?, row.get::<String>(2)?)),
    )?;
    let Some((seq, turn, lease)) = found else {
        return Ok(None);
    };
    let Some(fence) = leases::take(tx, &lease, &turn, node)? else {
        return Ok(None);
    };
    let again = "UPDATE turns SET attempts = attempts + 1, fence = ?2 WHERE seq = ?1";
    tx.also(again, [seq, fence.0])?;
    costs::cut(tx, seq)?;
    let claimed = load(tx, seq, fence)?;
    if !claimed.batch.iter().any(is_words) {
        return Ok(Some(claimed));
    }
    mark(tx, seq)?;
    load(tx, seq, fence).map(Some)
}

/// Whether it was said to the agent. A command that is cut off interrupts no conversation.
fn is_words(waiting: &Waiting) -> bool {
    command::read(&waiting.inbound).is_for_the_agent()
}

/// Marks the conversation of a turn that lost its owner as interrupted since the turn was opened. A mark
/// from before that was another interruption's; one from after it knows better.
fn mark(tx: &Tx<'_>, turn: i64) -> Result<(), Fault> {
    tx.also(
        "UPDATE sessions SET resume_at = t.claimed_at, resume_reason = ?2 FROM turns t \
         WHERE t.seq = ?1 AND sessions.seq = t.session AND sessions.suspended_at IS NULL \
         AND (sessions.resume_at IS NULL OR sessions.resume_at < t.claimed_at)",
        params![turn, Interrupted::RestartInterrupted.as_str()],
    )?;
    Ok(())
}

/// A turn that was opened before, with its messages and its journal.
fn load(tx: &Tx<'_>, seq: i64, fence: Fence) -> Result<ClaimedTurn, Fault> {
    let turn = tx.one(
        "SELECT t.id, t.attempts, t.batch, s.id, s.key, t.news, t.claimed_at, s.resume_at, \
         s.resume_reason, s.directory, s.prompt_tokens, t.agent, s.model_override, t.asked \
         FROM turns t JOIN sessions s ON s.seq = t.session WHERE t.seq = ?1",
        [seq],
        |row| {
            let batch = turns::messages(tx, &rows::batch(row, 2)?)?.into_iter();
            let session = rows::parsed(row, 3)?;
            let interrupted = standing::mark(row, 7)?;
            Ok(ClaimedTurn {
                turn: rows::parsed(row, 0)?,
                fence,
                lease: leases::of_session(session),
                session,
                key: SessionKey::from_stored(row.get(4)?),
                batch: batch.map(|message| message.waiting).collect(),
                asked: row.get::<u32>(13)? as usize,
                attempts: row.get(1)?,
                journal: turns::journal(tx, seq)?,
                news: rows::json_maybe(row, 5)?,
                resumed: resumed(tx, interrupted, rows::time(row, 6)?),
                directory: row.get(9)?,
                prompt_tokens: row.get(10)?,
                agent: rows::parsed(row, 11)?,
                model: rows::json_maybe(row, 12)?,
            })
        },
    )?;
    turn.ok_or_else(|| rows::undecodable("a claimed turn has no session"))
}

/// How a turn that was cut off goes on. A conversation that is suspended carries no mark.
fn resumed(tx: &Tx<'_>, mark: Option<Mark>, claimed_at: Timestamp) -> Resumed {
    let unmarked = Mark {
        at: claimed_at,
        reason: Interrupted::RestartInterrupted,
    };
    let mark = mark.unwrap_or(unmarked);
    Resumed::Turn {
        why: mark.reason,
        age: tx.now().since(mark.at),
    }
}

#[cfg(test)]
mod tests {
    use super::rows::message_sql;

    /// It looks as if it said nothing; without it a server reads the whole inbox for every claim.
    #[test]
    fn a_claim_says_that_it_asks_in_order() {
        assert!(ready_sql!("").contains("i.seq > ?1 AND i.seq > 0"));
        let house = include_str!("../migrations/postgres/0001_the_house.sql");
        assert!(
            house.contains("INDEX inbox_next ON inbox (seq) WHERE state = 'next' AND seq > 0;")
        );
    }
}
