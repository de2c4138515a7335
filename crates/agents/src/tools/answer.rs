//! What an agent is told about its processes, as JSON.
//!
//! Keys and statuses are a format that agents know. What stands behind them is the truth: the code or
//! the signal that the kernel told, `lost` for what nobody knows, `still_running` for what did not obey.
//! A signal also stands as a code below zero, for those who only look at codes.

use angelia_core::process::{End, How, Mode, Notice, State};
use angelia_process::text::{Page, Patience, tail};
use serde_json::{Map, Value, json};

use crate::background::act::{Acted, Killed, Looked, Piece, Waited};

/// Letters of an output in a list.
const LISTED_CHARS: usize = 200;

/// Letters of an output for who looks, or has waited in vain.
const PREVIEW_CHARS: usize = 1_000;

/// Letters of an output for who has seen the end.
const FINAL_CHARS: usize = 2_000;

/// What came of something that was asked of the process `asked`, as its agent called it.
pub fn of(acted: &Acted, asked: &str, patience: Option<&Patience>) -> Value {
    match acted {
        Acted::NotFound => json!({
            "status": "not_found",
            "error": format!("this conversation has no process `{asked}`; `list` shows those it has"),
        }),
        Acted::Listed(processes) => {
            json!({ "processes": processes.iter().map(listed).collect::<Vec<_>>() })
        }
        Acted::Looked(looked) => polled(looked),
        Acted::Lines(looked, page) => lines(looked, page),
        Acted::Piece(looked, piece) => part(looked, piece),
        Acted::Waited(looked, waited) => self::waited(looked, *waited, patience),
        Acted::Killed(looked, killed) => self::killed(looked, *killed),
        Acted::Told(bytes) => json!({ "status": "ok", "bytes_written": bytes }),
        Acted::Closed(mode) => json!({ "status": "ok", "message": closed(*mode) }),
        Acted::Over(looked) => over(looked),
        Acted::Failed(why) => json!({ "status": "error", "error": why }),
    }
}

fn listed(looked: &Looked) -> Value {
    let mut entry = object(json!({
        "session_id": looked.id.to_string(),
        "command": looked.command.chars().take(LISTED_CHARS).collect::<String>(),
        "cwd": looked.workdir,
        "pid": looked.pid,
        "started_at": looked.started_at.to_string(),
        "uptime_seconds": seconds(looked),
        "status": status(&looked.state),
        "output_preview": tail(&looked.output, LISTED_CHARS),
        "pty": looked.mode == Mode::Pty,
    }));
    if looked.watch.notice == Notice::Wanted {
        entry.insert("notify_on_complete".to_owned(), true.into());
    }
    if let State::Ended(end) = &looked.state {
        ended(&mut entry, end);
    }
    entry.into()
}

fn polled(looked: &Looked) -> Value {
    let mut result = object(json!({
        "session_id": looked.id.to_string(),
        "command": looked.command,
        "status": status(&looked.state),
        "pid": looked.pid,
        "uptime_seconds": seconds(looked),
        "output_preview": tail(&looked.output, PREVIEW_CHARS),
        "output_bytes": looked.output_bytes,
    }));
    if let State::Ended(end) = &looked.state {
        ended(&mut result, end);
    }
    result.into()
}

fn lines(looked: &Looked, page: &Page) -> Value {
    json!({
        "session_id": looked.id.to_string(),
        "command": looked.command,
        "status": status(&looked.state),
        "output": page.text,
        "total_lines": page.total,
        "showing": format!("{} lines", page.shown),
        "output_bytes": looked.output_bytes,
    })
}

fn part(looked: &Looked, piece: &Piece) -> Value {
    json!({
        "session_id": looked.id.to_string(),
        "command": looked.command,
        "status": status(&looked.state),
        "output": piece.text,
        "from": piece.from,
        "next": piece.next,
        "left_out_bytes": piece.cut,
        "output_bytes": looked.output_bytes,
    })
}

fn waited(looked: &Looked, waited: Waited, patience: Option<&Patience>) -> Value {
    let clamped = patience.and_then(|patience| patience.clamped.clone());
    let (mut result, note) = match waited {
        Waited::Ended => (finished(looked), clamped),
        Waited::Interrupted => (
            object(json!({
                "status": "interrupted",
                "output": tail(&looked.output, PREVIEW_CHARS),
                "note": "a new message arrived in the conversation; the process goes on",
            })),
            clamped,
        ),
        Waited::TimedOut => (
            object(json!({
                "status": "timeout",
                "output": tail(&looked.output, PREVIEW_CHARS),
            })),
            patience.map(Patience::note),
        ),
    };
    if let Some(note) = note {
        result.insert("timeout_note".to_owned(), note.into());
    }
    result.into()
}

/// The end of a process, with the last of what it said.
fn finished(looked: &Looked) -> Map<String, Value> {
    let mut result = object(json!({
        "status": status(&looked.state),
        "session_id": looked.id.to_string(),
        "command": looked.command,
        "output": tail(&looked.output, FINAL_CHARS),
    }));
    if let State::Ended(end) = &looked.state {
        ended(&mut result, end);
    }
    result
}

fn killed(looked: &Looked, killed: Killed) -> Value {
    let mut result = finished(looked);
    let status = match (killed, &looked.state) {
        (Killed::Before, _) => "already_exited",
        (Killed::Now, State::Ended(End::Lost)) => "lost",
        (Killed::Now, State::Ended(_)) => "killed",
        (Killed::StillRuns, _) | (Killed::Now, State::Starting | State::Running) => {
            let why = "it was told to end and was killed, and runs all the same; look again later";
            result.insert("error".to_owned(), why.into());
            "still_running"
        }
    };
    result.insert("status".to_owned(), status.into());
    result.into()
}

fn over(looked: &Looked) -> Value {
    let mut result = object(json!({
        "status": "already_exited",
        "session_id": looked.id.to_string(),
        "error": "the process has ended, and nobody reads its input any more",
    }));
    if let State::Ended(end) = &looked.state {
        ended(&mut result, end);
    }
    result.into()
}

fn closed(mode: Mode) -> &'static str {
    match mode {
        Mode::Pipe => "stdin closed",
        Mode::Pty => "EOF sent",
    }
}

fn status(state: &State) -> &'static str {
    match state {
        State::Starting | State::Running => "running",
        State::Ended(End::Lost) => "lost",
        State::Ended(End::Itself(_) | End::Killed(_) | End::Failed(_)) => "exited",
    }
}

/// How it ended: the code, the signal if there was one, why, and by whose doing.
fn ended(result: &mut Map<String, Value>, end: &End) {
    let (reason, source) = match end {
        End::Itself(_) => ("exited", ""),
        End::Killed(_) => ("killed", "process.kill"),
        End::Failed(_) => ("failed_start", "failed_start"),
        End::Lost => ("lost", "backend_lost"),
    };
    let code = match end {
        End::Itself(how) | End::Killed(how) => Some(code(*how)),
        End::Failed(_) => Some(-1),
        End::Lost => None,
    };
    result.insert("exit_code".to_owned(), code.into());
    result.insert("completion_reason".to_owned(), reason.into());
    result.insert("termination_source".to_owned(), source.into());
    if let Some(signal) = end.how().and_then(How::signal) {
        result.insert("signal".to_owned(), signal.into());
    }
    if matches!(end, End::Failed(_) | End::Lost) {
        result.insert("error".to_owned(), format!("the process {end}").into());
    }
}

/// A code for those who know no signals.
pub(super) fn code(how: How) -> i32 {
    match how {
        How::Exited(code) => code,
        How::Signalled(signal) => -signal,
    }
}

fn seconds(looked: &Looked) -> i64 {
    looked.age.as_ms() / 1_000
}

/// The entries of a value that was written as an object.
fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(entries) => entries,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}
