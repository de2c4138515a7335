//! A place begins anew because somebody asked, or is led to another conversation.

use angelia_core::id::SessionId;
use angelia_core::session::news::News;
use angelia_core::transcript::ending::Reason;

use super::begin::{self, After, Came};
use super::place::{self, Routed};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::sessions::{Anew, At, Authority, Begun, Switched};
use crate::verbs::ready;
use crate::verbs::turns::session_seq;

/// Begins a conversation in the place of the one that is spoken in.
pub(super) fn begin_anew(tx: &Tx<'_>, anew: &Anew) -> Result<Begun, Fault> {
    if session_seq(tx, anew.session)?.is_some() {
        return Ok(Begun::Before);
    }
    let Some(from) = place::routed(tx, &anew.at)? else {
        return Ok(Begun::Unknown);
    };
    if anew.by == Authority::Operator && is_working(tx, from.session)? {
        return Ok(Begun::Busy);
    }
    let Some(like) = place::newest(tx, &from.scope)? else {
        // Nothing of its own is left, only somebody else's, which says nothing about this place. Its
        // next message begins as its first did.
        tx.run("DELETE FROM routes WHERE scope = ?1", [&from.scope])?;
        return Ok(Begun::Unknown);
    };
    let new = After {
        id: anew.session,
        like,
        label: anew.label.as_deref(),
        news: Some(News::Asked { earlier: from.id }),
    };
    let seq = begin::after(tx, &new)?;
    begin::lead(tx, &from.scope, seq, Came::Anew(anew.why))?;
    begin::leave(tx, from.session, anew.why)?;
    ready::follow(tx, from.session, seq)?;
    ready::go_along(tx, from.session, seq)?;
    Ok(Begun::Anew { earlier: from.id })
}

/// Leads a place to another conversation.
pub(super) fn switch(
    tx: &Tx<'_>,
    at: &At,
    target: SessionId,
    authority: Authority,
) -> Result<Switched, Fault> {
    let Some(from) = place::routed(tx, at)? else {
        return Ok(Switched::UnknownPlace);
    };
    if from.id == target {
        return Ok(Switched::Same);
    }
    let Some(to) = session_seq(tx, target)? else {
        return Ok(Switched::UnknownTarget);
    };
    if authority == Authority::Place && !may_reach(tx, &from, to)? {
        return Ok(Switched::Forbidden);
    }
    let came = match authority {
        Authority::Operator if is_working(tx, from.session)? => return Ok(Switched::Busy),
        Authority::Operator => Came::Led,
        Authority::Place => Came::Switched,
    };
    take_up(tx, to)?;
    begin::lead(tx, &from.scope, to, came)?;
    begin::leave(tx, from.session, Reason::SessionSwitch)?;
    ready::follow(tx, from.session, to)?;
    ready::go_along(tx, from.session, to)?;
    Ok(Switched::Done { earlier: from.id })
}

/// Whether a turn is open.
pub(in crate::verbs) fn is_working(tx: &Tx<'_>, session: i64) -> Result<bool, Fault> {
    let open = "SELECT EXISTS (SELECT 1 FROM turns WHERE session = ?1 AND state = 'open')";
    Ok(tx.number(open, [session])? == 1)
}

/// Lets a conversation go on: somebody asked for it by name, so what held it back is forgotten. Its
/// choice of a model and an agent goes with the rest, unless another place speaks in it right now.
fn take_up(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    begin::reopen(tx, session)?;
    tx.also(
        "UPDATE sessions SET active_at = max(active_at, ?2), suspended_at = NULL, \
         resume_at = NULL, resume_reason = NULL, model_override = CASE \
         WHEN EXISTS (SELECT 1 FROM routes WHERE session = ?1) THEN model_override END, \
         agent = CASE WHEN EXISTS (SELECT 1 FROM routes WHERE session = ?1) THEN agent END \
         WHERE seq = ?1",
        params![session, tx.now().ms()],
    )?;
    Ok(())
}

/// The sessions that somebody at the place `?1` may reach. `?2` is the newest session that began there,
/// which says whose place it is. Where only the operator led the place, it does not come back by itself.
macro_rules! within_reach {
    () => {
        "(SELECT session FROM bindings WHERE scope = ?1 AND why <> 'led' UNION ALL \
         SELECT seq FROM sessions WHERE scope = ?1 UNION ALL \
         SELECT p.seq FROM sessions m JOIN sessions p ON p.account = m.account \
         AND p.person = m.person AND p.chat_kind = 'dm' \
         WHERE m.seq = ?2 AND m.chat_kind = 'dm')"
    };
}
pub(super) use within_reach;

/// The rows of all conversations that somebody at the place may reach.
pub(in crate::verbs) fn reachable(tx: &Tx<'_>, scope: &str) -> Result<Vec<i64>, Fault> {
    let mine = place::newest(tx, scope)?;
    let sql = concat!(
        "SELECT DISTINCT session FROM ",
        within_reach!(),
        " AS reach"
    );
    tx.all(sql, params![scope, mine], |row| row.get(0))
}

fn may_reach(tx: &Tx<'_>, from: &Routed, target: i64) -> Result<bool, Fault> {
    let mine = place::newest(tx, &from.scope)?;
    let sql = concat!("SELECT ?3 IN ", within_reach!());
    Ok(tx.number(sql, params![from.scope, mine, target])? == 1)
}
