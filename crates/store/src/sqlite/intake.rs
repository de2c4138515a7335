//! *accept*, on SQLite.
//!
//! The order is the meaning: first whether the message came before, then what it is, then whether its
//! conversation has room. Only a message that is taken makes a session.

use angelia_core::address::AccountId;
use angelia_core::id::SessionId;
use angelia_core::intake::{self, Refusal};
use angelia_core::limits;
use angelia_core::session::key::SessionKey;
use angelia_core::text;
use async_trait::async_trait;
use rusqlite::params;

use super::fault::Fault;
use super::tx::Tx;
use super::{Sqlite, ready, rows};
use crate::StoreError;
use crate::intake::{Accept, Accepted, Intake, Place};

#[async_trait]
impl Intake for Sqlite {
    async fn accept(&self, message: Accept) -> Result<Accepted, StoreError> {
        self.write(move |tx| accept(tx, &message)).await
    }

    async fn cursor(&self, account: &AccountId) -> Result<Option<String>, StoreError> {
        let sql = "SELECT cursor FROM cursors WHERE account = ?1";
        self.read(|tx| tx.one(sql, [&account.0], |row| Ok(row.get(0)?)))
    }
}

fn accept(tx: &Tx<'_>, message: &Accept) -> Result<Accepted, Fault> {
    let accepted = match known(tx, message)? {
        Some(place) => Accepted::Duplicate(place),
        None => take(tx, message)?,
    };
    if !matches!(accepted, Accepted::Refused(refusal) if refusal.may_pass_later()) {
        move_cursor(tx, message)?;
    }
    Ok(accepted)
}

/// Where the message stands if it came before.
fn known(tx: &Tx<'_>, message: &Accept) -> Result<Option<Place>, Fault> {
    let inbound = &message.inbound;
    tx.one(
        "SELECT i.id, s.id, s.key FROM inbox i JOIN sessions s ON s.seq = i.session \
         WHERE i.account = ?1 AND i.event_key = ?2",
        [&inbound.address.account.0, inbound.event_key.as_str()],
        |row| {
            Ok(Place {
                inbox: rows::parsed(row, 0)?,
                session: rows::parsed(row, 1)?,
                key: SessionKey::from_stored(row.get(2)?),
            })
        },
    )
}

fn take(tx: &Tx<'_>, message: &Accept) -> Result<Accepted, Fault> {
    let key = match intake::check(&message.inbound, message.isolation) {
        Ok(key) => key,
        Err(refusal) => return Ok(Accepted::Refused(refusal)),
    };
    let session = match room(tx, &key)? {
        Ok(Some(session)) => session,
        Ok(None) => begin(tx, message, &key)?,
        Err(refusal) => return Ok(Accepted::Refused(refusal)),
    };
    keep(tx, message, session.seq)?;
    Ok(Accepted::New(Place {
        inbox: message.inbox,
        session: session.id,
        key,
    }))
}

/// A conversation's row.
struct Known {
    seq: i64,
    id: SessionId,
}

/// The conversation of the key, in its latest generation, if it exists and has room.
fn room(tx: &Tx<'_>, key: &SessionKey) -> Result<Result<Option<Known>, Refusal>, Fault> {
    let found = tx.one(
        "SELECT s.seq, s.id, \
         (SELECT count(*) FROM inbox i WHERE i.session = s.seq AND i.state = 'waiting') \
         FROM sessions s WHERE s.key = ?1 ORDER BY s.generation DESC LIMIT 1",
        [key.as_str()],
        |row| {
            let session = Known {
                seq: row.get(0)?,
                id: rows::parsed(row, 1)?,
            };
            Ok((session, row.get::<_, u32>(2)?))
        },
    )?;
    let (session, waiting) = found.unzip();
    Ok(intake::decide(waiting.unwrap_or(0) as usize).map(|()| session))
}

fn begin(tx: &Tx<'_>, message: &Accept, key: &SessionKey) -> Result<Known, Fault> {
    let address = &message.inbound.address;
    let title = message
        .inbound
        .person
        .name
        .as_deref()
        .filter(|name| !name.trim().is_empty());
    let seq = tx.insert(
        "INSERT INTO sessions (id, key, generation, platform, account, chat, chat_kind, thread, \
         title, preview, created_at, active_at) VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, ?8, '', ?9, ?9)",
        params![
            message.session.to_string(),
            key.as_str(),
            address.platform.name(),
            address.account.0,
            address.chat.id,
            address.chat.kind.name(),
            address.thread,
            text::preview(title.unwrap_or(&address.chat.id), limits::PREVIEW_CHARS),
            tx.now().ms(),
        ],
    )?;
    Ok(Known {
        seq,
        id: message.session,
    })
}

/// Writes the message into its conversation.
fn keep(tx: &Tx<'_>, message: &Accept, session: i64) -> Result<(), Fault> {
    let inbound = &message.inbound;
    let seq = tx.insert(
        "INSERT INTO inbox (id, account, event_key, session, state, received_at, body) \
         VALUES (?1, ?2, ?3, ?4, 'waiting', ?5, ?6)",
        params![
            message.inbox.to_string(),
            inbound.address.account.0,
            inbound.event_key.as_str(),
            session,
            tx.now().ms(),
            rows::inbound_body(inbound)?,
        ],
    )?;
    say(tx, session, &inbound.text)?;
    ready::arrived(tx, session, seq)
}

/// Marks the conversation as active now, with these as its last words.
pub(super) fn say(tx: &Tx<'_>, session: i64, words: &str) -> Result<(), Fault> {
    tx.run(
        "UPDATE sessions SET active_at = ?2, preview = coalesce(nullif(?3, ''), preview) \
         WHERE seq = ?1",
        params![
            session,
            tx.now().ms(),
            text::preview(words, limits::PREVIEW_CHARS)
        ],
    )?;
    Ok(())
}

fn move_cursor(tx: &Tx<'_>, message: &Accept) -> Result<(), Fault> {
    if let Some(cursor) = &message.cursor {
        tx.run(
            "INSERT INTO cursors (account, cursor) VALUES (?1, ?2) \
             ON CONFLICT (account) DO UPDATE SET cursor = excluded.cursor",
            [&message.inbound.address.account.0, cursor],
        )?;
    }
    Ok(())
}
