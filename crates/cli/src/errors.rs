//! Errors for people: what happened, to what, and what to do next.
//!
//! Nobody in this crate branches on the kind of a failure; it is made where it is noticed, with the
//! words that belong to it, and printed once by `main`. Exit codes: 0 done, 1 failed, 2 wrong usage
//! (that one is given by the reading of the command line), 75 a gateway that is to be started again.

use std::fmt;
use std::process::ExitCode;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something went wrong, in words.
    Told(Told),
    /// Whoever read our output has left. That is their right, and no failure.
    ReaderGone,
    /// The gateway ended so that whoever watches it starts it again.
    StartAgain,
}

/// The code that asks a supervisor to start the gateway again.
const START_AGAIN: u8 = 75;

/// What went wrong, in words.
#[derive(Debug)]
pub(crate) struct Told {
    what: String,
    hint: Option<String>,
}

impl Failure {
    /// What happened, to what: no full stop, no capital.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self::Told(Told {
            what: what.into(),
            hint: None,
        })
    }

    /// What to do next.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Told(told) => Self::Told(Told {
                hint: Some(hint.into()),
                ..told
            }),
            Self::ReaderGone | Self::StartAgain => self,
        }
    }

    /// What happened, and what to do next.
    pub(crate) fn told(&self) -> (&str, Option<&str>) {
        match self {
            Self::Told(Told { what, hint }) => (what, hint.as_deref()),
            Self::ReaderGone => ("whoever read our output has left", None),
            Self::StartAgain => ("the gateway is to be started again", None),
        }
    }

    /// The code the program ends with.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Told(_) => ExitCode::FAILURE,
            Self::ReaderGone => ExitCode::SUCCESS,
            Self::StartAgain => ExitCode::from(START_AGAIN),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Told(Told { what, hint: None }) => write!(out, "error: {what}"),
            Self::Told(Told {
                what,
                hint: Some(hint),
            }) => {
                write!(out, "error: {what}\nhint: {hint}")
            }
            Self::ReaderGone | Self::StartAgain => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
