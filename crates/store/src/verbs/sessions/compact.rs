//! A conversation goes on from a summary, in another session.
//!
//! Everything that makes it this conversation moves to the child in the transaction that ends the
//! parent: every place that spoke in it, what waits and what runs in it, its marks and choices. So there is no moment
//! at which a crash could leave the child without its place, and the next message is decided on the
//! child with everything that was known of the parent.

use angelia_core::id::SessionId;
use angelia_core::transcript::ending::{Life, Reason};

use super::begin::{self, After, Came};
use super::standing;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::sessions::{Compacted, Force};
use crate::verbs::turns::session_seq;
use crate::verbs::{approvals, media, processes};

/// Goes on in `child`.
pub(super) fn compact_into(
    tx: &Tx<'_>,
    parent: SessionId,
    child: SessionId,
) -> Result<Compacted, Fault> {
    let Some(from) = session_seq(tx, parent)? else {
        return Ok(Compacted::Unknown);
    };
    if continues(tx, child, from)? {
        return Ok(Compacted::Before);
    }
    let sql = "SELECT end_reason, \
               EXISTS (SELECT 1 FROM turns t WHERE t.session = ?1 AND t.state = 'open') \
               FROM sessions WHERE seq = ?1";
    let stands = tx.one(sql, [from], |row| {
        Ok((standing::life(row, 0)?, row.get::<bool>(1)?))
    })?;
    match stands {
        None => Ok(Compacted::Unknown),
        Some((Life::Ended(reason), _)) if !reason.is_accident() => Ok(Compacted::Ended(reason)),
        Some((_, true)) => Ok(Compacted::Busy),
        Some((_, false)) => move_into(tx, from, child).map(|()| Compacted::Done),
    }
}

fn continues(tx: &Tx<'_>, child: SessionId, parent: i64) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sessions \
               WHERE id = ?1 AND parent = ?2 AND link = 'continuation')";
    Ok(tx.number(sql, params![child.to_string(), parent])? == 1)
}

fn move_into(tx: &Tx<'_>, parent: i64, child: SessionId) -> Result<(), Fault> {
    let new = After {
        id: child,
        like: parent,
        label: None,
        news: None,
    };
    let to = begin::after(tx, &new)?;
    tx.also(
        "UPDATE sessions SET parent = p.seq, link = 'continuation', active_at = p.active_at, \
         preview = p.preview, news = p.news, suspended_at = p.suspended_at, \
         resume_at = p.resume_at, resume_reason = p.resume_reason, works_since = p.works_since, \
         model_override = p.model_override, agent = p.agent, prompt_tokens = p.prompt_tokens, \
         directory = p.directory, tasks = p.tasks \
         FROM sessions p WHERE p.seq = ?1 AND sessions.seq = ?2",
        [parent, to],
    )?;
    tx.also("UPDATE sessions SET news = NULL WHERE seq = ?1", [parent])?;
    // One statement for each state: each has an index of its own.
    for wait in [
        "UPDATE inbox SET session = ?2 WHERE session = ?1 AND state = 'next'",
        "UPDATE inbox SET session = ?2 WHERE session = ?1 AND state = 'waiting'",
    ] {
        tx.also(wait, [parent, to])?;
    }
    media::go_along(tx, parent, to)?;
    processes::go_along(tx, parent, to)?;
    approvals::go_along(tx, parent, to)?;
    let places = "SELECT scope FROM routes WHERE session = ?1";
    for scope in tx.all(places, [parent], |row| row.get::<String>(0))? {
        begin::lead(tx, &scope, to, Came::Continued)?;
    }
    begin::end(tx, parent, Reason::Compression, Force::Boundary)?;
    Ok(())
}
