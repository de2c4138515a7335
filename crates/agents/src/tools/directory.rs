//! Where a command left off: the directory in which the next one starts.
//!
//! Every command has a shell of its own, so a `cd` would end with it. A command that may change its
//! directory is therefore asked, at its very end, where it is. It answers behind all that it said, and
//! the answer is taken off again. What cannot change its directory runs as it is written.
//!
//! Where a conversation's commands run is durable as a step of the journal (`Step::Moved`); the store
//! keeps the last one with the conversation.

use std::path::{Path, PathBuf};

use angelia_core::turn::journal::{Recorded, Step};

/// What stands before the directory. It begins with a letter that no text of people has.
const MARK: &str = "\u{1e}angelia-directory:";

/// Words by which a command may change its directory.
const MOVERS: [&str; 5] = ["cd", "pushd", "popd", "source", ". "];

/// Where the steps say that commands run, if they say so.
pub(super) fn recorded(journal: &[Recorded]) -> Option<PathBuf> {
    let mut steps = journal.iter().rev();
    steps.find_map(|recorded| match &recorded.step {
        Step::Moved { directory } => Some(directory.into()),
        Step::Answer { .. }
        | Step::ToolBegun { .. }
        | Step::ToolFinished { .. }
        | Step::Planned { .. }
        | Step::Compacted { .. }
        | Step::Emitted { .. }
        | Step::Steered { .. }
        | Step::Command { .. } => None,
    })
}

/// The command, and behind it the question where it is; on one line, so that the shell's complaints
/// name the lines as they were written. Its own output may be turned elsewhere by then, so the answer
/// has a way of its own. One that begins in a place which only its own shell can name is asked too.
pub(super) fn asking(command: &str, begins: Option<&Path>) -> String {
    let is_named = begins.is_none_or(Path::is_absolute);
    if is_named && !MOVERS.iter().any(|word| command.contains(word)) {
        return command.to_owned();
    }
    format!("exec 9>&1; trap 'printf \"\\n{MARK}%s\\n\" \"$(pwd -P)\" >&9' EXIT; {command}")
}

/// The output without the answer, and the answer.
pub(super) fn answered(output: &str) -> (&str, Option<PathBuf>) {
    let Some((before, after)) = output.rsplit_once(MARK) else {
        return (output, None);
    };
    match after.strip_suffix('\n') {
        Some(place) if place.starts_with('/') && !place.contains('\n') => {
            let said = before.strip_suffix('\n').unwrap_or(before);
            (said, Some(place.into()))
        }
        Some(_) | None => (output, None),
    }
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
