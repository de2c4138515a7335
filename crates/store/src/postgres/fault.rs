//! What an error of the server means for the caller.
//!
//! The code says it, never the words. Damage is what the server itself calls so: it ends the node. Everything else fails
//! the verb alone and is `Unavailable`, with what to do about it if that is known. A verb that only lost a race with
//! another is run again.

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::StoreError;
use crate::database::fault::Fault;

/// What the server calls damage: a table or an index that cannot be read.
const DAMAGE: [SqlState; 2] = [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED];

/// What may pass, by the first signs of its code, and what to do about it.
const PASSING: [(&str, &str); 13] = [
    (
        "08",
        "the connection broke; look whether the server runs and can be reached",
    ),
    (
        "25P",
        "the server ended a transaction that stood still, as it does when a gateway is paused; try again",
    ),
    (
        "28",
        "the server does not let us in; check user and password",
    ),
    (
        "26",
        "a statement that was prepared is gone, as behind a pooler that changes servers between transactions; connect to \
         the server itself, or have the pooler keep a server for each session",
    ),
    ("3D", "there is no such database; make it with `createdb`"),
    (
        "42P01",
        "a table is not there; check the schema in the address, or restore a backup",
    ),
    ("40", "others changed the same rows all the time; try again"),
    (
        "53",
        "the server has no room left; look at its disk, its memory and its `max_connections`",
    ),
    (
        "54",
        "that was more than the server can take at once; ask for less, or look at its log",
    ),
    ("55", "somebody holds what is needed; try again"),
    ("57", "the server stopped the work; look at its log"),
    ("58", "the server cannot use its disk; look at its log"),
    ("XX", "the server failed; look at its log"),
];

/// Refusals that an operator can mend, by their whole code.
const REFUSED: [(SqlState, &str); 2] = [
    (
        SqlState::INSUFFICIENT_PRIVILEGE,
        "the user may not do that; give them the schema",
    ),
    (
        SqlState::READ_ONLY_SQL_TRANSACTION,
        "it may only be read; connect to the server that takes writes",
    ),
];

/// What is said where nothing better is known.
const UNEXPECTED: &str = "the server refused a statement, and nothing of it was written; look at its log, and whether it is \
                          a PostgreSQL that we know";

/// What is said of one that says nothing.
const UNREACHABLE: &str = "it cannot be reached; look whether the server runs, and at the address";

/// The error for the caller; `place` names the server and the database, without user and password.
pub(crate) fn said(error: &Error, place: &str) -> StoreError {
    sentence(error.code(), place, &told(error))
}

/// The error by its code, if the server gave one, and its words.
fn sentence(code: Option<&SqlState>, place: &str, told: &str) -> StoreError {
    if code.is_some_and(|code| DAMAGE.contains(code)) {
        return StoreError::Corrupt(format!(
            "{place}: {told}; restore a backup, or begin with another database"
        ));
    }
    let words = code.map_or(UNREACHABLE, advice);
    StoreError::Unavailable(format!("{place}: {words} ({told})"))
}

/// What the server said, or why it said nothing.
fn told(error: &Error) -> String {
    use std::error::Error as _;
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => format!("{} {}", said.code().code(), said.message()),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}

fn advice(code: &SqlState) -> &'static str {
    let refused = REFUSED.iter().find(|(refused, _)| refused == code);
    let passing = PASSING
        .iter()
        .find(|(class, _)| code.code().starts_with(class));
    let known = refused
        .map(|(_, words)| *words)
        .or(passing.map(|(_, words)| *words));
    known.unwrap_or(UNEXPECTED)
}

/// Whether somebody held for too long what a statement needed. Its transaction can only be undone.
pub(crate) fn is_held_up(fault: &Fault) -> bool {
    matches!(fault, Fault::Postgres(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE))
}

/// Whether the server has no room for another connection.
pub(super) fn is_crowded(fault: &Fault) -> bool {
    matches!(fault, Fault::Postgres(error) if error.code() == Some(&SqlState::TOO_MANY_CONNECTIONS))
}

/// What an error means for the verb that was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    /// It lost a race with another: to run it again is to run it after the other.
    LostRace,
    /// The rows stand otherwise than it saw, perhaps since a moment ago.
    Otherwise,
    /// The connection is of no use any more; another may be.
    Broken,
    /// It will be refused again.
    Refused,
}

impl Means {
    /// What this fault means.
    pub(super) fn of(fault: &Fault) -> Self {
        let error = match fault {
            Fault::Postgres(error) => error,
            Fault::Raced => return Self::LostRace,
            Fault::Silent(_) => return Self::Broken,
            Fault::Sqlite(_)
            | Fault::Untrusted(_)
            | Fault::Newer(..)
            | Fault::Undecodable(_)
            | Fault::GivenUp
            | Fault::Exhausted(_)
            | Fault::Panicked(_)
            | Fault::Overtaken => return Self::Refused,
        };
        let Some(code) = error.code() else {
            return Self::Broken;
        };
        Self::of_code(code.code())
    }

    fn of_code(code: &str) -> Self {
        match code {
            // Somebody added the row, or deleted what it refers to, or refers to what is to be deleted.
            "23505" | "23503" => Self::Otherwise,
            // Somebody made the table at the same moment: `IF NOT EXISTS` looks before it makes one, and holds nothing.
            "42710" | "42P07" => Self::Otherwise,
            code if code.starts_with("40") => Self::LostRace,
            // It stood still for too long, and the server closed the connection.
            "25P03" | "25P04" => Self::Broken,
            // What it prepared is gone, or does not fit tables that a newer release changed: another prepares anew.
            "0A000" | "26000" => Self::Broken,
            code if code.starts_with("08") || code.starts_with("57P") => Self::Broken,
            _ => Self::Refused,
        }
    }
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
