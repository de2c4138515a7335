//! Whether a command runs what is typed into it later.
//!
//! A shell without a script is harmless and does anything: whoever can type into it runs commands that
//! nobody saw when it was started. So its start is asked about, and what is typed into it is judged like a
//! command. What an interpreter is told is no shell and cannot be judged; there only the start is.
//!
//! A program that opens a shell in a way of its own (an editor, a debugger's escape) is not found.

use super::plain::plain;
use super::started::started;
use super::{shell, size};

/// Who listens to what is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Listener {
    /// Nobody who would run it.
    #[default]
    Nobody,
    /// A language's own interpreter.
    Interpreter,
    /// A shell.
    Shell,
}

/// Who listens while a command runs. What cannot be read may be anything.
pub fn listener(command: &str) -> Listener {
    if size::is_too_large(command) || shell::read(&plain(command), 0).is_err() {
        return Listener::Shell;
    }
    started(command).listener
}

#[cfg(test)]
#[path = "listener_tests.rs"]
mod tests;
