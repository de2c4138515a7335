//! *claim* of many at once, on a server: one transaction for all who want a turn at the same time.
//!
//! Each gets the next message that nobody holds, as if they had come one after the other. Only what is plain goes this
//! way: a message that is answered by itself, in a conversation whose lease is free. Whoever gets none of those is
//! told nothing here, and claims alone (`claim::new_turn`).

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::id::TurnId;
use angelia_core::lease::{Fence, Lease};
use serde::Serialize;

use super::{Ready, Want, batch_of, begun, preview_of, ready_sql, several, tell_words_only};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::turns::ClaimedTurn;
use crate::verbs::rows::message_sql;
use crate::verbs::{leases, rows};

/// Opens as many turns as there are plain messages, for those who came first.
pub(crate) fn new_turns(
    tx: &Tx<'_>,
    wants: &[Arc<Want>],
) -> Result<Vec<Option<Option<ClaimedTurn>>>, Fault> {
    let count = i64::try_from(wants.len()).unwrap_or(i64::MAX);
    let mut ready = several(tx, ready_sql!("/* take i, s */"), (0, count))?;
    ready.retain(|one| one.due_at.is_none());
    let names = ready.iter().map(|one| leases::of_session(one.session_id));
    let names: Vec<String> = names.collect();
    let held: BTreeMap<String, Lease> = match names.as_slice() {
        [] => BTreeMap::new(),
        some => leases::find_all(tx, &rows::json(&some)?)?,
    };
    let (mut opened, mut claimed) = (Vec::new(), Vec::new());
    let mut wants = wants.iter();
    for (mut ready, name) in ready.into_iter().zip(names) {
        let Some(want) = wants.next() else { break };
        let holder = want.turn.to_string();
        let taken = leases::give(tx, (&name, held.get(&name)), &holder, want.node)?;
        // Its last owner still lives by the lease, though no turn is open: whoever claims alone passes it over.
        let Some(fence) = taken else {
            claimed.push(None);
            continue;
        };
        tell_words_only(&mut ready);
        opened.push(Opened::of(&ready, want.turn, fence)?);
        claimed.push(Some(Some(begun(ready, want.turn, (name, fence)))));
    }
    write(tx, &opened)?;
    claimed.extend(wants.map(|_| None));
    Ok(claimed)
}

/// A turn as it is added, with what it changes.
#[derive(Serialize)]
struct Opened {
    id: String,
    session: i64,
    message: i64,
    fence: i64,
    batch: String,
    asked: usize,
    news: Option<String>,
    agent: String,
    preview: String,
}

impl Opened {
    fn of(ready: &Ready, turn: TurnId, fence: Fence) -> Result<Self, Fault> {
        Ok(Self {
            id: turn.to_string(),
            session: ready.session,
            message: ready.message,
            fence: fence.0,
            batch: batch_of(ready)?,
            asked: ready.batch.len(),
            news: ready.news.as_ref().map(rows::json).transpose()?,
            agent: ready.agent.as_str().to_owned(),
            preview: preview_of(ready),
        })
    }
}

/// Writes what `claim::write` writes, for all of them at once.
fn write(tx: &Tx<'_>, opened: &[Opened]) -> Result<(), Fault> {
    if opened.is_empty() {
        return Ok(());
    }
    let rows = rows::json(&opened)?;
    let turns = "INSERT INTO turns (id, session, state, attempts, fence, claimed_at, batch, news, agent, asked) \
                 SELECT n.id, n.session, 'open', 1, n.fence, ?2, n.batch, n.news, n.agent, n.asked \
                 FROM json_to_recordset(CAST(?1 AS json)) AS n (id TEXT, session BIGINT, fence BIGINT, \
                 batch TEXT, news TEXT, agent TEXT, asked BIGINT)";
    tx.also(turns, params![rows, tx.now().ms()])?;
    let messages: Vec<i64> = opened.iter().map(|one| one.message).collect();
    let taken = "UPDATE inbox SET state = 'taken', turn = (SELECT t.seq FROM turns t \
                 WHERE t.session = inbox.session AND t.state = 'open') WHERE seq = \
                 ANY (ARRAY (SELECT CAST(json_array_elements_text(CAST(?1 AS json)) AS BIGINT)))";
    tx.also(taken, [rows::json(&messages)?])?;
    let active = "UPDATE sessions SET active_at = greatest(sessions.active_at, ?2), listed_at = ?2, \
                  preview = coalesce(nullif(n.preview, ''), sessions.preview), \
                  news = CASE WHEN n.news IS NULL THEN sessions.news END \
                  FROM json_to_recordset(CAST(?1 AS json)) AS n (session BIGINT, news TEXT, preview TEXT) \
                  WHERE sessions.seq = n.session AND sessions.seq = \
                  ANY (ARRAY (SELECT CAST(json_array_elements_text(CAST(?3 AS json)) AS BIGINT)))";
    let sessions: Vec<i64> = opened.iter().map(|one| one.session).collect();
    tx.also(active, params![rows, tx.now().ms(), rows::json(&sessions)?])
}
