//! Conversations in lists, and what is known of one.
//!
//! A list walks the index of `listed_at` from its cursor. Filters are tried row by row on that walk: a
//! page without them costs the same wherever it begins, one with a rare match may read on.

use angelia_core::id::SessionId;
use angelia_core::session::key::SessionKey;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::time::Timestamp;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::lineage::{Kind, Link};

use super::super::pages::{self, Start};
use super::super::rows;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::views::{Activity, LifeFilter, Page, Range, SessionFacts, SessionFilter, SessionRow};

/// Selects conversations as [`session`] reads them; the argument says which.
macro_rules! session_sql {
    ($which:literal) => {
        concat!(
            "SELECT s.seq, s.id, s.key, s.generation, s.platform, s.account, s.chat, s.chat_kind, \
             s.thread, s.label, s.preview, s.created_at, s.active_at, \
             EXISTS (SELECT 1 FROM inbox i WHERE i.session = s.seq AND i.state = 'next'), \
             EXISTS (SELECT 1 FROM turns t WHERE t.session = s.seq AND t.state = 'open'), s.listed_at, \
             s.title, EXISTS (SELECT 1 FROM routes r WHERE r.session = s.seq), s.ended_at, \
             s.end_reason, s.suspended_at \
             FROM sessions s ",
            $which
        )
    };
}
pub(in crate::verbs) use session_sql;

/// A conversation from a row of `session_sql!`.
pub(in crate::verbs) fn session(row: &Row<'_>) -> Result<SessionRow, Fault> {
    Ok(SessionRow {
        id: rows::parsed(row, 1)?,
        key: SessionKey::from_stored(row.get(2)?),
        generation: row.get(3)?,
        address: rows::address(row, 4)?,
        label: row.get(9)?,
        title: row.get(16)?,
        preview: row.get(10)?,
        created_at: rows::time(row, 11)?,
        active_at: rows::time(row, 12)?,
        activity: match (row.get(13)?, row.get(14)?) {
            (_, true) => Activity::Working,
            (true, false) => Activity::Waiting,
            (false, false) => Activity::Idle,
        },
        current: row.get(17)?,
        ended: ended(row)?,
        suspended_at: rows::time_maybe(row, 20)?,
    })
}

fn ended(row: &Row<'_>) -> Result<Option<(Timestamp, Reason)>, Fault> {
    match rows::time_maybe(row, 18)? {
        Some(at) => Ok(Some((at, rows::parsed(row, 19)?))),
        None => Ok(None),
    }
}

/// Conversations, most recently active first.
pub(in crate::verbs) fn sessions(
    tx: &Tx<'_>,
    filter: &SessionFilter,
    range: &Range,
) -> Result<Page<SessionRow>, Fault> {
    let (at, seq) = match pages::start(range) {
        Start::First => (i64::MAX, i64::MAX),
        Start::After(at, seq) => (at, seq),
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let life = match filter.life {
        LifeFilter::All => None,
        LifeFilter::Live => Some(false),
        LifeFilter::Ended => Some(true),
    };
    let found = tx.all(
        session_sql!(
            "WHERE (s.listed_at, s.seq) < (?1, ?2) \
             AND (?4 IS NULL OR s.platform = ?4) AND (?5 IS NULL OR s.chat = ?5) \
             AND (?6 IS NULL OR (s.ended_at IS NOT NULL) = ?6) \
             AND (?7 IS NULL OR s.title LIKE ?7 ESCAPE '\\' OR s.label LIKE ?7 ESCAPE '\\' \
                  OR s.chat LIKE ?7 ESCAPE '\\' OR s.preview LIKE ?7 ESCAPE '\\') \
             ORDER BY s.listed_at DESC, s.seq DESC LIMIT ?3"
        ),
        params![
            at,
            seq,
            pages::asked(range),
            filter.platform.map(|platform| platform.name()),
            filter.chat,
            life,
            filter.text.as_deref().map(containing),
        ],
        |row| {
            let cursor = format!("{}.{}", row.get::<i64>(15)?, row.get::<i64>(0)?);
            Ok((cursor, session(row)?))
        },
    )?;
    Ok(pages::page(range, found))
}

/// The pattern of LIKE for texts with this one in them; its own signs stand for themselves.
fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

/// What else is known of the conversation.
pub(in crate::verbs) fn facts(tx: &Tx<'_>, session: i64) -> Result<SessionFacts, Fault> {
    let facts = tx.one(
        "SELECT p.id, s.link, s.model_override, s.resume_at, s.resume_reason, s.rewinds, \
         s.prompt_tokens, s.agent \
         FROM sessions s LEFT JOIN sessions p ON p.seq = s.parent WHERE s.seq = ?1",
        [session],
        |row| {
            let resume_at = rows::time_maybe(row, 3)?;
            let reason: Option<String> = row.get(4)?;
            Ok(SessionFacts {
                link: link(row)?,
                branches: Vec::new(),
                model: model(row.get(2)?)?,
                agent: rows::parsed_maybe(row, 7)?,
                resume: resume_at.map(|at| (at, reason.unwrap_or_default())),
                rewinds: row.get(5)?,
                prompt_tokens: row.get::<i64>(6)?.unsigned_abs(),
            })
        },
    )?;
    Ok(SessionFacts {
        branches: branches(tx, session)?,
        ..facts.unwrap_or_default()
    })
}

fn link(row: &Row<'_>) -> Result<Option<Link>, Fault> {
    let parent: Option<String> = row.get(0)?;
    if parent.is_none() {
        return Ok(None);
    }
    let kind: Option<String> = row.get(1)?;
    let kind = match kind.as_deref() {
        Some("continuation") => Kind::Continuation,
        Some("branch") => Kind::Branch,
        Some("delegate") => Kind::Delegate,
        Some(_) | None => Kind::Parent,
    };
    let parent = rows::parsed(row, 0)?;
    Ok(Some(Link { parent, kind }))
}

/// A choice that cannot be read is none: the conversation goes on with the usual model.
fn model(stored: Option<String>) -> Result<Option<ModelOverride>, Fault> {
    let read = |text: String| serde_json::from_str(&text).ok();
    Ok(stored.and_then(read))
}

fn branches(tx: &Tx<'_>, session: i64) -> Result<Vec<SessionId>, Fault> {
    tx.all(
        "SELECT id FROM sessions WHERE parent = ?1 AND link = 'branch' ORDER BY seq",
        [session],
        |row| rows::parsed(row, 0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signs_of_a_pattern_stand_for_themselves() {
        assert_eq!(containing("50%_a\\"), "%50\\%\\_a\\\\%");
    }
}
