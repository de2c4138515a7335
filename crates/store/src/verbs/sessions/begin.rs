//! How a conversation begins, and how a place comes to it: rows, routes and bindings.
//!
//! A row is made from a message at the door, or from the row of the conversation before it. The route
//! of the place moves and the move is written down, all in the transaction of the verb.

use angelia_core::id::SessionId;
use angelia_core::session::news::News;
use angelia_core::transcript::ending::{Life, Promotion, Reason};

use super::standing;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::sessions::{Change, Force};
use crate::verbs::rows;

/// Why a place came to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::verbs) enum Came {
    /// Its first words.
    First,
    /// Another one had ended.
    Anew(Reason),
    /// It asked for it.
    Switched,
    /// The operator led it there.
    Led,
    /// It goes on there.
    Continued,
    /// Its chat has become another.
    Moved,
}

impl Came {
    const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Anew(reason) => reason.as_str(),
            Self::Switched => "switched",
            Self::Led => "led",
            Self::Continued => "continued",
            Self::Moved => "moved",
        }
    }
}

/// Lets a place speak in a session from now on.
pub(in crate::verbs) fn lead(
    tx: &Tx<'_>,
    scope: &str,
    session: i64,
    came: Came,
) -> Result<(), Fault> {
    tx.also(
        "INSERT INTO routes (scope, session) VALUES (?1, ?2) \
         ON CONFLICT (scope) DO UPDATE SET session = excluded.session",
        params![scope, session],
    )?;
    tx.also(
        "INSERT INTO bindings (scope, session, at, why) VALUES (?1, ?2, ?3, ?4)",
        params![scope, session, tx.now().ms(), came.name()],
    )?;
    Ok(())
}

/// Ends the session that a place has left, unless another place still speaks in it.
pub(in crate::verbs) fn leave(tx: &Tx<'_>, session: i64, why: Reason) -> Result<(), Fault> {
    let spoken_in = "SELECT EXISTS (SELECT 1 FROM routes WHERE session = ?1)";
    if tx.number(spoken_in, [session])? == 0 {
        end(tx, session, why, Force::Boundary)?;
    }
    Ok(())
}

/// Ends a session, if this reason may stand.
pub(in crate::verbs) fn end(
    tx: &Tx<'_>,
    session: i64,
    why: Reason,
    force: Force,
) -> Result<Change, Fault> {
    let sql = "SELECT end_reason FROM sessions WHERE seq = ?1";
    let life = tx.one(sql, [session], |row| standing::life(row, 0))?;
    let Some(life) = life else {
        return Ok(Change::Unknown);
    };
    let takes = match force {
        Force::Plain => life == Life::Live,
        Force::Boundary => matches!(life.promote(why), Promotion::Took(_)),
    };
    if !takes {
        return Ok(Change::Unchanged);
    }
    tx.also(
        "UPDATE sessions SET ended_at = ?2, end_reason = ?3 WHERE seq = ?1",
        params![session, tx.now().ms(), why.as_str()],
    )?;
    Ok(Change::Done)
}

/// Makes the end of a session undone.
pub(in crate::verbs) fn reopen(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    tx.also(
        "UPDATE sessions SET ended_at = NULL, end_reason = NULL, expired_at = NULL WHERE seq = ?1",
        [session],
    )?;
    Ok(())
}

/// A session after another one of the same place.
pub(in crate::verbs) struct After<'a> {
    /// Its id.
    pub(in crate::verbs) id: SessionId,
    /// The session whose origin, key and label it takes.
    pub(in crate::verbs) like: i64,
    /// Its own label.
    pub(in crate::verbs) label: Option<&'a str>,
    /// What its first turn tells.
    pub(in crate::verbs) news: Option<News>,
}

/// Makes the row of a session that is like an earlier one; returns its `seq`.
pub(in crate::verbs) fn after(tx: &Tx<'_>, new: &After<'_>) -> Result<i64, Fault> {
    let news = new.news.as_ref().map(rows::json).transpose()?;
    tx.insert(
        "INSERT INTO sessions (id, scope, key, generation, platform, account, chat, chat_kind, \
         thread, person, origin, label, preview, news, created_at, active_at, listed_at) \
         SELECT ?1, o.scope, o.key, \
         (SELECT max(generation) + 1 FROM sessions g WHERE g.scope = o.scope), o.platform, \
         o.account, o.chat, o.chat_kind, o.thread, o.person, o.origin, coalesce(?3, o.label), '', \
         ?4, ?5, ?5, ?5 FROM sessions o WHERE o.seq = ?2",
        params![new.id.to_string(), new.like, new.label, news, tx.now().ms()],
    )
}
