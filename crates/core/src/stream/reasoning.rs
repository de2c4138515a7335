//! Thoughts, for a place where people want to see them.
//!
//! At most [`LINES_MAX`] lines are shown, the last ones: while an agent thinks, those are what it is at.
//! The words are Markdown for the platform's writer. Whether they are shown at all is the place's to say.

use serde::Serialize;

/// How thoughts are set off from the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Look {
    /// As code.
    #[serde(rename = "code")]
    Code,
    /// As a quote.
    #[serde(rename = "blockquote")]
    Quote,
    /// As small text, where a platform has it (Discord).
    #[serde(rename = "subtext")]
    Small,
}

/// More lines than this are not read.
pub const LINES_MAX: usize = 15;

const CUT: &str = "…";

/// Thoughts as Markdown; nothing for no thoughts.
#[must_use]
pub fn shown(thoughts: &str, look: Look) -> String {
    let thoughts = thoughts.trim();
    if thoughts.is_empty() {
        return String::new();
    }
    let mut lines: Vec<&str> = thoughts.lines().rev().take(LINES_MAX).collect();
    if thoughts.lines().nth(LINES_MAX).is_some() {
        lines.pop();
        lines.push(CUT);
    }
    lines.reverse();
    match look {
        Look::Code => as_code(&lines),
        Look::Quote => each(&lines, "> "),
        Look::Small => each(&lines, "-# "),
    }
}

fn each(lines: &[&str], mark: &str) -> String {
    let marked: Vec<String> = lines.iter().map(|line| format!("{mark}{line}")).collect();
    marked.join("\n")
}

/// The fence is longer than any run of back-ticks in the thoughts.
fn as_code(lines: &[&str]) -> String {
    let text = lines.join("\n");
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{text}\n{fence}")
}

#[cfg(test)]
#[path = "reasoning_tests.rs"]
mod tests;
