//! What was said: the trait, the guard of every change, and the reads.
//!
//! Undoing and replacing are in `replace`, branching in `branch`, the form of a row in `said`. Reads walk
//! the index over (session, seq) from the end or from the first row that may be visible, so the last rows
//! cost the same in any conversation.

use std::ops::ControlFlow;

use angelia_core::id::SessionId;
use angelia_core::link::Sequel;
use angelia_core::media::attached::Attached;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::transcript::rewind;
use async_trait::async_trait;

use super::pages;
use super::said::{self, Place, Stored, kept, kept_sql};
use super::{branch, replace, rows as stored, turns};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::transcripts::{
    Appended, Branch, By, Hide, Kept, Last, Replacement, Said, Seen, Transcripts, Undo, Unopened,
};
use crate::views::{Page, Range};
use crate::{Change, StoreError};

#[async_trait]
impl Transcripts for Database {
    async fn append(
        &self,
        session: SessionId,
        rows: Vec<Said>,
    ) -> Result<Change<Appended>, StoreError> {
        let rows = Stored::all(rows).map_err(|fault| fault.said(&self.place))?;
        self.write(move |tx| append(tx, session, &rows)).await
    }

    async fn conversation(
        &self,
        session: SessionId,
        last: Last,
    ) -> Result<Option<Vec<Kept>>, StoreError> {
        self.read(move |tx| match head(tx, session)? {
            Some(head) => conversation(tx, &head, last).map(Some),
            None => Ok(None),
        })
        .await
    }

    async fn sequel(
        &self,
        session: SessionId,
        after: u64,
        most: usize,
    ) -> Result<Option<Sequel>, StoreError> {
        self.read(move |tx| match head(tx, session)? {
            Some(head) => sequel(tx, &head, after, most).map(Some),
            None => Ok(None),
        })
        .await
    }

    async fn rows(
        &self,
        session: SessionId,
        range: Range,
    ) -> Result<Option<Page<Kept>>, StoreError> {
        self.read(move |tx| match head(tx, session)? {
            Some(head) => rows(tx, &head, &range).map(Some),
            None => Ok(None),
        })
        .await
    }

    async fn rewind_plan(
        &self,
        session: SessionId,
        turns: u32,
    ) -> Result<Option<Undo>, StoreError> {
        self.read(move |tx| match head(tx, session)? {
            Some(head) => plan(tx, &head, turns),
            None => Ok(None),
        })
        .await
    }

    async fn hide_from(&self, hide: Hide) -> Result<Change<usize>, StoreError> {
        self.write(move |tx| replace::hide(tx, &hide)).await
    }

    async fn rewrite(&self, replacement: Replacement) -> Result<Change<u64>, StoreError> {
        let new = replace::New::of(replacement).map_err(|fault| fault.said(&self.place))?;
        self.write(move |tx| replace::rewrite(tx, &new)).await
    }

    async fn compact(&self, replacement: Replacement) -> Result<Change<u64>, StoreError> {
        let new = replace::New::of_summary(replacement).map_err(|fault| fault.said(&self.place))?;
        self.write(move |tx| replace::compact(tx, &new)).await
    }

    async fn branch(&self, branch: Branch) -> Result<Change<usize>, StoreError> {
        self.write(move |tx| branch::branch(tx, &branch)).await
    }
}

/// What a verb needs to know of a conversation.
pub(super) struct Head {
    pub(super) session: i64,
    /// The number of the last row.
    pub(super) last: i64,
    /// Before this number nothing is visible.
    pub(super) shown_from: i64,
}

/// The conversation, if there is one.
pub(super) fn head(tx: &Tx<'_>, session: SessionId) -> Result<Option<Head>, Fault> {
    tx.one(
        "SELECT seq, entries, shown_from FROM sessions WHERE id = ?1 /* hold */",
        [session.to_string()],
        |row| {
            Ok(Head {
                session: row.get(0)?,
                last: row.get(1)?,
                shown_from: row.get(2)?,
            })
        },
    )
}

/// The conversation, if it may be changed by this caller now.
pub(super) fn changeable(tx: &Tx<'_>, session: SessionId, by: By) -> Result<Change<Head>, Fault> {
    let Some(head) = head(tx, session)? else {
        return Ok(Change::Unknown);
    };
    let open = tx.one(
        "SELECT id, fence FROM turns WHERE session = ?1 AND state = 'open'",
        [head.session],
        |row| Ok((row.get::<String>(0)?, row.get::<i64>(1)?)),
    )?;
    let may = match (open, by) {
        (None, By::Anyone) => true,
        (Some((id, fence)), By::Turn(turn, own)) => id == turn.to_string() && fence == own.0,
        (Some(_), By::Anyone) | (None, By::Turn(..)) => false,
    };
    Ok(if may {
        Change::Done(head)
    } else {
        Change::Busy
    })
}

impl Head {
    /// Whether more was said than the caller had read.
    pub(super) fn is_past(&self, seen: Seen) -> bool {
        match seen {
            Seen::Anything => false,
            Seen::UpTo(seq) => self.last.unsigned_abs() > seq,
        }
    }

    /// Where new rows go.
    pub(super) fn end(&self) -> Place {
        Place {
            session: self.session,
            last: self.last,
            turn: None,
        }
    }
}

fn append(tx: &Tx<'_>, session: SessionId, rows: &[Stored]) -> Result<Change<Appended>, Fault> {
    let Some(head) = head(tx, session)? else {
        return Ok(Change::Unknown);
    };
    let mut place = head.end();
    let written = said::write(tx, &mut place, rows)?;
    note_last(tx, &place)?;
    Ok(Change::Done(Appended {
        written,
        known: rows.len() - written,
        last: place.last.unsigned_abs(),
    }))
}

/// Notes the number of the last row.
pub(super) fn note_last(tx: &Tx<'_>, place: &Place) -> Result<(), Fault> {
    let sql = "UPDATE sessions SET entries = ?2 WHERE seq = ?1 AND entries <> ?2";
    tx.also(sql, [place.session, place.last])?;
    Ok(())
}

fn conversation(tx: &Tx<'_>, head: &Head, last: Last) -> Result<Vec<Kept>, Fault> {
    let all = head.last - head.shown_from + 1;
    match last {
        Last::All => gather(
            tx,
            kept_sql!(
                "WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' ORDER BY seq LIMIT ?3"
            ),
            [head.session, head.shown_from, all],
        ),
        Last::Rows(count) => {
            let count = i64::try_from(count).unwrap_or(i64::MAX).min(all);
            let mut rows = gather(
                tx,
                kept_sql!(
                    "WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' \
                     ORDER BY seq DESC LIMIT ?3"
                ),
                [head.session, head.shown_from, count],
            )?;
            rows.reverse();
            if count < all && !rows.iter().any(is_summary) {
                rows.splice(0..0, summary(tx, head)?);
            }
            Ok(rows)
        }
    }
}

fn is_summary(row: &Kept) -> bool {
    row.entry.role == Role::Summary
}

/// What stands for the rows that are not shown any more, however far back it was written.
fn summary(tx: &Tx<'_>, head: &Head) -> Result<Vec<Kept>, Fault> {
    gather(
        tx,
        kept_sql!(
            "WHERE session = ?1 AND seq >= ?2 AND role = 'summary' AND visibility = 'visible' \
             ORDER BY seq DESC LIMIT ?3"
        ),
        [head.session, head.shown_from, 1],
    )
}

/// Reads at most as many rows as the third value says. There is room for them from the start: moving a
/// long conversation while it grows costs as much as reading it.
fn gather(tx: &Tx<'_>, sql: &str, values: [i64; 3]) -> Result<Vec<Kept>, Fault> {
    let mut rows = Vec::with_capacity(usize::try_from(values[2]).unwrap_or(0));
    tx.walk(sql, values, |row| {
        rows.push(kept(row)?);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(rows)
}

fn sequel(tx: &Tx<'_>, head: &Head, after: u64, most: usize) -> Result<Sequel, Fault> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut rows = tx.all(
        "SELECT seq, role FROM transcript WHERE session = ?1 AND seq > ?2 \
         AND visibility = 'visible' ORDER BY seq DESC LIMIT ?3",
        [head.session, said::number(after), most],
        |row| {
            let role = Role::from(row.get::<String>(1)?);
            Ok((row.get::<i64>(0)?.unsigned_abs(), role))
        },
    )?;
    rows.reverse();
    Ok(Sequel {
        rows,
        last: head.last.unsigned_abs(),
    })
}

fn rows(tx: &Tx<'_>, head: &Head, range: &Range) -> Result<Page<Kept>, Fault> {
    let after = match pages::start(range) {
        pages::Start::First => 0,
        pages::Start::After(seq, _) => seq,
        pages::Start::PastTheEnd => return Ok(pages::empty()),
    };
    let found = tx.all(
        kept_sql!("WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"),
        params![head.session, after, pages::asked(range)],
        |row| kept(row).map(|kept| (kept.seq.to_string(), kept)),
    )?;
    Ok(pages::page(range, found))
}

/// Only the rows that the undo would hide are read: `core` decides over them, and it would decide the
/// same over all.
fn plan(tx: &Tx<'_>, head: &Head, turns: u32) -> Result<Option<Undo>, Fault> {
    let Some(from) = beginning(tx, head, turns)? else {
        return Ok(None);
    };
    let rows = tx.all(
        kept_sql!("WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' ORDER BY seq"),
        [head.session, from],
        kept,
    )?;
    let entries: Vec<Entry> = rows.into_iter().map(|row| row.entry).collect();
    let plan = rewind::plan(&entries, i64::from(turns));
    let unopened = unopened(tx, head, from)?;
    Ok(plan.map(|plan| Undo {
        from: from.unsigned_abs(),
        last: head.last.unsigned_abs(),
        rows: plan.rows,
        turns: plan.turns,
        text: plan.text,
        pictures: plan.pictures,
        unopened,
    }))
}

/// What came with the question in the row `from` and was never opened, by the messages that its turn was opened over. A
/// branch has copies of its rows; their turn is that of the row they were copied from.
fn unopened(tx: &Tx<'_>, head: &Head, from: i64) -> Result<Option<Unopened>, Fault> {
    let sql = "WITH RECURSIVE line (session) AS (SELECT ?1 UNION SELECT s.parent FROM line \
               JOIN sessions s ON s.seq = line.session WHERE s.parent IS NOT NULL) \
               SELECT t.batch, t.asked FROM transcript q CROSS JOIN line \
               JOIN transcript r ON r.session = line.session AND (r.row = q.row OR r.message = q.message) \
               JOIN turns t ON t.seq = r.turn \
               WHERE q.session = ?1 AND q.seq = ?2 ORDER BY r.session DESC LIMIT 1";
    let asked = tx.one(sql, [head.session, from], |row| {
        Ok((stored::batch(row, 0)?, row.get::<u32>(1)? as usize))
    })?;
    let (batch, asked) = asked.unwrap_or_default();
    let said = turns::messages(tx, batch.get(..asked).unwrap_or(&batch))?;
    let said = said.iter().map(|one| &*one.waiting.inbound);
    let attached: Vec<Attached> = said.clone().flat_map(|one| one.attached.clone()).collect();
    let words: Vec<&str> = said.map(|one| one.text.as_str()).collect();
    Ok((!attached.is_empty()).then(|| Unopened {
        text: words.join("\n"),
        attached,
    }))
}

/// The row with which the N-th newest turn begins, or the oldest one that there is.
fn beginning(tx: &Tx<'_>, head: &Head, turns: u32) -> Result<Option<i64>, Fault> {
    let oldest = tx.all(
        "SELECT seq FROM transcript WHERE session = ?1 AND seq >= ?2 AND visibility = 'visible' \
         AND role = 'user' AND attention IS NULL ORDER BY seq DESC LIMIT ?3",
        params![head.session, head.shown_from, turns.max(1)],
        |row| row.get(0),
    )?;
    Ok(oldest.last().copied())
}

#[cfg(test)]
#[path = "transcript_tests.rs"]
mod tests;
