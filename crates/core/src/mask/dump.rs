//! Whether a command shows variables.
//!
//! Read without a grammar, on the safe side: whatever may be the first word of a command counts, also in
//! brackets, behind `sudo` or an assignment, and in what a shell is given with `-c`. A command that is
//! wrongly taken for one has the values of telling names hidden in its output, and nothing else.

use super::Surface;

const DUMPS: [&str; 6] = ["env", "printenv", "set", "export", "declare", "typeset"];

/// Words that go before the command they run.
const BEFORE: [&str; 6] = ["sudo", "command", "builtin", "exec", "time", "nohup"];

const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];

/// Where the output of a command is shown, by what the command does.
#[must_use]
pub fn surface_of(command: &str) -> Surface {
    if is_dump(command) {
        Surface::Log
    } else {
        Surface::Output
    }
}

/// Whether a command lists variables with their values.
#[must_use]
pub fn is_dump(command: &str) -> bool {
    let mut commands = command.split([';', '&', '|', '\n', '(', ')', '{', '}', '`']);
    commands.any(is_dump_alone)
}

fn is_dump_alone(command: &str) -> bool {
    let split = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'');
    let words = command.split(split).filter(|word| !word.is_empty());
    let mut words = words.map(|word| word.rsplit('/').next().unwrap_or(word));
    let first = words.find(|word| !BEFORE.contains(word) && !is_assignment(word));
    match first {
        Some(first) if SHELLS.contains(&first) => words
            .find(|word| !word.starts_with(['-', '+']))
            .is_some_and(|word| DUMPS.contains(&word)),
        Some(first) => DUMPS.contains(&first),
        None => false,
    }
}

fn is_assignment(word: &str) -> bool {
    word.contains('=') && !word.starts_with('=')
}
