//! Whether a command is small enough to be read with care.
//!
//! Real commands are short. One that is not is refused before it costs anything, and a reader that is
//! never given more has no slow case.

use crate::limits;

/// Whether a command is larger than those that are read.
pub(super) fn is_too_large(command: &str) -> bool {
    let chars = command.chars().count();
    let separators = command.chars().filter(|char| separates(*char)).count();
    chars > limits::JUDGED_CHARS_MAX
        || separators > limits::JUDGED_SEPARATORS_MAX
        || (chars > limits::JUDGED_PIECE_CHARS_MAX && is_one_piece(command))
}

fn separates(char: char) -> bool {
    matches!(char, ';' | '&' | '|' | '\n' | '(' | ')' | '`')
}

fn is_one_piece(command: &str) -> bool {
    !command.contains(|char: char| separates(char) || char.is_whitespace())
}

#[cfg(test)]
#[path = "size_tests.rs"]
mod tests;
