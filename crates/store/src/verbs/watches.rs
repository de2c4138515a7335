//! Watched processes.
//!
//! `processes.watching` is how far a process was looked at and how its hits rest, as JSON; the limits of
//! all processes of a home are one row of `watch_paces`. `core` decides on both inside the transaction. A
//! process that struck out has no patterns any more and its notice is wanted: the wish itself is changed,
//! so nothing else has to know.

use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::process::watch::News;
use angelia_core::process::watch::pace::{self, Goes, Judged, Pace, Rate};
use angelia_core::process::watch::scan::{Found, Scan};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::processes::read::{process, process_sql};
use super::processes::{moved, one};
use super::{hold, rows};
use crate::StoreError;
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::processes::Moved;
use crate::watches::{Checked, DueCheck, Look, Looked, Untold, Watches};

/// The stored form of a watch.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Watching {
    looks: u32,
    place: u64,
    scan: Scan,
    rate: Rate,
}

#[async_trait]
impl Watches for Database {
    async fn looked(&self, id: ProcessId) -> Result<Option<Looked>, StoreError> {
        self.read(move |tx| {
            let watched = watched(tx, id)?;
            Ok(watched.map(|(_, watching)| Looked {
                looks: watching.looks,
                place: watching.place,
                scan: watching.scan,
            }))
        })
        .await
    }

    async fn look(&self, id: ProcessId, look: Look) -> Result<Moved, StoreError> {
        self.write(move |tx| write_look(tx, id, &look)).await
    }

    async fn due_checks(&self, home: &str) -> Result<Vec<DueCheck>, StoreError> {
        let sql = process_sql!(
            "WHERE p.home = ?1 AND p.ended_at IS NULL AND p.check_at <= ?2 \
             AND p.state = 'running' ORDER BY p.check_at, p.seq"
        );
        let home = home.to_owned();
        self.read(move |tx| {
            tx.all(sql, params![home, tx.now().ms()], |row| {
                let bytes = u64::try_from(row.get::<i64>(29)?).unwrap_or(0);
                let process = process(row)?;
                Ok(DueCheck { process, bytes })
            })
        })
        .await
    }

    async fn checked(&self, id: ProcessId, checked: Checked) -> Result<Moved, StoreError> {
        self.write(move |tx| write_check(tx, id, &checked)).await
    }

    async fn untold_news(&self, home: &str, limit: usize) -> Result<Vec<Untold>, StoreError> {
        let sql = process_sql!(
            "JOIN process_news n ON n.process = p.seq WHERE p.home = ?1 ORDER BY n.seq LIMIT ?2",
            ", n.number, n.body"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let home = home.to_owned();
        self.read(move |tx| {
            tx.all(sql, params![home, limit], |row| {
                Ok(Untold {
                    process: process(row)?,
                    number: row.get(30)?,
                    news: rows::body(row, 31)?,
                })
            })
        })
        .await
    }

    async fn news_told(&self, id: ProcessId, number: u32) -> Result<(), StoreError> {
        self.write(move |tx| {
            let sql = "DELETE FROM process_news WHERE number = ?2 \
                       AND process = (SELECT seq FROM processes WHERE id = ?1)";
            tx.also(sql, params![id.to_string(), number])
        })
        .await
    }
}

/// The row of a process that is watched for words, and how far.
fn watched(tx: &Tx<'_>, id: ProcessId) -> Result<Option<(i64, Watching)>, Fault> {
    let sql = "SELECT seq, watching FROM processes WHERE id = ?1 AND patterns IS NOT NULL";
    tx.one(sql, [id.to_string()], |row| {
        let stored: Option<Watching> = row
            .get::<Option<String>>(1)?
            .map(|_| rows::body(row, 1))
            .transpose()?;
        Ok((row.get(0)?, stored.unwrap_or_default()))
    })
}

fn write_look(tx: &Tx<'_>, id: ProcessId, look: &Look) -> Result<Moved, Fault> {
    hold::process(tx, id)?;
    let watched = watched(tx, id)?;
    let Some((seq, mut watching)) = watched.filter(|(_, now)| now.looks == look.looked.looks)
    else {
        return unchanged(tx, id);
    };
    let judged = judge(tx, seq, &mut watching.rate, look.found.as_ref())?;
    for news in &judged.news {
        add(tx, seq, news)?;
    }
    watching.looks += 1;
    watching.place = look.looked.place;
    watching.scan = look.looked.scan.clone();
    let sql = match judged.watch {
        Goes::On => "UPDATE processes SET watching = ?2 WHERE id = ?1",
        Goes::Out => {
            "UPDATE processes SET watching = ?2, patterns = NULL, notice = 'wanted' WHERE id = ?1"
        }
    };
    let values = params![id.to_string(), rows::versioned(&watching)?];
    moved(tx, id, sql, values)
}

/// What is told of found lines, under the limits of the process and of its home.
fn judge(
    tx: &Tx<'_>,
    process: i64,
    rate: &mut Rate,
    found: Option<&Found>,
) -> Result<Judged, Fault> {
    let Some(found) = found else {
        return Ok(Judged::default());
    };
    let waiting = "SELECT count(*) FROM process_news WHERE process = ?1";
    if tx.number(waiting, [process])? >= limits::NEWS_WAITING_MAX as i64 {
        rate.miss(found);
        return Ok(Judged::default());
    }
    hold::named(tx, "watch_paces")?;
    let stored = "SELECT w.body FROM watch_paces w JOIN processes p ON p.home = w.home \
                  WHERE p.seq = ?1";
    let stored: Option<Pace> = tx.one(stored, [process], |row| rows::body(row, 0))?;
    let mut pace = stored.unwrap_or_default();
    let judged = pace::judge(rate, &mut pace, found.clone(), tx.now());
    let sql = "INSERT INTO watch_paces (home, body) SELECT home, ?2 FROM processes WHERE seq = ?1 \
               ON CONFLICT (home) DO UPDATE SET body = excluded.body";
    tx.also(sql, params![process, rows::versioned(&pace)?])?;
    Ok(judged)
}

fn write_check(tx: &Tx<'_>, id: ProcessId, checked: &Checked) -> Result<Moved, Fault> {
    let bytes = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let sql = "UPDATE processes SET checked_bytes = ?3, check_at = ?4 + every_ms WHERE id = ?1 \
               AND checked_bytes = ?2 AND check_at <= ?4 AND ended_at IS NULL";
    let (before, now) = (bytes(checked.before), bytes(checked.bytes));
    let values = params![id.to_string(), before, now, tx.now().ms()];
    let moved = moved(tx, id, sql, values)?;
    if let (Moved::Now(_), Some(update)) = (&moved, &checked.update) {
        let seq = tx.number("SELECT seq FROM processes WHERE id = ?1", [id.to_string()])?;
        let older = "DELETE FROM process_news WHERE process = ?1 AND kind = 'update'";
        tx.also(older, [seq])?;
        let output = update.clone();
        add(tx, seq, &News::Update { output })?;
    }
    Ok(moved)
}

fn add(tx: &Tx<'_>, process: i64, news: &News) -> Result<(), Fault> {
    let count = "UPDATE processes SET news = news + 1 WHERE seq = ?1";
    tx.also(count, [process])?;
    tx.insert(
        "INSERT INTO process_news (process, number, kind, at, body) \
         SELECT seq, news, ?2, ?3, ?4 FROM processes WHERE seq = ?1",
        params![process, news.kind(), tx.now().ms(), rows::versioned(news)?],
    )?;
    Ok(())
}

fn unchanged(tx: &Tx<'_>, id: ProcessId) -> Result<Moved, Fault> {
    let process = one(tx, id)?;
    Ok(process.map_or(Moved::Unknown, |process| Moved::Before(Box::new(process))))
}

/// Takes the words of a conversation out of what is known about its processes.
pub(super) fn empty(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    let sql = "DELETE FROM process_news \
               WHERE process IN (SELECT seq FROM processes WHERE session = ?1)";
    tx.also(sql, [session])
}

#[cfg(test)]
#[path = "watches_tests.rs"]
mod tests;
