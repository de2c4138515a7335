//! The lock: one gateway per home. The kernel frees it with the process, whatever ends it.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;

use super::Home;
use crate::errors::Failure;

/// The lock of a home, held until this is dropped.
#[derive(Debug)]
#[must_use = "the lock is freed when this is dropped"]
pub(crate) struct Lock {
    _file: File,
}

/// What an attempt at the lock brought.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// It is ours.
    Taken(Lock),
    /// Another process holds it.
    Held,
}

impl Home {
    /// Tries to take the lock, without waiting.
    pub(crate) fn try_lock(&self) -> Result<Attempt, Failure> {
        let path = self.path().join("lock");
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path);
        let file = file.map_err(|error| super::unusable(self.path(), &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Attempt::Taken(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(Attempt::Held),
            Err(TryLockError::Error(error)) => {
                let what = format!("{} cannot be locked: {error}", path.display());
                Err(Failure::new(what).hint("keep the home on a local disk"))
            }
        }
    }
}
