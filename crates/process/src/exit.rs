//! How a background process ended: the truth as the kernel told it, never a guess.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use angelia_core::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The end of a background process, as it stands on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// In which way.
    pub how: How,
    /// When.
    pub at: Timestamp,
    /// How many bytes it had said by then, whether or not all of them are kept.
    pub log_bytes: u64,
}

/// In which way a process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// Not at all: it could not be started, for this reason.
    NotStarted(String),
}

impl How {
    /// Reads what the kernel told.
    pub(crate) fn of(status: ExitStatus) -> Option<Self> {
        let code = status.code().map(Self::Exited);
        code.or_else(|| status.signal().map(Self::Signalled))
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exited with code {code}"),
            Self::Signalled(signal) => write!(f, "ended by signal {signal}"),
            Self::NotStarted(why) => write!(f, "not started: {why}"),
        }
    }
}
