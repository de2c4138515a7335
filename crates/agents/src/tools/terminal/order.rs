//! What is ordered: the arguments of a call, read and checked as far as no one has to be asked.
//!
//! A wish that cannot be fulfilled as it was said is either refused, or fulfilled otherwise with a note;
//! never quietly. The notes become entries of the result.

use std::path::PathBuf;

use angelia_core::limits;
use angelia_core::process::{Mode, Notice, Watch};
use angelia_core::recovery::EffectClass;
use angelia_core::time::Span;
use angelia_process::spec::Input;
use serde_json::{Map, Value, json};

use crate::tools::form::{Argument, Form, Given, Kind};

/// Patterns that one process may be watched for.
const PATTERNS_MAX: usize = 32;

/// The least time between two looks at what a process says, in seconds.
const CHECK_EVERY_MIN_S: i64 = 30;

/// What the tool takes.
pub(crate) const FORM: Form = Form {
    name: "terminal",
    about: "Runs a command with /bin/sh. In the foreground it runs to its end and its output is the \
            result; the directory it ends in is where the next command starts. With background=true it \
            goes on by itself, also when this gateway restarts: use that for servers, watchers and \
            anything long, with notify_on_complete=true to be told of its end, and the process tool to \
            look after it.",
    required: "command",
    arguments: &[
        Argument {
            name: "command",
            kind: Kind::Text,
            about: "The words for the shell.",
        },
        Argument {
            name: "background",
            kind: Kind::Flag,
            about: "Whether it goes on in the background.",
        },
        Argument {
            name: "timeout",
            kind: Kind::Whole(1),
            about: "Foreground: how many seconds it may take, 600 at most; 180 unless said.",
        },
        Argument {
            name: "workdir",
            kind: Kind::Text,
            about: "Where it runs; where the last command left off unless said.",
        },
        Argument {
            name: "pty",
            kind: Kind::Flag,
            about: "Background: whether it has a terminal, for programs that people talk to.",
        },
        Argument {
            name: "stdin",
            kind: Kind::Choice(&["open", "closed"]),
            about: "Background, without a terminal: whether its input stays open. Unless said it is open \
                    and ends by itself if nobody writes to it for a while.",
        },
        Argument {
            name: "notify_on_complete",
            kind: Kind::Flag,
            about: "Background: whether its end is told in this conversation.",
        },
        Argument {
            name: "check_interval",
            kind: Kind::Whole(1),
            about: "Background: every so many seconds new output is told here; 30 at least.",
        },
        Argument {
            name: "watch_patterns",
            kind: Kind::Texts(PATTERNS_MAX),
            about: "Background: lines with one of these texts are told here as they appear. Not \
                    together with notify_on_complete.",
        },
    ],
};

/// A command that may be run, for all that can be said before anybody is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Order {
    /// The words for the shell.
    pub(crate) command: String,
    /// Where, if that was said.
    pub(crate) workdir: Option<PathBuf>,
    /// In the foreground or not.
    pub(crate) place: Place,
    /// What the result says besides.
    pub(crate) notes: Map<String, Value>,
}

/// Where a command runs, seen from the turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Place {
    /// While the turn waits, at most so long.
    Foreground(Span),
    /// By itself.
    Background(Going),
}

/// How a command goes on by itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Going {
    /// How one talks to it.
    pub(crate) mode: Mode,
    /// What becomes of its input.
    pub(crate) input: Input,
    /// What is told about it.
    pub(crate) watch: Watch,
}

impl Order {
    /// What a crash in the middle means for it.
    pub(crate) fn effect(&self) -> EffectClass {
        match self.place {
            Place::Foreground(_) => EffectClass::Unknown,
            Place::Background(_) => EffectClass::Keyed,
        }
    }
}

/// Reads an order; or says, as a result, why it is none.
pub(crate) fn order(arguments: Value, usual: Span) -> Result<Order, Value> {
    let given = FORM.read(arguments).map_err(|why| refused(&why))?;
    let command = given.text("command").unwrap_or_default().to_owned();
    if command.len() > limits::COMMAND_BYTES_MAX {
        return Err(refused(TOO_LONG));
    }
    let mut notes = Map::new();
    let place = if given.flag("background") {
        background(&given, &mut notes)
    } else {
        foreground(&given, usual, &mut notes)?
    };
    Ok(Order {
        command,
        workdir: given
            .text("workdir")
            .filter(|said| !said.is_empty())
            .map(PathBuf::from),
        place,
        notes,
    })
}

const TOO_LONG: &str = "the command is longer than 32 KiB; put it into a file and run that";

const _: () = assert!(
    limits::COMMAND_BYTES_MAX == 32 * 1024,
    "`TOO_LONG` says 32 KiB"
);

/// A call that was not made, and why.
pub(crate) fn refused(why: &str) -> Value {
    json!({ "output": "", "exit_code": -1, "error": why, "status": "error" })
}

fn foreground(given: &Given, usual: Span, notes: &mut Map<String, Value>) -> Result<Place, Value> {
    let time = given.whole("timeout").map_or(usual, Span::seconds);
    if time > limits::FOREGROUND_TIME_MAX {
        let most = limits::FOREGROUND_TIME_MAX.as_ms() / 1_000;
        let why = format!(
            "a command in the foreground may take {most} s at most; run it with background=true and \
             notify_on_complete=true"
        );
        return Err(json!({ "error": why }));
    }
    if given.flag("pty") {
        let note = "there is a terminal only in the background; this ran without one";
        notes.insert("pty_note".to_owned(), note.into());
    }
    Ok(Place::Foreground(time))
}

fn background(given: &Given, notes: &mut Map<String, Value>) -> Place {
    if given.whole("timeout").is_some() {
        let note = "a command in the background has no time limit; end it with process(kill)";
        notes.insert("timeout_note".to_owned(), note.into());
    }
    let mode = if given.flag("pty") {
        Mode::Pty
    } else {
        Mode::Pipe
    };
    let input = match given.text("stdin") {
        Some("open") => Input::Open,
        Some(_) => Input::Closed,
        None => Input::Patient,
    };
    let watch = watch(given, notes);
    Place::Background(Going { mode, input, watch })
}

/// What is told about it. An end and patterns are not told both: an agent that is told of the end has no
/// need for a sign of it.
fn watch(given: &Given, notes: &mut Map<String, Value>) -> Watch {
    let mut note = |name: &str, note: Value| drop(notes.insert(name.to_owned(), note));
    let mut patterns = given.texts("watch_patterns").unwrap_or_default();
    let notice = if given.flag("notify_on_complete") {
        note("notify_on_complete", true.into());
        Notice::Wanted
    } else {
        Notice::Unwanted
    };
    if notice == Notice::Wanted && !patterns.is_empty() {
        patterns.clear();
        let why = "the end is told, so the patterns are not watched for; say one or the other";
        note("watch_patterns_ignored", why.into());
    }
    if !patterns.is_empty() {
        note("watch_patterns", patterns.clone().into());
    }
    let every = given.whole("check_interval").map(|seconds| {
        if seconds < CHECK_EVERY_MIN_S {
            let why =
                format!("{seconds} s is too often; it is looked at every {CHECK_EVERY_MIN_S} s");
            note("check_interval_note", why.into());
        }
        Span::seconds(seconds.max(CHECK_EVERY_MIN_S))
    });
    if notice == Notice::Unwanted && patterns.is_empty() && every.is_none() {
        let hint = "nobody is told when it ends: start it with notify_on_complete=true, or look with \
                    process(poll) or process(wait)";
        note("hint", hint.into());
    }
    Watch {
        notice,
        every,
        patterns,
    }
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
