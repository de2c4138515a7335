//! Chats that have become others: a group that grew into another one, with another id.
//!
//! Rows are moved once, when that is told, so that no message pays for it. What still comes under the old id (words about
//! a process that was begun there) finds no conversation, and only then it is asked whether the chat is another by now.
//! What is on its way out stays as it is: the platform leads it along.

use angelia_core::address::{AccountId, Address, ChatKind, Moved};
use angelia_core::inbound::Inbound;
use angelia_core::session::key::{Scope, SessionKey};

use super::sessions::begin::{self, Came};
use super::{hold, rows};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;

/// Lets everything of the chat go on where it is now; returns how many conversations went along.
pub(super) fn follow(tx: &Tx<'_>, account: &AccountId, moved: &Moved) -> Result<usize, Fault> {
    tx.run(
        "INSERT INTO chat_moves (account, chat, became, at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (account, chat) DO NOTHING",
        params![account.0, moved.from, moved.to, tx.now().ms()],
    )?;
    let mut followed = 0;
    for place in places(tx, account, moved)? {
        followed += lead_along(tx, account, moved, &place)?;
    }
    choices(tx, account, moved)?;
    home(tx, account, moved)?;
    Ok(followed)
}

/// The message as it would have come from where its chat is now; nothing if it has not become another.
pub(super) fn arrived(tx: &Tx<'_>, inbound: &Inbound) -> Result<Option<Inbound>, Fault> {
    let address = &inbound.address;
    if address.chat.kind == ChatKind::Dm {
        return Ok(None);
    }
    let sql = "SELECT became FROM chat_moves WHERE account = ?1 AND chat = ?2";
    let became = tx.one(sql, [&address.account.0, &address.chat.id], |row| {
        row.get(0)
    })?;
    Ok(became.map(|id: String| {
        let mut inbound = inbound.clone();
        inbound.address.chat.id = id;
        inbound
    }))
}

/// The places of the chat that have conversations.
fn places(tx: &Tx<'_>, account: &AccountId, moved: &Moved) -> Result<Vec<Scope>, Fault> {
    let (first, behind) = Scope::range(account, &moved.from);
    let scopes = tx.all(
        "SELECT scope FROM sessions WHERE account = ?1 AND chat = ?2 AND ended_at IS NULL \
         UNION SELECT scope FROM sessions WHERE scope >= ?3 AND scope < ?4 ORDER BY scope",
        params![account.0, moved.from, first, behind],
        |row| row.get::<String>(0),
    )?;
    Ok(scopes.into_iter().map(Scope::from_stored).collect())
}

fn lead_along(
    tx: &Tx<'_>,
    account: &AccountId,
    moved: &Moved,
    place: &Scope,
) -> Result<usize, Fault> {
    let Some(there) = place.moved(account, moved) else {
        return Ok(0);
    };
    hold::place(tx, place.as_str())?;
    hold::named(tx, &format!("scope/{}", there.as_str()))?;
    let followed = rename(tx, moved, (place, &there))?;
    let route = "SELECT session FROM routes WHERE scope = ?1";
    let led: Option<i64> = tx.one(route, [place.as_str()], |row| row.get(0))?;
    let taken: Option<i64> = tx.one(route, [there.as_str()], |row| row.get(0))?;
    tx.run("DELETE FROM routes WHERE scope = ?1", [place.as_str()])?;
    if let (Some(session), None) = (led, taken) {
        begin::lead(tx, there.as_str(), session, Came::Moved)?;
    }
    Ok(followed)
}

/// The conversations of a place, under the name of where it is now, behind those that began there.
fn rename(tx: &Tx<'_>, moved: &Moved, (place, there): (&Scope, &Scope)) -> Result<usize, Fault> {
    let key = "SELECT key FROM sessions WHERE scope = ?1 ORDER BY generation LIMIT 1";
    let key: Option<String> = tx.one(key, [place.as_str()], |row| row.get(0))?;
    let key = SessionKey::from_stored(key.unwrap_or_default());
    let key = key.moved(moved).unwrap_or(key);
    let before = "SELECT coalesce(max(generation), 0) FROM sessions WHERE scope = ?1";
    let before = tx.number(before, [there.as_str()])?;
    tx.run(
        "UPDATE sessions SET scope = ?2, key = ?3, chat = ?4, generation = generation + ?5 WHERE scope = ?1",
        params![place.as_str(), there.as_str(), key.as_str(), moved.to, before],
    )
}

/// What was chosen for the chat, unless the same was chosen for what it has become.
fn choices(tx: &Tx<'_>, account: &AccountId, moved: &Moved) -> Result<(), Fault> {
    tx.run(
        "INSERT INTO chat_choices (account, chat, name, value) \
         SELECT account, ?3, name, value FROM chat_choices WHERE account = ?1 AND chat = ?2 \
         ON CONFLICT (account, chat, name) DO NOTHING",
        params![account.0, moved.from, moved.to],
    )?;
    let gone = "DELETE FROM chat_choices WHERE account = ?1 AND chat = ?2";
    tx.run(gone, params![account.0, moved.from]).map(drop)
}

fn home(tx: &Tx<'_>, account: &AccountId, moved: &Moved) -> Result<(), Fault> {
    let sql = "SELECT address FROM homes WHERE account = ?1";
    let home = tx.one(sql, [&account.0], |row| rows::json_maybe::<Address>(row, 0))?;
    let Some(mut home) = home.flatten().filter(|home| home.chat.id == moved.from) else {
        return Ok(());
    };
    home.chat.id.clone_from(&moved.to);
    let led = "UPDATE homes SET address = ?2 WHERE account = ?1";
    tx.run(led, params![account.0, rows::json(&home)?])
        .map(drop)
}
