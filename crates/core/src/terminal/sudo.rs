//! `sudo`, for which there is no password here.
//!
//! A password that passes through a tool ends in a log or a transcript some day. So a command with `sudo`
//! runs as it is: it works where the system asks for none, and fails there and then where it does.

use crate::danger;

/// What `sudo` says when it was given no right password.
const REFUSALS: [&str; 6] = [
    "sudo: a password is required",
    "sudo: no password was provided",
    "sudo: a terminal is required",
    "sudo: no tty present",
    "incorrect password attempt",
    "Sorry, try again.",
];

/// Whether a command runs something with `sudo`.
#[must_use]
pub fn is_used(command: &str) -> bool {
    let programs = danger::started(command).programs;
    programs
        .iter()
        .any(|words| words.first().is_some_and(|name| name == "sudo"))
}

/// Whether a command failed because nobody could give a password.
#[must_use]
pub fn is_refused(command: &str, output: &str) -> bool {
    REFUSALS.iter().any(|words| output.contains(words)) && is_used(command)
}
