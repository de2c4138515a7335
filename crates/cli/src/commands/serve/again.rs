//! Starting again: the same program with the same words, in the same process.
//!
//! The process keeps its number, so whoever watches it sees no end. Where a supervisor shall do it instead, the gateway
//! ends with the code that asks for that. The program is looked for where it was when it was started: a release that was put
//! in its place since is the one that begins.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use angelia_process::inherited::Inherited;

use crate::config::RestartBy;
use crate::errors::Failure;

/// How this program was started.
pub(super) struct Birth {
    program: io::Result<PathBuf>,
    words: Vec<OsString>,
    /// Children of whoever was this process before.
    pub(super) inherited: Inherited,
}

impl Birth {
    /// To be asked early: a program that is replaced while it runs does not know its name any more.
    pub(super) fn remember() -> Self {
        Self {
            program: std::env::current_exe(),
            words: std::env::args_os().skip(1).collect(),
            inherited: Inherited::find(),
        }
    }

    /// Why it could not be started again, if it could not.
    pub(super) fn obstacle(&self, by: RestartBy) -> Option<String> {
        match (by, &self.program) {
            (RestartBy::Supervisor, _) => None,
            (RestartBy::Itself, Err(error)) => {
                Some(format!("nobody knows where the program is: {error}"))
            }
            (RestartBy::Itself, Ok(path)) => match path.metadata() {
                Ok(found) if found.is_file() => None,
                Ok(_) => Some(format!("{} is no program", path.display())),
                Err(error) => Some(format!("{} cannot be found: {error}", path.display())),
            },
        }
    }

    /// Starts it again. If this returns, that failed, or somebody else is to do it.
    pub(super) fn again(&self, by: RestartBy) -> Failure {
        if by == RestartBy::Supervisor {
            return Failure::StartAgain;
        }
        let failed = match &self.program {
            Ok(program) => Command::new(program).args(&self.words).exec(),
            Err(error) => io::Error::new(error.kind(), error.to_string()),
        };
        Failure::new(format!("the gateway cannot start itself again: {failed}"))
            .hint("start it with `angelia serve`; nothing that was accepted is lost")
    }
}
