//! *settle*, on SQLite: the end of a turn, in one piece.
//!
//! What was said goes into the transcript, the messages are done, the reply is in the outbox, the
//! lease is free and the next message of the conversation can be claimed. A crash leaves all of it or
//! none.

use angelia_core::address::Address;
use angelia_core::inbound::Role;
use angelia_core::turn::outcome::Outcome;
use rusqlite::params;

use super::fault::Fault;
use super::turns::{Message, Open, messages};
use super::tx::Tx;
use super::{intake, lanes, leases, ready, rows};
use crate::turns::Settle;

/// Closes a turn that the caller owns.
pub(super) fn close(tx: &Tx<'_>, open: &Open, settle: &Settle) -> Result<(), Fault> {
    let batch = messages(tx, &open.batch)?;
    let reply = settle.outcome.reply();
    transcribe(tx, open, &batch, (settle.outcome.role(), &reply))?;
    consume(tx, open)?;
    end_turn(tx, open, &settle.outcome)?;
    let last = batch
        .last()
        .ok_or_else(|| rows::undecodable("a turn answers no message"))?;
    plan(tx, open, settle, &last.waiting.inbound.address)?;
    leases::end(tx, &leases::of_session(open.session_id), settle.fence)?;
    intake::say(tx, open.session, &reply)?;
    ready::refresh(tx, open.session)
}

fn transcribe(
    tx: &Tx<'_>,
    open: &Open,
    batch: &[Message],
    (role, reply): (Role, &str),
) -> Result<(), Fault> {
    let added = batch.len() as i64 + 1;
    let last = tx.number(
        "UPDATE sessions SET entries = entries + ?2 WHERE seq = ?1 RETURNING entries",
        [open.session, added],
    )?;
    let sql = "INSERT INTO transcript (session, seq, turn, at, role, name, text) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    for (seq, message) in (last - added + 1..).zip(batch) {
        let (said, at) = (&message.waiting.inbound, message.received_at.ms());
        let (role, name) = (Role::User.name(), &said.person.name);
        tx.insert(
            sql,
            params![open.session, seq, open.seq, at, role, name, said.text],
        )?;
    }
    let (at, nobody) = (tx.now().ms(), None::<String>);
    tx.insert(
        sql,
        params![open.session, last, open.seq, at, role.name(), nobody, reply],
    )?;
    Ok(())
}

fn consume(tx: &Tx<'_>, open: &Open) -> Result<(), Fault> {
    for inbox in &open.batch {
        tx.run(
            "UPDATE inbox SET state = 'done' WHERE id = ?1",
            [inbox.to_string()],
        )?;
    }
    Ok(())
}

fn end_turn(tx: &Tx<'_>, open: &Open, outcome: &Outcome) -> Result<(), Fault> {
    let why = match outcome {
        Outcome::Failed { why, .. } => Some(why),
        Outcome::Completed { .. } | Outcome::Interrupted { .. } | Outcome::Abandoned => None,
    };
    tx.run(
        "UPDATE turns SET state = ?2, settled_at = ?3, why = ?4 WHERE seq = ?1",
        params![open.seq, outcome.name(), tx.now().ms(), why],
    )?;
    Ok(())
}

/// Puts the parts of the reply into their lane.
fn plan(tx: &Tx<'_>, open: &Open, settle: &Settle, to: &Address) -> Result<(), Fault> {
    let parts = settle.deliveries.len() as i64;
    for (part, (id, text)) in (1i64..).zip(&settle.deliveries) {
        tx.insert(
            "INSERT INTO outbox (id, turn, session, part, parts, platform, account, chat, \
             chat_kind, thread, text, state, due_at, planned_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'due', ?12, ?12)",
            params![
                id.to_string(),
                open.seq,
                open.session,
                part,
                parts,
                to.platform.name(),
                to.account.0,
                to.chat.id,
                to.chat.kind.name(),
                to.thread,
                text,
                tx.now().ms(),
            ],
        )?;
    }
    if parts > 0 {
        lanes::refresh(tx, &to.account.0, &to.chat.id)
    } else {
        Ok(())
    }
}
