//! Turns and their journals: the trait, the check of the fence, and the small verbs.
//!
//! Opening a turn is in `claim`, closing it in `settle`. Every write names the turn's fence. It does
//! not ask whether the lease is still live: as long as nobody took it over, late work is good work.

use std::sync::Arc;

use angelia_core::command;
use angelia_core::id::{InboxId, NodeId, SessionId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::lease::Fence;
use angelia_core::media::MediaId;
use angelia_core::session::lifecycle::Interrupted;
use angelia_core::time::Span;
use angelia_core::todo::Task;
use angelia_core::transcript::usage::Usage;
use angelia_core::turn::journal::{Recorded, Step};
use angelia_core::zone::Zone;
use async_trait::async_trait;

use super::claim::Want;
use super::long::{self, Words};
use super::rows::message_sql;
use super::settle::End;
use super::{claim, costs, leases, media, ready, rows, settle, usage};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::turns::{ClaimedTurn, Settle, Turns, Waiting};
use crate::usage::{Account, Counting};
use crate::{Fenced, StoreError};

/// What a summary is counted as.
const COMPACTION: &str = "compaction";

/// The size of a prompt that nobody counted.
pub(super) const UNKNOWN: u32 = 0;

#[async_trait]
impl Turns for Database {
    async fn claim_turn(
        &self,
        node: NodeId,
        turn: TurnId,
    ) -> Result<Option<ClaimedTurn>, StoreError> {
        let want = Want { node, turn };
        match self.claims() {
            Some(claims) => claims.ask(want).await,
            None => self.write(move |tx| claim::new_turn(tx, &want)).await,
        }
    }

    async fn claim_orphan(&self, node: NodeId) -> Result<Option<ClaimedTurn>, StoreError> {
        self.write(move |tx| claim::orphan(tx, node)).await
    }

    async fn record_step(
        &self,
        turn: TurnId,
        fence: Fence,
        seq: u32,
        step: Step,
    ) -> Result<Fenced<()>, StoreError> {
        let zone = self.zone.clone();
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => record(tx, &open, (seq, &step), &zone).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn keep_tasks(
        &self,
        turn: TurnId,
        fence: Fence,
        tasks: Vec<Task>,
    ) -> Result<Fenced<()>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => keep_tasks(tx, &open, &tasks).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn tasks(&self, session: SessionId) -> Result<Vec<Task>, StoreError> {
        self.read(move |tx| {
            let sql = "SELECT tasks FROM sessions WHERE id = ?1";
            let found = tx.one(sql, [session.to_string()], |row| rows::json_maybe(row, 0))?;
            Ok(found.flatten().unwrap_or_default())
        })
        .await
    }

    async fn settle_turn(&self, settle: Settle) -> Result<Fenced<()>, StoreError> {
        let end = End::of(settle).map_err(|fault| fault.said(&self.place))?;
        self.write(
            move |tx| match owned(tx, end.settle.turn, end.settle.fence)? {
                Some(open) => settle::close(tx, &open, &end).map(Fenced::Done),
                None => Ok(Fenced::Lost),
            },
        )
        .await
    }

    async fn release_turn(
        &self,
        turn: TurnId,
        fence: Fence,
        why: Interrupted,
    ) -> Result<Fenced<()>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => release(tx, &open, fence, why).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn next_gathered(&self) -> Result<Option<Span>, StoreError> {
        self.read(move |tx| {
            let sql = "SELECT due_at FROM inbox WHERE state = 'next' AND due_at IS NOT NULL \
                       AND due_at > ?1 ORDER BY due_at LIMIT 1";
            let due = tx.one(sql, [tx.now().ms()], |row| rows::time(row, 0))?;
            Ok(due.map(|due| due.since(tx.now())))
        })
        .await
    }

    async fn waiting(&self, session: SessionId) -> Result<usize, StoreError> {
        self.read(move |tx| match session_seq(tx, session)? {
            Some(seq) => ready::waiting(tx, seq),
            None => Ok(0),
        })
        .await
    }
}

/// An open turn that the caller owns.
pub(crate) struct Open {
    pub(super) seq: i64,
    pub(super) session: i64,
    pub(super) session_id: SessionId,
    pub(super) batch: Vec<InboxId>,
    /// How many of them, from the first on, it was opened over.
    pub(super) asked: usize,
    /// How much was said in the conversation until now.
    pub(super) entries: i64,
}

/// The turn, if it is open and its lease carries the fence and is held by it.
pub(crate) fn owned(tx: &Tx<'_>, turn: TurnId, fence: Fence) -> Result<Option<Open>, Fault> {
    tx.one(
        "SELECT t.seq, t.session, s.id, t.batch, s.entries, t.asked FROM turns t \
         JOIN sessions s ON s.seq = t.session JOIN leases l ON l.name = 'session/' || s.id \
         WHERE t.id = ?1 AND t.state = 'open' AND l.holder = ?1 AND l.fence = ?2 /* hold s, t, l */",
        params![turn.to_string(), fence.0],
        |row| {
            Ok(Open {
                seq: row.get(0)?,
                session: row.get(1)?,
                session_id: rows::parsed(row, 2)?,
                batch: rows::batch(row, 3)?,
                entries: row.get(4)?,
                asked: row.get::<u32>(5)? as usize,
            })
        },
    )
}

pub(super) fn record(
    tx: &Tx<'_>,
    open: &Open,
    (seq, step): (u32, &Step),
    zone: &Zone,
) -> Result<(), Fault> {
    let body = rows::step_body(step)?;
    let added = tx.run(
        "INSERT INTO steps (turn, seq, at, kind, body) VALUES (?1, ?2, ?3, ?5, ?4) \
         ON CONFLICT (turn, seq) DO NOTHING",
        params![open.seq, seq, tx.now().ms(), body, step.name()],
    )?;
    let same = "SELECT EXISTS (SELECT 1 FROM steps WHERE turn = ?1 AND seq = ?2 AND body = ?3)";
    if added == 0 && tx.number(same, params![open.seq, seq, body])? == 0 {
        return Err(rows::undecodable(format!(
            "step {seq} of an open turn is written already and says something else"
        )));
    }
    match step {
        Step::Moved { directory } => {
            let sql = "UPDATE sessions SET directory = ?2 WHERE seq = ?1";
            tx.also(sql, params![open.session, directory])?;
        }
        Step::Answer { spent, .. } if added > 0 => {
            if let Some(spent) = spent {
                spend(tx, open, (spent, Counting::More), zone)?;
            }
            note_prompt(tx, open, prompt_of(spent.as_deref()))?;
        }
        Step::Compacted { spent, .. } if added > 0 => {
            if let Some(spent) = spent {
                let aside = Counting::Aside(COMPACTION.to_owned());
                spend(tx, open, (spent, aside), zone)?;
            }
            note_prompt(tx, open, UNKNOWN)?;
        }
        Step::ToolFinished { pictures, .. } => {
            let ids: Vec<MediaId> = pictures.iter().map(|picture| picture.id).collect();
            media::refer(tx, open.session, &ids)?;
        }
        Step::Answer { .. }
        | Step::Compacted { .. }
        | Step::ToolBegun { .. }
        | Step::Planned { .. }
        | Step::Emitted { .. }
        | Step::Steered { .. }
        | Step::Command { .. } => (),
    }
    Ok(())
}

fn keep_tasks(tx: &Tx<'_>, open: &Open, tasks: &[Task]) -> Result<(), Fault> {
    let body = match tasks {
        [] => None,
        some => Some(rows::json(&some)?),
    };
    let sql = "UPDATE sessions SET tasks = ?2 WHERE seq = ?1";
    tx.also(sql, params![open.session, body])
}

/// What an answer used is counted with its step: both are there, once, or neither.
fn spend(
    tx: &Tx<'_>,
    open: &Open,
    (spent, counting): (&Usage, Counting),
    zone: &Zone,
) -> Result<(), Fault> {
    let account = Account {
        session: open.session_id,
        used: spent.clone(),
        counting,
        call: None,
    };
    usage::count(tx, open.session, &account)?;
    costs::count(tx, open, spent, zone)
}

/// How large the prompt of an answer was.
fn prompt_of(spent: Option<&Usage>) -> u32 {
    let size = spent.map_or(0, Usage::prompt_of_rows);
    u32::try_from(size).unwrap_or(u32::MAX)
}

/// It is the prompt of the newest answer, or unknown: an older one says nothing of the rows until then.
fn note_prompt(tx: &Tx<'_>, open: &Open, tokens: u32) -> Result<(), Fault> {
    let sql = "UPDATE sessions SET prompt_tokens = ?2 WHERE seq = ?1 AND prompt_tokens <> ?2";
    tx.also(sql, params![open.session, tokens])
}

fn release(tx: &Tx<'_>, open: &Open, fence: Fence, why: Interrupted) -> Result<(), Fault> {
    costs::cut(tx, open.seq)?;
    if messages(tx, &open.batch)?.iter().any(is_words) {
        tx.also(
            "UPDATE sessions SET resume_at = ?2, resume_reason = ?3 \
             WHERE seq = ?1 AND suspended_at IS NULL",
            params![open.session, tx.now().ms(), why.as_str()],
        )?;
    }
    tx.also(
        "UPDATE turns SET attempts = attempts - 1 WHERE seq = ?1",
        [open.seq],
    )?;
    leases::end(tx, &leases::of_session(open.session_id), fence)
}

/// Whether it was said to the agent. A command that is cut off interrupts no conversation.
pub(super) fn is_words(message: &Message) -> bool {
    command::read(&message.waiting.inbound).is_for_the_agent()
}

/// A message of a batch.
pub(super) struct Message {
    pub(super) waiting: Waiting,
    pub(super) words: Words,
}

/// The messages of a batch, in its order.
pub(super) fn messages(tx: &Tx<'_>, batch: &[InboxId]) -> Result<Vec<Message>, Fault> {
    batch.iter().map(|inbox| message(tx, *inbox)).collect()
}

fn message(tx: &Tx<'_>, inbox: InboxId) -> Result<Message, Fault> {
    let sql = concat!(
        "SELECT ",
        message_sql!("inbox"),
        ", received_at, seq FROM inbox WHERE id = ?1"
    );
    let found = tx.one(sql, [inbox.to_string()], |row| {
        let (inbound, words) = long::message(tx, row, (0, 2))?;
        let inbound = Arc::new(inbound);
        Ok(Message {
            waiting: Waiting {
                inbox,
                inbound,
                received_at: rows::time(row, 1)?,
            },
            words,
        })
    })?;
    found.ok_or_else(|| unstored(inbox))
}

/// A message without its words, if they are long: for those who only ask where it came from.
pub(super) fn envelope(tx: &Tx<'_>, inbox: InboxId) -> Result<Inbound, Fault> {
    let sql = concat!(
        "SELECT ",
        message_sql!("inbox"),
        " FROM inbox WHERE id = ?1"
    );
    let found = tx.one(sql, [inbox.to_string()], |row| rows::body(row, 0))?;
    found.ok_or_else(|| unstored(inbox))
}

fn unstored(inbox: InboxId) -> Fault {
    rows::undecodable(format!("a turn answers {inbox}, which is not stored"))
}

/// What a turn did so far.
pub(super) fn journal(tx: &Tx<'_>, turn: i64) -> Result<Vec<Recorded>, Fault> {
    tx.all(
        "SELECT seq, at, body FROM steps WHERE turn = ?1 ORDER BY seq",
        [turn],
        recorded,
    )
}

/// A step from its place, its time and its body.
pub(super) fn recorded(row: &Row<'_>) -> Result<Recorded, Fault> {
    Ok(Recorded {
        seq: row.get(0)?,
        at: rows::time(row, 1)?,
        step: rows::body(row, 2)?,
    })
}

/// The row of a session.
pub(super) fn session_seq(tx: &Tx<'_>, session: SessionId) -> Result<Option<i64>, Fault> {
    let sql = "SELECT seq FROM sessions WHERE id = ?1 /* hold */";
    tx.one(sql, [session.to_string()], |row| row.get(0))
}
