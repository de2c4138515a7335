//! Conversations looked up: by id, by place, by origin.

use angelia_core::id::SessionId;
use angelia_core::session::key::{Scope, SessionKey};
use angelia_core::session::reset::notice::Past;
use angelia_core::transcript::lineage::{Kind, Link};

use super::place;
use super::standing::{STANDING_COLUMNS, standing, standing_sql};
use super::switch::within_reach;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::sessions::{At, InThread, OfOrigin, Record};
use crate::verbs::rows;

/// Selects conversations as [`record`] reads them; the argument says which.
macro_rules! record_sql {
    ($($which:expr),*) => {
        concat!(
            "SELECT s.id, s.scope, s.key, s.generation, s.platform, s.account, s.chat, \
             s.chat_kind, s.thread, s.person, s.origin, s.label, s.title, s.created_at, \
             s.expired_at, s.news, s.model_override, s.prompt_tokens, s.link, \
             (SELECT id FROM sessions p WHERE p.seq = s.parent), \
             s.prompt_tokens > 0 OR EXISTS (SELECT 1 FROM transcript e \
             WHERE e.session = s.seq AND e.role = 'assistant'), ",
            standing_sql!(),
            " FROM sessions s ",
            $($which),*
        )
    };
}

fn record(row: &Row<'_>) -> Result<Record, Fault> {
    Ok(Record {
        id: rows::parsed(row, 0)?,
        scope: Scope::from_stored(row.get(1)?),
        key: SessionKey::from_stored(row.get(2)?),
        generation: row.get(3)?,
        address: rows::address(row, 4)?,
        person: row.get(9)?,
        origin: rows::json_maybe(row, 10)?,
        label: row.get(11)?,
        title: row.get(12)?,
        created_at: rows::time(row, 13)?,
        expired_at: rows::time_maybe(row, 14)?,
        news: rows::json_maybe(row, 15)?,
        model_override: rows::json_maybe(row, 16)?,
        prompt_tokens: row.get(17)?,
        link: link(row, 18)?,
        past: past(row, 20)?,
        standing: standing(row, 21)?,
    })
}

/// What a conversation held, from a column that says whether there was an answer.
pub(in crate::verbs) fn past(row: &Row<'_>, column: usize) -> Result<Past, Fault> {
    Ok(if row.get(column)? {
        Past::Answered
    } else {
        Past::Empty
    })
}

fn link(row: &Row<'_>, first: usize) -> Result<Option<Link>, Fault> {
    let Some(parent) = rows::parsed_maybe(row, first + 1)? else {
        return Ok(None);
    };
    let kind = match row.get_ref(first)?.as_str_or_null()? {
        Some("continuation") => Kind::Continuation,
        Some("branch") => Kind::Branch,
        Some("delegate") => Kind::Delegate,
        Some("parent") | None => Kind::Parent,
        Some(other) => return Err(rows::undecodable(format!("a link is `{other}`"))),
    };
    Ok(Some(Link { parent, kind }))
}

pub(super) fn lookup(tx: &Tx<'_>, session: SessionId) -> Result<Option<Record>, Fault> {
    let sql = record_sql!("WHERE s.id = ?1");
    tx.one(sql, [session.to_string()], record)
}

pub(super) fn peek(tx: &Tx<'_>, scope: &Scope) -> Result<Option<SessionId>, Fault> {
    let at = At::Scope(scope.clone());
    Ok(place::routed(tx, &at)?.map(|routed| routed.id))
}

/// What somebody at the place may be led to, beside what they speak in, the last active first.
pub(super) fn reachable(tx: &Tx<'_>, at: &At, limit: usize) -> Result<Vec<Record>, Fault> {
    let Some(from) = place::routed(tx, at)? else {
        return Ok(Vec::new());
    };
    let mine = place::newest(tx, &from.scope)?;
    let sql = record_sql!(
        "WHERE s.seq <> ?3 AND s.seq IN ",
        within_reach!(),
        " ORDER BY s.active_at DESC, s.seq DESC LIMIT ?4"
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    tx.all(sql, params![from.scope, mine, from.session, limit], record)
}

/// A candidate for the conversation of a chat.
struct Candidate {
    id: SessionId,
    person: Option<String>,
}

pub(super) fn of_origin(tx: &Tx<'_>, asked: &OfOrigin) -> Result<Option<SessionId>, Fault> {
    if asked.chat.is_empty() {
        return Ok(None);
    }
    let thread = match &asked.thread {
        InThread::Any => None,
        InThread::None => Some(""),
        InThread::Named(thread) => Some(thread.as_str()),
    };
    let found = tx.all(
        "SELECT id, person FROM sessions WHERE platform = ?1 AND chat = ?2 AND ended_at IS NULL \
         AND (?3 IS NULL OR coalesce(thread, '') = ?3) ORDER BY seq DESC",
        params![asked.platform.name(), asked.chat, thread],
        |row| {
            Ok(Candidate {
                id: rows::parsed(row, 0)?,
                person: row.get(1)?,
            })
        },
    )?;
    Ok(chosen(&found, asked.person.as_deref()))
}

/// Of the candidates, newest first, the one that is meant, if that can be told.
fn chosen(found: &[Candidate], person: Option<&str>) -> Option<SessionId> {
    let newest = found.first()?;
    let Some(person) = person.filter(|person| !person.is_empty()) else {
        let mut people = found.iter().filter_map(|one| one.person.as_deref());
        let first = people.next();
        return people
            .all(|other| Some(other) == first)
            .then_some(newest.id);
    };
    let theirs = |one: &&Candidate| one.person.as_deref() == Some(person);
    match found.iter().find(theirs) {
        Some(exact) => Some(exact.id),
        None => (found.len() == 1).then_some(newest.id),
    }
}

const _: () = assert!(STANDING_COLUMNS == 7, "`record` reads as many");
