//! The words about a process, as they are put into the conversation that started it.
//!
//! They are messages of the gateway's own, and short: what was said at the very end is enough to go on
//! with, and everything else stands in the log. Masking comes before.

use std::fmt::Write as _;

use super::End;
use super::watch::News;
use crate::id::ProcessId;
use crate::limits;
use crate::time::Span;

/// What is told about an end.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The process.
    pub id: ProcessId,
    /// What it ran.
    pub command: &'a str,
    /// How it ended.
    pub end: &'a End,
    /// The end of what it said, without escapes; of any length.
    pub output: &'a str,
}

/// The message about an end.
pub fn text(told: &Told<'_>) -> String {
    let mut text = headed(told.id, &told.end.to_string(), told.command);
    let said = told.output.trim_end();
    let _infallible = match last_lines(said) {
        "" => write!(text, "\nIt said nothing."),
        lines if lines.len() < said.len() => {
            write!(text, "\nIts last words (more stands in its log):\n{lines}")
        }
        lines => write!(text, "\nIts last words:\n{lines}"),
    };
    text
}

/// The message about something that a process did while it ran.
pub fn news(id: ProcessId, command: &str, news: &News) -> String {
    match news {
        News::Hit {
            pattern,
            lines,
            suppressed,
        } => {
            let mut text = headed(id, &format!("said \"{pattern}\""), command);
            if !lines.is_empty() {
                let _infallible = write!(text, "\nIts words:\n{lines}");
            }
            if *suppressed > 0 {
                let _infallible = write!(
                    text,
                    "\n({suppressed} more such lines came since the last message about it, too fast \
                     to be told)"
                );
            }
            text
        }
        News::StruckOut { suppressed } => {
            let (strikes, rest) = (limits::WATCH_STRIKES, seconds(limits::HIT_REST));
            let what = "is not watched for words any more";
            let why = format!(
                "\nThey came faster than every {rest} s, {strikes} times in a row; {suppressed} lines \
                 were not told. Its end will be told once instead."
            );
            headed(id, what, command) + &why
        }
        News::Paused => {
            let (most, window) = (limits::HITS_PER_WINDOW, seconds(limits::HITS_WINDOW));
            let pause = seconds(limits::HITS_PAUSE);
            let why = format!(
                "\nAll processes together were told about more than {most} times in {window} s. No \
                 words of any of them are told for {pause} s."
            );
            headed(id, "said words that it is watched for", command) + &why
        }
        News::Resumed { missed } => {
            let why =
                format!("\nWhile none were told, {missed} messages about words were left out.");
            headed(id, "is told about again", command) + &why
        }
        News::Update { output } => {
            headed(id, "is still running", command) + &format!("\nNew words:\n{output}")
        }
    }
}

/// What every message begins with.
fn headed(id: ProcessId, what: &str, command: &str) -> String {
    let command = cut_end(command.trim(), limits::NOTICE_COMMAND_CHARS);
    format!("[Background process {id} {what}]\nCommand: {command}")
}

fn seconds(span: Span) -> i64 {
    span.as_ms() / 1000
}

/// The end of new output, as much as an update tells.
pub fn update(output: &str) -> &str {
    last_chars(output.trim_end(), limits::UPDATE_CHARS)
}

/// The last lines of an output, as many as are told.
pub fn last_lines(output: &str) -> &str {
    let output = output.trim_end();
    let lines = output.rmatch_indices('\n').nth(limits::NOTICE_LINES - 1);
    let lines = lines.map_or(output, |(at, _)| &output[at + 1..]);
    let last = last_chars(lines, limits::NOTICE_CHARS);
    // A line is told in whole, if another one is there.
    match last.split_once('\n') {
        Some((_, whole)) if last.len() < lines.len() => whole,
        Some(_) | None => last,
    }
}

fn last_chars(text: &str, count: usize) -> &str {
    let first = text.char_indices().nth_back(count - 1);
    first.map_or(text, |(at, _)| &text[at..])
}

/// The beginning of a text, and a mark where it was cut.
fn cut_end(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
