//! What went wrong inside a verb, and the words for it.
//!
//! Verbs fail with a `Fault`; only at the door of the engine does it become a `StoreError`, because
//! only there is the name of the file known. The kind of an error decides what the caller does, so
//! the table below is the whole decision: what may pass by itself is `Unavailable`, everything else
//! means that the file does not hold what it should.

use std::time::Duration;

use rusqlite::{Error, ErrorCode};

use crate::StoreError;

/// Why a verb did not happen.
#[derive(Debug)]
pub(crate) enum Fault {
    /// SQLite refused.
    Sqlite(Error),
    /// PostgreSQL refused.
    Postgres(tokio_postgres::Error),
    /// The server did not answer, for so long.
    Silent(Duration),
    /// The server is not one that may be spoken to; why, and what to do about it.
    Untrusted(String),
    /// A row holds what a newer release wrote: its version, and the one that this release knows.
    Newer(u32, u32),
    /// A row holds what no release wrote.
    Undecodable(String),
    /// A verb that shared the commit failed so badly that SQLite undid all of them.
    GivenUp,
    /// The verb itself ended in a panic; its words.
    Panicked(String),
    /// Another verb was quicker. Nothing of this one happened; run again, it comes after the other.
    Raced,
    /// The system has nothing left that a connection needs; its words.
    Exhausted(String),
    /// The verb was asked for by a turn that is no longer its asker's.
    Overtaken,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

/// What may pass by itself or once an operator acts, and what to do about it.
const PASSING: [(ErrorCode, &str); 11] = [
    (
        ErrorCode::DiskFull,
        "its disk is full; free some space, and it goes on by itself",
    ),
    (
        ErrorCode::SystemIoFailure,
        "its disk does not read or write; look at the system's log",
    ),
    (
        ErrorCode::DatabaseBusy,
        "another program holds it locked; end that program",
    ),
    (
        ErrorCode::DatabaseLocked,
        "another connection holds a table locked; try again",
    ),
    (
        ErrorCode::CannotOpen,
        "it cannot be opened; check that its folder exists and may be written",
    ),
    (
        ErrorCode::ReadOnly,
        "it may not be written; check the rights of the file and its folder",
    ),
    (
        ErrorCode::PermissionDenied,
        "it may not be used; check the rights of the file",
    ),
    (
        ErrorCode::OutOfMemory,
        "there is no memory left; give the machine more, or end something",
    ),
    (
        ErrorCode::OperationInterrupted,
        "the operation was interrupted; try again",
    ),
    (
        ErrorCode::FileLockingProtocolFailed,
        "its locks do not work; keep it on a local disk",
    ),
    (
        ErrorCode::NoLargeFileSupport,
        "its disk cannot hold a file of this size; move it elsewhere",
    ),
];

impl Fault {
    /// The error for the caller; `place` names the file.
    pub(crate) fn said(self, place: &str) -> StoreError {
        match self {
            Self::Sqlite(error) => of_sqlite(&error, place),
            Self::Postgres(error) => crate::postgres::fault::said(&error, place),
            Self::Silent(time) => StoreError::Unavailable(format!(
                "{place}: the server is connected and has not answered for {} s; look whether its machine stands still, \
                 and at the network between",
                time.as_secs_f32()
            )),
            Self::Newer(found, known) => StoreError::Newer { found, known },
            Self::Undecodable(what) => damaged(place, &what),
            Self::Untrusted(words) => StoreError::Unavailable(format!("{place}: {words}")),
            Self::Overtaken => StoreError::Overtaken,
            Self::Raced => StoreError::Unavailable(format!(
                "{place}: others changed the same rows all the time; try again"
            )),
            Self::Exhausted(words) => StoreError::Unavailable(format!(
                "{place}: no connection can be made; raise the limit of open files ({words})"
            )),
            Self::GivenUp => StoreError::Unavailable(format!(
                "{place}: a write beside this one failed and took it along; try again"
            )),
            Self::Panicked(words) => StoreError::Unavailable(format!(
                "a verb on {place} ended in a bug ({words}); nothing of it was written"
            )),
        }
    }
}

fn of_sqlite(error: &Error, place: &str) -> StoreError {
    let passing = error
        .sqlite_error_code()
        .and_then(|code| PASSING.into_iter().find(|(passing, _)| *passing == code));
    match passing {
        Some((_, words)) => StoreError::Unavailable(format!("{place}: {words} ({error})")),
        None => damaged(place, &error.to_string()),
    }
}

fn damaged(place: &str, what: &str) -> StoreError {
    StoreError::Corrupt(format!(
        "{place}: {what}; keep a copy of the file and restore a backup, or move it away to begin anew"
    ))
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
