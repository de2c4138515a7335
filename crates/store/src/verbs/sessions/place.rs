//! Where a place speaks: routes read.

use angelia_core::id::SessionId;

use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::sessions::At;
use crate::verbs::hold;
use crate::verbs::rows;

/// A place and the conversation it speaks in.
pub(super) struct Routed {
    pub(super) scope: String,
    pub(super) session: i64,
    pub(super) id: SessionId,
}

/// The place that is meant, if it has a conversation.
pub(super) fn routed(tx: &Tx<'_>, at: &At) -> Result<Option<Routed>, Fault> {
    match at {
        At::Scope(scope) => by_scope(tx, scope.as_str()),
        At::Session(session) => by_session(tx, *session),
    }
}

fn by_scope(tx: &Tx<'_>, scope: &str) -> Result<Option<Routed>, Fault> {
    hold::place(tx, scope)?;
    let sql = "SELECT s.seq, s.id FROM routes r JOIN sessions s ON s.seq = r.session \
               WHERE r.scope = ?1";
    tx.one(sql, [scope], |row| {
        Ok(Routed {
            scope: scope.to_owned(),
            session: row.get(0)?,
            id: rows::parsed(row, 1)?,
        })
    })
}

fn by_session(tx: &Tx<'_>, session: SessionId) -> Result<Option<Routed>, Fault> {
    let sql = "SELECT s.seq, r.scope FROM sessions s JOIN routes r ON r.session = s.seq \
               WHERE s.id = ?1 ORDER BY r.scope <> s.scope, r.scope LIMIT 1 /* hold s, r */";
    tx.one(sql, [session.to_string()], |row| {
        Ok(Routed {
            session: row.get(0)?,
            scope: row.get(1)?,
            id: session,
        })
    })
}

/// The newest conversation that began in the place; it knows whose place it is.
pub(in crate::verbs) fn newest(tx: &Tx<'_>, scope: &str) -> Result<Option<i64>, Fault> {
    let sql = "SELECT seq FROM sessions WHERE scope = ?1 ORDER BY generation DESC LIMIT 1";
    tx.one(sql, params![scope], |row| row.get(0))
}
