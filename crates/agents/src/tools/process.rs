//! The process tool: what an agent can do with the processes it started.
//!
//! One tool with an action, as agents know it. This file says what each action takes and makes a typed
//! `Act` of it; the gateway does it (`Background::act`), `answer` tells what came of it.
//!
//! Looking and waiting change nothing and are done again after a crash. A kill is done again too: what
//! has ended stays ended. Whether words were written when nobody saw it is not known, so they are not
//! written twice.

use angelia_core::recovery::EffectClass;
use angelia_core::time::Span;
use angelia_process::text::Patience;
use serde_json::{Value, json};

use crate::background::act::{Act, Part, Words};
use crate::tools::form::{Argument, Form, Given, Kind};

/// Lines of an output when the caller does not say.
const LINES: i64 = 200;

const ACTIONS: &[&str] = &[
    "list", "poll", "log", "wait", "kill", "write", "submit", "close",
];

/// What the tool takes.
pub(crate) const FORM: Form = Form {
    name: "process",
    family: "process",
    about: "Looks after background processes of this conversation, started with \
            terminal(background=true). Actions: list (all of them), poll (state and newest output), log \
            (output by lines, or by place), wait (for the end, or until a message arrives), kill (it and \
            everybody it started), write (raw text to its input), submit (a line to its input, as if \
            entered), close (end of input).",
    required: &["action"],
    arguments: &[
        Argument {
            name: "action",
            kind: Kind::Choice(ACTIONS),
            about: "What to do.",
        },
        Argument {
            name: "session_id",
            kind: Kind::Name,
            about: "The process, as terminal or list named it. Needed for all actions but list.",
        },
        Argument {
            name: "data",
            kind: Kind::Typed,
            about: "What to write or submit.",
        },
        Argument {
            name: "timeout",
            kind: Kind::Number,
            about: "wait: how many seconds at most. What is beyond the limit is cut to it, and said.",
        },
        Argument {
            name: "offset",
            kind: Kind::Whole(i64::MIN),
            about: "log: from which line on. 0 is the end of the output, below 0 counts from its end.",
        },
        Argument {
            name: "limit",
            kind: Kind::Whole(1),
            about: "log: how many lines at most; 200 unless said.",
        },
        Argument {
            name: "tail",
            kind: Kind::Whole(1),
            about: "log: so many of the last lines, instead of offset and limit.",
        },
        Argument {
            name: "after",
            kind: Kind::Whole(0),
            about: "log: from this byte on, instead of lines; 0 is the beginning. The answer's `next` is \
                    the place to go on from.",
        },
    ],
};

/// A call that can be made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ask {
    /// What is to be done.
    pub(crate) act: Act,
    /// How its agent called the process.
    pub(crate) id: String,
    /// How long to wait, for who waits.
    pub(crate) patience: Option<Patience>,
}

/// Makes a call of what was given; or says, as a result, what is missing. `longest` is how long anybody
/// may wait.
pub(crate) fn ask(given: &Given, longest: Span) -> Result<Ask, Value> {
    let action = given.text("action").unwrap_or_default();
    let id = given.name("session_id").unwrap_or_default();
    if action != "list" && id.is_empty() {
        let why = format!("`session_id` is required to {action} a process; `list` shows them");
        return Err(json!({ "error": why }));
    }
    let data = || given.text("data").unwrap_or_default().to_owned();
    let mut patience = None;
    let act = match action {
        "list" => Act::List,
        "poll" => Act::Poll(id.clone()),
        "log" => Act::Log(id.clone(), part(given)?),
        "wait" => {
            let most = Patience::of(given.number("timeout"), longest.as_ms() / 1_000);
            let span = Span::ms((most.seconds * 1_000.0) as i64);
            patience = Some(most);
            Act::Wait(id.clone(), span)
        }
        "kill" => Act::Kill(id.clone()),
        "write" => Act::Tell(id.clone(), Words::Raw(data())),
        "submit" => Act::Tell(id.clone(), Words::Line(data())),
        // The form knows no other action.
        _ => Act::Close(id.clone()),
    };
    Ok(Ask { act, id, patience })
}

fn part(given: &Given) -> Result<Part, Value> {
    let (lines, tail) = (given.whole("offset"), given.whole("tail"));
    let lines = lines.or(given.whole("limit"));
    match (given.whole("after"), tail, lines) {
        (Some(after), None, None) => Ok(Part::After(after.unsigned_abs())),
        (None, Some(limit), None) => Ok(Part::Lines { offset: 0, limit }),
        (None, None, _) => Ok(Part::Lines {
            offset: given.whole("offset").unwrap_or(0),
            limit: given.whole("limit").unwrap_or(LINES),
        }),
        (Some(_), ..) | (None, Some(_), Some(_)) => {
            let why = "say one of `after`, `tail`, or `offset` and `limit`: they are three ways to \
                       choose a part of the output";
            Err(json!({ "error": why }))
        }
    }
}

/// What a crash in the middle of a call means for it.
pub(crate) fn effect(act: &Act) -> EffectClass {
    match act {
        Act::List | Act::Poll(_) | Act::Log(..) | Act::Wait(..) => EffectClass::Pure,
        Act::Kill(_) => EffectClass::Keyed,
        Act::Tell(..) | Act::Close(_) => EffectClass::Unknown,
    }
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
