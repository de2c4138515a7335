//! Processes from their rows.

use angelia_core::address::Person;
use angelia_core::process::{Caller, End, How, Notice, State, Watch};
use angelia_core::session::key::SessionKey;
use angelia_core::time::Span;

use crate::database::fault::Fault;
use crate::database::row::Row;
use crate::processes::{Live, Process, Starter, Wanted};
use crate::verbs::rows;

/// Selects processes as [`process`] reads them; the argument says which, and a second one what else.
macro_rules! process_sql {
    ($which:literal) => {
        process_sql!($which, "")
    };
    ($which:literal, $more:literal) => {
        concat!(
            "SELECT p.seq, p.id, s.id, t.id, p.node, p.home, p.command, p.workdir, p.mode, \
             p.platform, p.account, p.chat, p.chat_kind, p.thread, p.person, p.person_name, p.key, \
             p.notice, p.started_at, p.state, p.code, p.signal, p.why, p.ended_at, p.noticed_at, \
             t.state, p.about, p.every_ms, p.patterns, p.checked_bytes",
            $more,
            " FROM processes p LEFT JOIN sessions s ON s.seq = p.session \
             LEFT JOIN turns t ON t.seq = p.turn LEFT JOIN turns r ON r.seq = p.read_by ",
            $which
        )
    };
}
pub(in crate::verbs) use process_sql;

/// A process from a row of `process_sql!`.
pub(in crate::verbs) fn process(row: &Row<'_>) -> Result<Process, Fault> {
    Ok(Process {
        id: rows::parsed(row, 1)?,
        session: rows::parsed_maybe(row, 2)?,
        turn: rows::parsed_maybe(row, 3)?,
        node: rows::parsed(row, 4)?,
        home: row.get(5)?,
        command: row.get(6)?,
        workdir: row.get(7)?,
        mode: rows::parsed(row, 8)?,
        caller: Caller {
            address: rows::address(row, 9)?,
            person: Person {
                id: row.get(14)?,
                name: row.get(15)?,
            },
            about: rows::json_maybe(row, 26)?.unwrap_or_default(),
            key: SessionKey::from_stored(row.get(16)?),
        },
        watch: watch(row)?,
        started_at: rows::time(row, 18)?,
        state: state(row)?,
        ended_at: rows::time_maybe(row, 23)?,
        noticed_at: rows::time_maybe(row, 24)?,
    })
}

/// A process that lives, from a row that also says when it was asked to end.
pub(super) fn live(row: &Row<'_>) -> Result<Live, Fault> {
    Ok(Live {
        process: process(row)?,
        turn: starter(row)?,
        wanted: match rows::time_maybe(row, 30)? {
            Some(_) => Wanted::End,
            None => Wanted::Life,
        },
    })
}

/// How the turn of a process stands, from the same row.
fn starter(row: &Row<'_>) -> Result<Starter, Fault> {
    let state = row.get_ref(25)?;
    Ok(match state.as_str_or_null()? {
        Some("open") => Starter::Open,
        Some(_) | None => Starter::Closed,
    })
}

fn watch(row: &Row<'_>) -> Result<Watch, Fault> {
    Ok(Watch {
        notice: notice(row)?,
        every: row.get::<Option<i64>>(27)?.map(Span::ms),
        patterns: rows::json_maybe(row, 28)?.unwrap_or_default(),
    })
}

fn notice(row: &Row<'_>) -> Result<Notice, Fault> {
    match row.get_ref(17)?.as_str()? {
        "wanted" => Ok(Notice::Wanted),
        "unwanted" => Ok(Notice::Unwanted),
        other => Err(rows::undecodable(format!("a notice is `{other}`"))),
    }
}

fn state(row: &Row<'_>) -> Result<State, Fault> {
    let ended = match row.get_ref(19)?.as_str()? {
        "starting" => return Ok(State::Starting),
        "running" => return Ok(State::Running),
        "exited" | "signalled" => End::Itself(how(row)?),
        "killed" => End::Killed(how(row)?),
        "failed" => End::Failed(row.get::<Option<String>>(22)?.unwrap_or_default()),
        "lost" => End::Lost,
        other => return Err(rows::undecodable(format!("a process is `{other}`"))),
    };
    Ok(State::Ended(ended))
}

fn how(row: &Row<'_>) -> Result<How, Fault> {
    let code = row.get::<Option<i32>>(20)?.map(How::Exited);
    let signal = row.get::<Option<i32>>(21)?.map(How::Signalled);
    let how = code.or(signal);
    how.ok_or_else(|| rows::undecodable("a process ended with neither a code nor a signal"))
}

/// The columns of an end: state, code, signal, why.
pub(super) fn end_columns(end: &End) -> (&'static str, Option<i32>, Option<i32>, Option<&str>) {
    let how = end.how();
    let why = match end {
        End::Failed(why) => Some(why.as_str()),
        End::Itself(_) | End::Killed(_) | End::Lost => None,
    };
    let (code, signal) = (how.and_then(How::code), how.and_then(How::signal));
    (end.name(), code, signal, why)
}
