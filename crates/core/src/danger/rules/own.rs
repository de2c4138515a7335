//! Our own program, token and interface: what would let an agent steer the gateway that runs it.
//!
//! An agent that could answer a question about its own command would make the question worth nothing, so
//! that is refused. Whatever else changes something is asked about; what only shows something is not.

use super::only_talks;
use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::path::Written;
use crate::danger::reason::Reason;
use crate::danger::shell::{Ends, Word};
use crate::danger::wrapper;

/// Options of our own program that take the next word as their value.
const VALUED: &[&str] = &["--home", "--config", "--profile"];

/// What only shows something: a command, and which of its verbs. One without verbs has none here.
const SHOWS: &[(&str, &[&str])] = &[
    ("help", &[]),
    ("status", &[]),
    ("trace", &[]),
    ("config", &["path", "show", "check", "schema", "help"]),
    ("sessions", &["list", "show", "search", "export", "help"]),
    ("processes", &["list", "log", "help"]),
    ("approvals", &["list", "grants", "help"]),
    ("outbox", &["list", "help"]),
];

/// The file that opens our interface to whoever can read it.
const TOKEN: &str = "api-token";

/// Where our interface takes answers to questions.
const ANSWERS: &str = "/api/v1/approvals";

pub(super) fn call(call: &Call<'_>, program: &str, ends: Ends, found: &mut Findings) {
    match program {
        "angelia" => steered(call, ends, found),
        "sqlite3" if call.operands().iter().any(|file| is_own(file, found)) => {
            found.ask(Category::OwnFile);
        }
        _ => (),
    }
    if call.texts().any(|text| opens(text, program, found)) {
        found.ask(Category::OwnToken);
    }
}

/// Notes that a file is read.
pub(in crate::danger) fn read(file: &str, found: &mut Findings) {
    if is_token(file, found) {
        found.ask(Category::OwnToken);
    }
}

fn steered(call: &Call<'_>, ends: Ends, found: &mut Findings) {
    let words = wrapper::behind_long(call.arguments(), VALUED);
    let words = match first(words) {
        "gateway" => next(words),
        _ => words,
    };
    let (command, verb) = (first(words), first(next(words)));
    match command {
        _ if shows(command, verb) => (),
        "approvals" => found.refuse(Reason::OwnApproval),
        "stop" | "restart" | "update" => found.ask(Category::GatewayLifecycle),
        "serve" | "run" if is_left(call, ends) => {
            found.ask(Category::GatewayLifecycle);
            found.ask(Category::OwnProgram);
        }
        _ => found.ask(Category::OwnProgram),
    }
}

fn first(words: &[Word]) -> &str {
    words.first().map_or("", |word| &word.text)
}

/// The words behind the first, without options in between.
fn next(words: &[Word]) -> &[Word] {
    wrapper::behind_long(words.get(1..).unwrap_or_default(), VALUED)
}

/// Without a verb our program only says what there is.
fn shows(command: &str, verb: &str) -> bool {
    let known = SHOWS.iter().find(|(name, _)| *name == command);
    match known {
        None => command.is_empty(),
        Some((_, verbs)) => verbs.is_empty() || verb.is_empty() || verbs.contains(&verb),
    }
}

/// A gateway that is started beside the one that runs would outlive who started it, or take over.
fn is_left(call: &Call<'_>, ends: Ends) -> bool {
    let loose = |word: &Word| matches!(word.text.as_str(), "nohup" | "setsid");
    let left = call.simple.words.iter().any(loose);
    left || ends == Ends::Background || call.has_long("--r", "--replace")
}

fn is_own(file: &str, found: &Findings) -> bool {
    let paths = found.paths(file);
    paths
        .iter()
        .any(|path| path.written() == Some(Written::Own))
}

/// Whether an argument leads to our token or to the answers. For a program that only talks it may be a
/// word like any other, unless it names a file.
fn opens(text: &str, program: &str, found: &Findings) -> bool {
    let file = is_token(text, found) && (text.contains('/') || !only_talks(program));
    file || (text.contains(ANSWERS) && !only_talks(program))
}

/// Whether a word names the token, also behind `name=`, `@` or `<`, or everything where it lies.
fn is_token(text: &str, found: &Findings) -> bool {
    let last = text.rsplit(['/', '=', '@', ':', '<']).next();
    let all = last.is_some_and(|part| part.contains(['*', '?', '[', '{']));
    last == Some(TOKEN) || (all && is_own(text, found))
}
