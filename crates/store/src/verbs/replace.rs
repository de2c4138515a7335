//! Rows that are hidden, archived or replaced: each in one statement over a range.

use angelia_core::{limits, text};

use super::long::{self, words_sql};
use super::said::{self, Stored};
use super::search;
use super::transcript::{Head, changeable};
use crate::Change;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::transcripts::{Hide, Replacement, Seen};

/// A replacement in its stored form.
pub(super) struct New {
    what: Replacement,
    rows: Vec<Stored>,
}

impl New {
    pub(super) fn of(mut what: Replacement) -> Result<Self, Fault> {
        let rows = Stored::all(std::mem::take(&mut what.rows))?;
        Ok(Self { what, rows })
    }

    /// The archived rows go on recognising their messages, so those that say them again do not.
    pub(super) fn of_summary(mut what: Replacement) -> Result<Self, Fault> {
        what.rows.iter_mut().for_each(|row| row.key = None);
        Self::of(what)
    }
}

/// Hides every visible row from the given one on. A summary stays: it tells of what came before all of them.
pub(super) fn hide(tx: &Tx<'_>, hide: &Hide) -> Result<Change<usize>, Fault> {
    let head = match changeable(tx, hide.session, hide.by)? {
        Change::Done(head) => head,
        refused @ (Change::Unknown | Change::Busy | Change::Moved) => return Ok(refused.map(|_| 0)),
    };
    if head.is_past(hide.seen) {
        return later(tx, &head, hide);
    }
    let from = said::number(hide.from);
    let hidden = tx.run(
        "UPDATE transcript SET visibility = 'hidden' \
         WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' AND role <> 'summary'",
        [head.session, from],
    )?;
    if hidden > 0 {
        let undone = "UPDATE sessions SET rewinds = rewinds + 1, preview = ?2 WHERE seq = ?1";
        tx.also(undone, params![head.session, last_words(tx, &head)?])?;
    }
    Ok(Change::Done(hidden))
}

/// What a list shows of the conversation now: nothing that was undone.
fn last_words(tx: &Tx<'_>, head: &Head) -> Result<String, Fault> {
    let last = tx.one(
        concat!(
            "SELECT ",
            words_sql!("transcript"),
            " FROM transcript WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' \
             AND (text <> '' OR long IS NOT NULL) ORDER BY seq DESC LIMIT 1"
        ),
        [head.session, head.shown_from],
        |row| row.get::<String>(0),
    )?;
    Ok(text::preview(
        &last.unwrap_or_default(),
        limits::PREVIEW_CHARS,
    ))
}

/// More was said since the plan. If what it was about is hidden, the answer was lost and the undo stands.
fn later(tx: &Tx<'_>, head: &Head, hide: &Hide) -> Result<Change<usize>, Fault> {
    let Seen::UpTo(seen) = hide.seen else {
        return Ok(Change::Moved);
    };
    let shown = tx.number(
        "SELECT EXISTS (SELECT 1 FROM transcript \
         WHERE session = ?1 AND seq BETWEEN ?2 AND ?3 AND visibility = 'visible' \
         AND role <> 'summary')",
        [head.session, said::number(hide.from), said::number(seen)],
    )?;
    Ok(if shown == 0 {
        Change::Done(0)
    } else {
        Change::Moved
    })
}

/// Deletes every row and writes the new ones.
pub(super) fn rewrite(tx: &Tx<'_>, new: &New) -> Result<Change<u64>, Fault> {
    let others = "SELECT count(*) FROM transcript WHERE session = ?1 AND visibility <> 'visible'";
    let head = match ready(tx, new)? {
        Ready::Now(head) => head,
        Ready::Stands(head) if tx.number(others, [head.session])? == 0 => {
            return Ok(Change::Done(head.last.unsigned_abs()));
        }
        Ready::Stands(head) if !head.is_past(new.what.seen) => head,
        Ready::Stands(_) => return Ok(Change::Moved),
        Ready::Refused(refused) => return Ok(refused),
    };
    delete(tx, head.session)?;
    put(tx, &head, &new.rows)
}

/// Deletes what was said, also from what is found.
pub(super) fn delete(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let rows = "DELETE FROM transcript WHERE session = ?1 RETURNING row, long";
    let rows: Vec<(i64, Option<i64>)> =
        tx.all(rows, [session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for message in rows.iter().filter_map(|(_, message)| *message) {
        long::release(tx, message)?;
    }
    let rows: Vec<i64> = rows.into_iter().map(|(row, _)| row).collect();
    search::forget(tx, &rows)
}

/// Archives every visible row and writes the new ones.
pub(super) fn compact(tx: &Tx<'_>, new: &New) -> Result<Change<u64>, Fault> {
    let head = match ready(tx, new)? {
        Ready::Now(head) => head,
        Ready::Stands(head) => return Ok(Change::Done(head.last.unsigned_abs())),
        Ready::Refused(refused) => return Ok(refused),
    };
    tx.also(
        "UPDATE transcript SET visibility = 'archived' \
         WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible'",
        [head.session, head.shown_from],
    )?;
    put(tx, &head, &new.rows)
}

/// Whether a replacement is to be made.
enum Ready {
    Now(Head),
    /// What is visible says the same already.
    Stands(Head),
    Refused(Change<u64>),
}

fn ready(tx: &Tx<'_>, new: &New) -> Result<Ready, Fault> {
    let head = match changeable(tx, new.what.session, new.what.by)? {
        Change::Done(head) => head,
        refused @ (Change::Unknown | Change::Busy | Change::Moved) => {
            return Ok(Ready::Refused(refused.map(|_| 0)));
        }
    };
    if stands(tx, &head, &new.rows)? {
        return Ok(Ready::Stands(head));
    }
    Ok(if head.is_past(new.what.seen) {
        Ready::Refused(Change::Moved)
    } else {
        Ready::Now(head)
    })
}

fn stands(tx: &Tx<'_>, head: &Head, rows: &[Stored]) -> Result<bool, Fault> {
    let mut wanted = rows.iter();
    let same = tx.all(
        concat!(
            "SELECT role, ",
            words_sql!("transcript"),
            ", body FROM transcript \
             WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' ORDER BY seq LIMIT ?3"
        ),
        params![head.session, head.shown_from, rows.len() as i64 + 1],
        |row| match wanted.next() {
            Some(wanted) => wanted.says_the_same(row),
            None => Ok(false),
        },
    )?;
    Ok(same.len() == rows.len() && same.into_iter().all(|same| same))
}

/// Writes rows before which nothing is visible.
fn put(tx: &Tx<'_>, head: &Head, rows: &[Stored]) -> Result<Change<u64>, Fault> {
    let mut place = head.end();
    said::write(tx, &mut place, rows)?;
    tx.also(
        "UPDATE sessions SET entries = ?2, shown_from = ?3 WHERE seq = ?1",
        [head.session, place.last, head.last + 1],
    )?;
    Ok(Change::Done(place.last.unsigned_abs()))
}
