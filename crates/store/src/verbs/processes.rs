//! Background processes: the trait and its verbs.
//!
//! A row lives while `ended_at` is NULL. `killed_at` is when somebody asked it to end. `keep_work` brings
//! `sessions.works_since` in line with the rows, in the transaction that changes them; `read` makes values
//! of rows, `reading` knows ends that a turn has read.

pub(super) mod read;
pub(super) mod reading;

use angelia_core::about::About;
use angelia_core::id::{ProcessId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::process::Notice;
use angelia_core::time::Span;
use async_trait::async_trait;

use super::pages::{self, Start};
use super::turns::{Open, owned, session_seq};
use super::{hold, rows, watches};
use crate::database::Database;
use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::database::tx::Tx;
use crate::database::value::{Params, params};
use crate::processes::{
    Begun, Limit, Live, Living, Moved, NewProcess, Process, ProcessFilter, Processes, Seen,
};
use crate::views::{Page, Range};
use crate::{Fenced, StoreError};
use read::{end_columns, live, process, process_sql};

#[async_trait]
impl Processes for Database {
    async fn begin_process(&self, new: NewProcess) -> Result<Fenced<Begun>, StoreError> {
        self.write(move |tx| match owned(tx, new.turn, new.fence)? {
            Some(open) => begin(tx, &open, &new).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn process_runs(&self, id: ProcessId) -> Result<Moved, StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE processes SET state = 'running' \
                       WHERE id = ?1 AND state = 'starting'";
            moved(tx, id, sql, [id.to_string()])
        })
        .await
    }

    async fn ask_to_end(&self, id: ProcessId) -> Result<Moved, StoreError> {
        self.write(move |tx| {
            let sql = "UPDATE processes SET killed_at = ?2 \
                       WHERE id = ?1 AND ended_at IS NULL AND killed_at IS NULL";
            moved(tx, id, sql, params![id.to_string(), tx.now().ms()])
        })
        .await
    }

    async fn end_process(&self, id: ProcessId, seen: Seen) -> Result<Moved, StoreError> {
        self.write(move |tx| end(tx, id, &seen)).await
    }

    async fn end_told_process(&self, id: ProcessId, seen: Seen) -> Result<Moved, StoreError> {
        self.write(move |tx| match end(tx, id, &seen)? {
            Moved::Now(_) => reading::noticed(tx, id),
            other @ (Moved::Before(_) | Moved::Unknown) => Ok(other),
        })
        .await
    }

    async fn consume_process(
        &self,
        id: ProcessId,
        turn: TurnId,
        fence: Fence,
    ) -> Result<Fenced<Moved>, StoreError> {
        self.write(move |tx| match owned(tx, turn, fence)? {
            Some(open) => reading::consume(tx, &open, id).map(Fenced::Done),
            None => Ok(Fenced::Lost),
        })
        .await
    }

    async fn process_noticed(&self, id: ProcessId) -> Result<Moved, StoreError> {
        self.write(move |tx| reading::noticed(tx, id)).await
    }

    async fn live_processes(&self, home: &str) -> Result<Vec<Live>, StoreError> {
        let sql = process_sql!(
            "WHERE p.home = ?1 AND p.ended_at IS NULL ORDER BY p.seq",
            ", p.killed_at"
        );
        let home = home.to_owned();
        self.read(move |tx| tx.all(sql, [&home], live)).await
    }

    async fn untold_processes(&self, home: &str, limit: usize) -> Result<Vec<Process>, StoreError> {
        let sql = process_sql!(
            "WHERE p.home = ?1 AND p.ended_at IS NOT NULL AND p.noticed_at IS NULL \
             AND (p.notice = 'wanted' OR p.every_ms IS NOT NULL) AND (p.read_by IS NULL OR r.state <> 'open' \
             AND r.state <> 'completed') ORDER BY p.ended_at, p.seq LIMIT ?2"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let home = home.to_owned();
        self.read(move |tx| tx.all(sql, params![home, limit], process))
            .await
    }

    async fn spent_processes(&self, home: &str, limit: usize) -> Result<Vec<Process>, StoreError> {
        let sql = process_sql!(
            "WHERE p.home = ?1 AND p.ended_at IS NOT NULL \
             AND (p.notice = 'unwanted' AND p.every_ms IS NULL OR p.noticed_at IS NOT NULL \
             OR r.state = 'completed') \
             AND NOT EXISTS (SELECT 1 FROM process_news n WHERE n.process = p.seq) \
             ORDER BY p.session IS NOT NULL, p.ended_at, p.seq LIMIT ?2"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let home = home.to_owned();
        self.read(move |tx| tx.all(sql, params![home, limit], process))
            .await
    }

    async fn forget_process(&self, id: ProcessId) -> Result<(), StoreError> {
        self.write(move |tx| {
            let news = "DELETE FROM process_news WHERE process = \
                        (SELECT seq FROM processes WHERE id = ?1 AND ended_at IS NOT NULL)";
            tx.also(news, [id.to_string()])?;
            let errands = "DELETE FROM process_errands WHERE process = \
                           (SELECT seq FROM processes WHERE id = ?1 AND ended_at IS NOT NULL)";
            tx.also(errands, [id.to_string()])?;
            let sql = "DELETE FROM processes WHERE id = ?1 AND ended_at IS NOT NULL";
            tx.also(sql, [id.to_string()])
        })
        .await
    }

    async fn process(&self, id: ProcessId) -> Result<Option<Process>, StoreError> {
        self.read(move |tx| one(tx, id)).await
    }

    async fn processes(
        &self,
        filter: ProcessFilter,
        range: Range,
    ) -> Result<Page<Process>, StoreError> {
        self.read(move |tx| list(tx, filter, &range)).await
    }
}

pub(super) fn one(tx: &Tx<'_>, id: ProcessId) -> Result<Option<Process>, Fault> {
    tx.one(process_sql!("WHERE p.id = ?1"), [id.to_string()], process)
}

fn begin(tx: &Tx<'_>, open: &Open, new: &NewProcess) -> Result<Begun, Fault> {
    let before = process_sql!("WHERE p.turn = ?1 AND p.call = ?2");
    if let Some(process) = tx.one(before, params![open.seq, new.call], process)? {
        return Ok(Begun::Before(process));
    }
    hold::named(tx, &format!("processes/{}", new.home))?;
    if let Some(limit) = limit(tx, open, new)? {
        return Ok(Begun::Full(limit));
    }
    insert(tx, open, new)?;
    keep_work(tx, open.session)?;
    let process = one(tx, new.id)?;
    let process = process.ok_or_else(|| rows::undecodable("a new process is not there"))?;
    Ok(Begun::New(process))
}

fn limit(tx: &Tx<'_>, open: &Open, new: &NewProcess) -> Result<Option<Limit>, Fault> {
    let of_session = "SELECT count(*) FROM processes WHERE session = ?1 AND ended_at IS NULL";
    if tx.number(of_session, [open.session])? >= limits::PROCESSES_PER_SESSION as i64 {
        return Ok(Some(Limit::Session));
    }
    let of_node = "SELECT count(*) FROM processes WHERE home = ?1 AND ended_at IS NULL";
    let is_full = tx.number(of_node, [&new.home])? >= limits::PROCESSES_PER_NODE as i64;
    Ok(is_full.then_some(Limit::Node))
}

fn insert(tx: &Tx<'_>, open: &Open, new: &NewProcess) -> Result<(), Fault> {
    let address = &new.caller.address;
    tx.insert(
        "INSERT INTO processes (id, session, turn, call, node, home, command, workdir, mode, \
         platform, account, chat, chat_kind, thread, person, person_name, about, key, notice, \
         every_ms, patterns, state, started_at, check_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, \
         ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, 'starting', ?22, \
         ?22 + ?20)",
        params![
            new.id.to_string(),
            open.session,
            open.seq,
            new.call,
            new.node.to_string(),
            new.home,
            new.command,
            new.workdir,
            new.mode.name(),
            address.platform.name(),
            address.account.0,
            address.chat.id,
            address.chat.kind.name(),
            address.thread,
            new.caller.person.id,
            new.caller.person.name,
            about(&new.caller.about)?,
            new.caller.key.as_str(),
            match new.watch.notice {
                Notice::Wanted => "wanted",
                Notice::Unwanted => "unwanted",
            },
            new.watch.every.map(Span::as_ms),
            patterns(&new.watch.patterns)?,
            tx.now().ms(),
        ],
    )?;
    Ok(())
}

/// The stored form of what else is known, if anything is.
fn about(about: &About) -> Result<Option<String>, Fault> {
    let written = Some(about).filter(|about| !about.is_unwritten());
    written.map(rows::json).transpose()
}

/// The stored form of the words to look for, if there are any.
fn patterns(patterns: &[String]) -> Result<Option<String>, Fault> {
    let some = Some(patterns).filter(|patterns| !patterns.is_empty());
    some.map(|some| rows::json(&some)).transpose()
}

fn end(tx: &Tx<'_>, id: ProcessId, seen: &Seen) -> Result<Moved, Fault> {
    let (state, code, signal, why) = end_columns(&seen.end);
    let sql = "UPDATE processes SET ended_at = ?2, code = ?4, signal = ?5, why = ?6, \
               state = CASE WHEN killed_at IS NOT NULL AND (?3 = 'exited' OR ?3 = 'signalled') \
               THEN 'killed' ELSE ?3 END WHERE id = ?1 AND ended_at IS NULL";
    let values = params![id.to_string(), seen.at.ms(), state, code, signal, why];
    let moved = moved(tx, id, sql, values)?;
    if matches!(moved, Moved::Now(_)) {
        let session = "SELECT session FROM processes WHERE id = ?1";
        let session = tx.one(session, [id.to_string()], |row| row.get(0))?;
        if let Some(Some(session)) = session {
            keep_work(tx, session)?;
        }
    }
    Ok(moved)
}

/// Changes one process, and tells why not if nothing changed.
pub(super) fn moved(
    tx: &Tx<'_>,
    id: ProcessId,
    sql: &str,
    values: impl Params,
) -> Result<Moved, Fault> {
    let changed = tx.run(sql, values)? > 0;
    Ok(match one(tx, id)? {
        None => Moved::Unknown,
        Some(process) if changed => Moved::Now(Box::new(process)),
        Some(process) => Moved::Before(Box::new(process)),
    })
}

/// Notes at the conversation since when its youngest process lives.
fn keep_work(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    hold::session(tx, session)?;
    let sql = "UPDATE sessions SET works_since = (SELECT max(started_at) FROM processes \
               WHERE session = ?1 AND ended_at IS NULL) WHERE seq = ?1";
    tx.also(sql, [session])
}

/// Whether a process of the conversation lives.
pub(super) fn is_at_work(tx: &Tx<'_>, session: i64) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM processes WHERE session = ?1 AND ended_at IS NULL)";
    Ok(tx.number(sql, [session])? != 0)
}

/// Takes the words of a conversation out of its processes. What is left recognises their folders, until
/// these are gone too.
pub(super) fn empty(tx: &Tx<'_>, session: i64) -> Result<(), Fault> {
    watches::empty(tx, session)?;
    let sql = "UPDATE processes SET session = NULL, turn = NULL, command = '', workdir = NULL, \
               chat = '', thread = NULL, person = '', person_name = NULL, about = NULL, key = '', \
               why = NULL, patterns = NULL, every_ms = NULL, check_at = NULL, \
               watching = NULL, read_by = NULL, \
               notice = 'unwanted' WHERE session = ?1";
    tx.also(sql, [session])
}

/// Lets the processes of a conversation be those of the one in which it goes on.
pub(super) fn go_along(tx: &Tx<'_>, from: i64, to: i64) -> Result<(), Fault> {
    let sql = "UPDATE processes SET session = ?2 WHERE session = ?1 AND ended_at IS NULL";
    tx.also(sql, [from, to])
}

fn list(tx: &Tx<'_>, filter: ProcessFilter, range: &Range) -> Result<Page<Process>, Fault> {
    let before = match pages::start(range) {
        Start::First => i64::MAX,
        Start::After(seq, _) => seq,
        Start::PastTheEnd => return Ok(pages::empty()),
    };
    let living = filter.living == Living::Only;
    let read = |row: &Row<'_>| Ok((row.get::<i64>(0)?.to_string(), process(row)?));
    let asked = pages::asked(range);
    let found = match filter.session {
        None => {
            let sql = process_sql!(
                "WHERE p.seq < ?1 AND (p.ended_at IS NULL OR NOT ?2) ORDER BY p.seq DESC LIMIT ?3"
            );
            tx.all(sql, params![before, living, asked], read)?
        }
        Some(session) => {
            let sql = process_sql!(
                "WHERE p.session = ?4 AND p.seq < ?1 AND (p.ended_at IS NULL OR NOT ?2) \
                 ORDER BY p.seq DESC LIMIT ?3"
            );
            let session = session_seq(tx, session)?;
            tx.all(sql, params![before, living, asked, session], read)?
        }
    };
    Ok(pages::page(range, found))
}
