//! What the workbench says, all of it through here.
//!
//! Progress and errors go to standard error, beside cargo's own; findings go to standard output, so
//! that `cargo xtask check | head` and an editor's problem list work. Nothing here decides anything.

use std::fmt::Display;
use std::io::Write;

/// Says what is being done now.
pub(crate) fn step(text: impl Display) {
    eprintln!("xtask: {text}");
}

/// Says something nobody should overlook.
pub(crate) fn loud(text: impl Display) {
    eprintln!("xtask: !!!! {text}");
}

/// Says why the command failed, with every cause.
pub(crate) fn error(error: &anyhow::Error) {
    eprintln!("xtask: failed: {error:#}");
}

/// Writes one finding to standard output.
pub(crate) fn finding(text: impl Display) {
    // A reader that went away (`| head`) is no failure of the check: its exit code still tells.
    let _ = writeln!(std::io::stdout(), "{text}");
}
