//! What is ordered: the arguments of a call, read and checked as far as no one has to be asked.
//!
//! A wish that cannot be fulfilled as it was said is either refused, or fulfilled otherwise with a note;
//! never quietly. The notes become entries of the result.

use std::path::PathBuf;

use angelia_core::limits;
use angelia_core::process::{Mode, Notice, Watch, watch};
use angelia_core::recovery::EffectClass;
use angelia_core::terminal::foreground::unending;
use angelia_core::terminal::wish::{self, Ends, Patterns, Refusal};
use angelia_core::time::Span;
use angelia_process::spec::Input;
use serde_json::{Map, Value, json};

use crate::tools::form::{Argument, Form, Given, Kind};

/// What the tool takes.
pub(crate) const FORM: Form = Form {
    name: "terminal",
    family: "terminal",
    about: "Runs a command with /bin/sh. In the foreground it runs to its end and its output is the \
            result; the directory it ends in is where the next command starts. With background=true it \
            goes on by itself, also when this gateway restarts: use that for servers, watchers and \
            anything long, with notify_on_complete=true to be told of its end, and the process tool to \
            look after it.",
    required: &["command"],
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
            kind: Kind::Texts(limits::WATCH_PATTERNS_MAX),
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
    if let Some(object) = arguments.as_object() {
        let said = object.get("command").unwrap_or(&Value::Null);
        wish::command(said).map_err(|refusal| refusal.answer())?;
    }
    let given = FORM.read(arguments).map_err(|why| refused(&why))?;
    let command = given.text("command").unwrap_or_default().to_owned();
    if command.len() > limits::COMMAND_BYTES_MAX {
        return Err(refused(TOO_LONG));
    }
    let mut notes = Map::new();
    let place = if given.flag("background") {
        background(&command, &given, &mut notes)
    } else {
        let foreground = foreground(&command, &given, usual);
        foreground.map_err(|refusal| refusal.answer())?
    };
    if given.flag("pty") && matches!(place, Place::Foreground(_)) {
        let note = "there is a terminal only in the background; this ran without one";
        notes.insert("pty_note".to_owned(), note.into());
    }
    let workdir = given.text("workdir").filter(|said| !said.is_empty());
    Ok(Order {
        workdir: workdir.map(PathBuf::from),
        command,
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

fn foreground(command: &str, given: &Given, usual: Span) -> Result<Place, Refusal> {
    let asked = given.whole("timeout").map(i64::unsigned_abs);
    let usual = (usual.as_ms() / 1_000).unsigned_abs();
    let seconds = wish::patience(asked, usual)?;
    match unending(command) {
        Some(why) => Err(Refusal::Unending(why)),
        None => Ok(Place::Foreground(Span::ms(
            i64::try_from(seconds * 1_000).unwrap_or(i64::MAX),
        ))),
    }
}

fn background(command: &str, given: &Given, notes: &mut Map<String, Value>) -> Place {
    if given.whole("timeout").is_some() {
        let note = "a command in the background has no time limit; end it with process(kill)";
        notes.insert("timeout_note".to_owned(), note.into());
    }
    let mode = match (given.flag("pty"), wish::needs_pipes(command)) {
        (true, false) => Mode::Pty,
        (true, true) => {
            let note = "it reads a token to the end of its input, which a terminal does not have; it \
                        runs with pipes: write the token, then close";
            notes.insert("pty_note".to_owned(), note.into());
            Mode::Pipe
        }
        (false, _) => Mode::Pipe,
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
    let (notice, ends) = if given.flag("notify_on_complete") {
        note("notify_on_complete", true.into());
        (Notice::Wanted, Ends::Told)
    } else {
        (Notice::Unwanted, Ends::Untold)
    };
    let (patterns, ignored) = wish::watched(given.texts("watch_patterns"), ends);
    let patterns = patterns.unwrap_or_default();
    if ignored == Patterns::Ignored {
        let why = "the end is told, so the patterns are not watched for; say one or the other";
        note("watch_patterns_ignored", why.into());
    }
    if !patterns.is_empty() {
        note("watch_patterns", patterns.clone().into());
    }
    let every = given.whole("check_interval").map(|seconds| {
        let interval = watch::interval(seconds);
        if let Some(why) = interval.note {
            note("check_interval_note", why.into());
        }
        interval.every
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
