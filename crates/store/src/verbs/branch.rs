//! A conversation that goes another way.
//!
//! The branch is a conversation of the same place in a generation of its own. It begins with copies of the
//! visible rows, numbered from one; what recognises their messages is copied too, so that no message is
//! written into the branch again.

use angelia_core::transcript::ending::Reason;

use super::media;
use super::ready;
use super::said;
use super::sessions::place;
use super::sessions::switch::is_working;
use super::transcript::{Head, head};
use crate::Change;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::transcripts::{Branch, Then};

/// Makes the branch, unless it was made before.
pub(super) fn branch(tx: &Tx<'_>, branch: &Branch) -> Result<Change<usize>, Fault> {
    let Some(parent) = head(tx, branch.session)? else {
        return Ok(Change::Unknown);
    };
    if let Some(made) = head(tx, branch.id)? {
        return Ok(Change::Done(usize::try_from(made.last).unwrap_or(0)));
    }
    if branch.then == Then::MoveAll && is_working(tx, parent.session)? {
        return Ok(Change::Busy);
    }
    let child = begin(tx, &parent, branch)?;
    let up_to = branch.up_to.map_or(i64::MAX, said::number);
    let copied = tx.run(
        "INSERT INTO transcript (session, seq, at, role, attention, name, message, long, text, body) \
         SELECT ?2, row_number() OVER (ORDER BY seq), at, role, attention, name, message, long, text, \
         body \
         FROM transcript WHERE session = ?1 AND visibility = 'visible' \
         AND seq >= ?3 AND (seq <= ?4 OR role = 'summary') ORDER BY seq",
        [parent.session, child, parent.shown_from, up_to],
    )?;
    let note = "UPDATE sessions SET entries = ?2 WHERE seq = ?1";
    tx.also(note, params![child, copied as i64])?;
    media::go_along(tx, parent.session, child)?;
    go_on(tx, &parent, child, &branch.then)?;
    Ok(Change::Done(copied))
}

/// The new conversation: what was chosen for it is as before, and so is where it takes place, unless
/// one place moves there that had come from elsewhere. Then it is that place's, and not that of whoever
/// the parent began with.
fn begin(tx: &Tx<'_>, parent: &Head, branch: &Branch) -> Result<i64, Fault> {
    let whose = match &branch.then {
        Then::Move(scope) => place::newest(tx, scope.as_str())?,
        Then::Stay | Then::MoveAll => None,
    };
    tx.insert(
        "INSERT INTO sessions (id, scope, key, generation, platform, account, chat, chat_kind, thread, \
         person, origin, created_at, active_at, listed_at, label, preview, parent, link, model_override, \
         agent, tasks) \
         SELECT ?2, o.scope, o.key, \
         (SELECT max(g.generation) + 1 FROM sessions g WHERE g.scope = o.scope), \
         o.platform, o.account, o.chat, o.chat_kind, o.thread, o.person, o.origin, ?3, ?3, ?3, \
         o.label, s.preview, s.seq, 'branch', s.model_override, s.agent, s.tasks \
         FROM sessions s JOIN sessions o ON o.seq = ?4 WHERE s.seq = ?1",
        params![
            parent.session,
            branch.id.to_string(),
            tx.now().ms(),
            whose.unwrap_or(parent.session)
        ],
    )
}

fn go_on(tx: &Tx<'_>, parent: &Head, child: i64, then: &Then) -> Result<(), Fault> {
    let all = "SELECT scope FROM routes WHERE session = ?1";
    let scopes: Vec<String> = tx.all(all, [parent.session], |row| row.get(0))?;
    let moves = |scope: &String| match then {
        Then::Stay => false,
        Then::Move(only) => only.as_str() == scope,
        Then::MoveAll => true,
    };
    let moving: Vec<&String> = scopes.iter().filter(|scope| moves(scope)).collect();
    for scope in &moving {
        let route = "UPDATE routes SET session = ?2 WHERE scope = ?1";
        tx.also(route, params![scope, child])?;
        bind(tx, scope, child)?;
        ready::follow(tx, parent.session, child)?;
    }
    if !moving.is_empty() && moving.len() == scopes.len() {
        leave(tx, parent)?;
        ready::go_along(tx, parent.session, child)?;
    }
    Ok(())
}

fn bind(tx: &Tx<'_>, scope: &str, session: i64) -> Result<(), Fault> {
    let bound = "INSERT INTO bindings (scope, session, at, why) VALUES (?1, ?2, ?3, ?4)";
    let why = Reason::Branched.as_str();
    tx.also(bound, params![scope, session, tx.now().ms(), why])?;
    Ok(())
}

/// Nobody speaks there any more. A reason that stands already stays.
fn leave(tx: &Tx<'_>, parent: &Head) -> Result<(), Fault> {
    let end =
        "UPDATE sessions SET ended_at = ?2, end_reason = ?3 WHERE seq = ?1 AND ended_at IS NULL";
    let why = Reason::Branched.as_str();
    tx.also(end, params![parent.session, tx.now().ms(), why])?;
    Ok(())
}
