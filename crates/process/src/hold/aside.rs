//! Errors that stand apart from the output, on their way into a small log of their own.
//!
//! Nobody follows them: they are looked at when something went wrong.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use crate::clock;
use crate::folder::Folder;
use crate::log::Writer;
use crate::spec::{ERRORS_BYTES_MAX, Input, Surface};

use super::output::{Flow, Output};

/// The errors of a command, and where they go.
#[derive(Debug)]
pub(super) struct Aside {
    output: Output,
    log: Writer,
}

impl Aside {
    /// What comes from `from`, into the log in `folder`.
    pub(super) fn new(folder: &Folder, from: OwnedFd) -> Self {
        Self {
            output: Output::new(Surface::Pipes(Input::Closed), from),
            log: Writer::open(folder.errors(), ERRORS_BYTES_MAX),
        }
    }

    /// Takes what is there.
    pub(super) fn take(&mut self) -> Flow {
        self.output.take(&mut self.log, clock::steady())
    }
}

impl AsFd for Aside {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }
}
