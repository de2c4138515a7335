//! What is told of a command: its output, clean and bounded, and how it ended.

use angelia_core::id::ProcessId;
use angelia_core::mask::{Masker, surface_of};
use angelia_core::process::How;
use angelia_core::terminal::{exit, sudo};
use angelia_core::time::Span;
use angelia_process::foreground::{RunError, Status};
use angelia_process::text::strip;
use serde_json::{Value, json};

use super::order::{Order, refused};
use crate::background::Started;
use crate::tools::answer;

/// The code of a command whose time was up, as shells know it.
const TIMED_OUT: i32 = 124;

/// What a command said, as it may be shown: without escapes, blanks around it, and secrets.
pub(super) fn shown(command: &str, output: &str, masker: &Masker) -> String {
    let clean = strip(output);
    masker.shown(clean.trim(), surface_of(command)).into_owned()
}

/// A command that ran to its end, whatever that was.
pub(super) fn finished(order: &Order, output: &str, (status, time): (Status, Span)) -> Value {
    let mut result = match status {
        Status::Exited(code) => {
            let mut result = told(output, code);
            if let Some(meaning) = exit::meaning(&order.command, code) {
                result["exit_code_meaning"] = meaning.into();
            }
            if code != 0 && sudo::is_refused(&order.command, output) {
                result["sudo_auth_failed"] = true.into();
            }
            result
        }
        Status::Signalled(signal) => {
            let mut result = told(output, answer::code(How::Signalled(signal)));
            result["signal"] = signal.into();
            result
        }
        Status::TimedOut => {
            let seconds = time.to_std().as_secs_f64();
            let words = format!("{output}\n[timed out after {seconds} s]");
            let mut result = told(words.trim_start(), TIMED_OUT);
            result["timed_out"] = true.into();
            result
        }
    };
    note(&mut result, order);
    result
}

fn told(output: &str, code: i32) -> Value {
    json!({ "output": output, "exit_code": code, "error": null })
}

/// One that could not be run, or of which nothing is known.
pub(super) fn not_run(error: &RunError) -> Value {
    refused(&error.to_string())
}

/// One that goes on in the background.
pub(super) fn started(order: &Order, started: Started) -> Value {
    let mut result = json!({
        "output": "Background process started",
        "session_id": started.id.to_string(),
        "pid": started.pid,
        "exit_code": 0,
        "error": null,
    });
    note(&mut result, order);
    result
}

/// One that should have. What stands under its id, if it has one, says the same.
pub(super) fn not_started(why: &str, id: Option<ProcessId>) -> Value {
    let mut result = refused(why);
    if let Some(id) = id {
        result["session_id"] = id.to_string().into();
    }
    result
}

fn note(result: &mut Value, order: &Order) {
    for (name, note) in &order.notes {
        result[name] = note.clone();
    }
}
