//! The words about the end of a process, as they are put into the conversation that started it.
//!
//! They are a message of the gateway's own, and short: what was said at the very end is enough to go on
//! with, and everything else stands in the log.

use std::fmt::Write as _;

use super::End;
use crate::id::ProcessId;
use crate::limits;

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

/// The message.
pub fn text(told: &Told<'_>) -> String {
    let mut text = format!("[Background process {} {}]", told.id, told.end);
    let command = cut_end(told.command.trim(), limits::NOTICE_COMMAND_CHARS);
    let _infallible = write!(text, "\nCommand: {command}");
    match last_lines(told.output) {
        "" => text.push_str("\nIt said nothing."),
        lines => {
            let _infallible = write!(text, "\nIts last words:\n{lines}");
        }
    }
    text
}

/// The last lines of an output, as many as are told.
pub fn last_lines(output: &str) -> &str {
    let output = output.trim_end();
    let lines = output.rmatch_indices('\n').nth(limits::NOTICE_LINES - 1);
    let lines = lines.map_or(output, |(at, _)| &output[at + 1..]);
    let chars = lines.char_indices().nth_back(limits::NOTICE_CHARS - 1);
    chars.map_or(lines, |(at, _)| &lines[at..])
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
