//! What people and agents read about a question.
//!
//! A command is shown as it is, line by line and set off from our own words, so that none of it can pass
//! for them. Characters that are not seen, or that turn the order of others around, are shown as marks.
//! Secrets are masked before this by whoever has the command.

use std::fmt::Write as _;

use super::sort::{Sort, Verbs};
use super::{Decision, Grant};
use crate::danger::refusal::Refusal;
use crate::limits;
use crate::time::Span;

/// What a question is about.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// What would be done.
    pub sort: Sort,
    /// The command, or the deed in words; masked.
    pub command: &'a str,
    /// Where it would run, if that was said.
    pub workdir: Option<&'a str>,
    /// What would run it.
    pub backend: &'a str,
    /// Why somebody is asked.
    pub reasons: &'a [String],
    /// How long the question stays open.
    pub time: Span,
}

/// What stands in place of a character that would not be seen.
const MARK: char = '\u{fffd}';

/// The question, as a chat shows it.
pub fn question(asked: &Asked<'_>) -> String {
    let Verbs {
        does,
        by,
        agreed,
        left,
    } = asked.sort.verbs();
    let mut said = format!("{}\n\n", asked.sort.wish());
    said.push_str(&set_off(asked.command, limits::APPROVAL_CHAT_CHARS));
    said.push_str(unseen(asked.command));
    said.push_str(&why(asked.reasons));
    if let Some(workdir) = asked.workdir {
        let _infallible = writeln!(said, "It {does} in {}.", line(workdir));
    }
    if asked.backend != "local" {
        let _infallible = writeln!(said, "It {does} {by} {}.", line(asked.backend));
    }
    let _infallible = write!(
        said,
        "\n/approve: {agreed} it this once\n\
         /approve session: also when it comes again in this conversation\n\
         /approve always: also when it comes again anywhere\n\
         /deny [reason]: do not {agreed} it\n\
         Without an answer within {} it is not {left}.",
        spoken(asked.time)
    );
    said
}

/// What stands below a question that was decided.
pub const fn outcome(decision: Decision) -> &'static str {
    match decision {
        Decision::Granted(Grant::Once) => "Approved: it runs this once.",
        Decision::Granted(Grant::Conversation) => "Approved for this conversation.",
        Decision::Granted(Grant::Always) => "Approved from now on.",
        Decision::Denied => "Denied: it is not run.",
        Decision::Answered => "Answered.",
        Decision::Expired => "Nobody answered in time: it is not run.",
        Decision::Withdrawn => "Withdrawn: it is not run.",
    }
}

/// What somebody reads who may not answer.
pub fn not_yours(asker: Option<&str>) -> String {
    let who = asked_one(asker);
    format!("Only {who} or an operator of this gateway can approve or deny this command.")
}

/// Who may answer, as others are told.
pub(super) fn asked_one(asker: Option<&str>) -> String {
    asker.map_or_else(|| "the person who asked for it".to_owned(), line)
}

/// What the agent is told of a command that may not run.
pub fn refusal(decision: Decision, reason: Option<&str>) -> String {
    match decision {
        Decision::Expired => Refusal::Unanswered.to_string(),
        Decision::Withdrawn => {
            format!("Not run: the question about this command was withdrawn. {STOP}")
        }
        Decision::Denied | Decision::Granted(_) | Decision::Answered => {
            Refusal::Denied(reason.map(str::to_owned)).to_string()
        }
    }
}

/// What the agent is told when the operator lets nobody be asked.
pub fn never_asked() -> String {
    format!("Not run: this command needs an approval, and this gateway is set to give none. {STOP}")
}

/// What the agent is told when too many questions are open.
pub fn too_many() -> String {
    format!(
        "Not run: {} questions about commands are open in this conversation, and \
         there may be no more. Wait until they are answered.",
        limits::APPROVALS_PER_SESSION
    )
}

/// What the agent is told when the same call was asked about with something else.
pub fn differs() -> String {
    format!(
        "Not run: the same call was asked about with another command, and an \
         approval holds for one exact command. {STOP}"
    )
}

const STOP: &str =
    "Stop here and do not try to reach the same in another way; say what you wanted to do.";

/// Somebody answers, and nothing is open.
pub fn nothing_open() -> String {
    "Nothing waits for an approval here, so I left everything as it is.".to_owned()
}

/// The reason as it is kept: one line, bounded; nothing if nothing was said.
pub fn reason(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let kept: String = words.join(" ").chars().map(seen).collect();
    let kept: String = kept.chars().take(limits::DENY_REASON_CHARS_MAX).collect();
    (!kept.is_empty()).then_some(kept)
}

/// The command as it is kept for people: its beginning, with what would not be seen marked.
pub fn kept(command: &str) -> String {
    cut(command, limits::APPROVAL_COMMAND_CHARS_MAX)
}

/// What somebody should know who sees only a part.
fn unseen(command: &str) -> &'static str {
    match command.chars().nth(limits::APPROVAL_CHAT_CHARS) {
        None => "",
        Some(_) => "\nOnly its beginning is shown here, and an approval is for all of it.\n",
    }
}

fn why(reasons: &[String]) -> String {
    match reasons {
        [] => String::new(),
        some => format!("\nWhy I ask: {}.\n", some.join("; ")),
    }
}

/// Some lines that are not ours, each behind four blanks.
fn set_off(text: &str, chars: usize) -> String {
    let cut = cut(text, chars);
    cut.lines().map(|line| format!("    {line}\n")).collect()
}

/// A bounded beginning, and how much is left out.
fn cut(text: &str, chars: usize) -> String {
    let mut kept: String = text.chars().take(chars).map(seen).collect();
    let left = text.chars().count().saturating_sub(chars);
    if left > 0 {
        let _infallible = write!(kept, "…\n({left} more characters)");
    }
    kept
}

/// A text of somebody else on one line, bounded.
pub(super) fn line(text: &str) -> String {
    let one: Vec<&str> = text.split_whitespace().collect();
    let shown = one.join(" ").chars().map(seen).collect::<String>();
    shown.chars().take(limits::APPROVAL_LINE_CHARS).collect()
}

/// The character, or a mark for one that is not seen or that changes how others are.
pub(super) fn seen(char: char) -> char {
    match char {
        '\n' | '\t' => char,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => MARK,
        _ if char.is_control() => MARK,
        _ => char,
    }
}

pub(super) fn spoken(time: Span) -> String {
    let seconds = time.as_ms() / 1000;
    match (seconds / 60, seconds % 60) {
        (1, 0) => "a minute".to_owned(),
        (minutes, 0) if minutes > 0 => format!("{minutes} minutes"),
        _ => format!("{seconds} seconds"),
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
