//! What a verb holds while it decides, where others write at the same time.
//!
//! A verb reads, asks `core` and writes. On PostgreSQL somebody else could change what was read before it is
//! written, so whatever is decided by is held first, and read after: each statement sees what was committed
//! before it began. Nothing of this costs anything on SQLite.
//!
//! | what is decided | what is held |
//! |---|---|
//! | where a message goes, what waits, what was said | the conversation's row; of a place, its route before |
//! | who owns a turn | its conversation, its row and its lease (`turns::owned`) |
//! | what is sent next in a chat | the lane, by name |
//! | what has no row of its own (a sum, a limit, a name that is free) | a name |
//!
//! The order is the same everywhere: place, conversation, lease, lane, names. Where it cannot be, the server
//! ends one of two verbs that wait for each other, and that one is run again.

use angelia_core::id::ProcessId;

use crate::database::fault::Fault;
use crate::database::tx::Tx;

/// Holds the conversation with this number.
pub(super) fn session(tx: &Tx<'_>, seq: i64) -> Result<(), Fault> {
    let sql = "SELECT seq FROM sessions WHERE seq = ?1 /* hold */";
    tx.hold(sql, [seq])
}

/// Holds a place and the conversation that it speaks in.
pub(super) fn place(tx: &Tx<'_>, scope: &str) -> Result<(), Fault> {
    let sql = "SELECT seq FROM sessions WHERE seq = \
               (SELECT session FROM routes WHERE scope = ?1 /* hold */) /* hold */";
    tx.hold(sql, [scope])
}

/// Holds the places of a list and the conversations that they speak in, in the same order for everybody.
pub(super) fn places(tx: &Tx<'_>, scopes: &str) -> Result<(), Fault> {
    let sql = "SELECT seq FROM sessions WHERE seq = ANY (ARRAY (SELECT session FROM routes WHERE scope = \
               ANY (ARRAY (SELECT json_array_elements_text(CAST(?1 AS json)))) ORDER BY scope /* hold */)) \
               ORDER BY seq /* hold */";
    tx.hold(sql, [scopes])
}

/// Holds a process.
pub(super) fn process(tx: &Tx<'_>, id: ProcessId) -> Result<(), Fault> {
    let sql = "SELECT seq FROM processes WHERE id = ?1 /* hold */";
    tx.hold(sql, [id.to_string()])
}

/// Holds the order of sending in a chat of an account.
pub(super) fn lane(tx: &Tx<'_>, account: &str, chat: &str) -> Result<(), Fault> {
    named(tx, &format!("lane/{account}/{chat}"))
}

/// Holds a name. Its row is made when it is first held, and stays.
pub(super) fn named(tx: &Tx<'_>, name: &str) -> Result<(), Fault> {
    let sql = "SELECT name FROM holds WHERE name = ?1 /* hold */";
    if tx.hold_some(sql, [name])? == 0 {
        tx.also(
            "INSERT INTO holds (name) VALUES (?1) ON CONFLICT DO NOTHING",
            [name],
        )?;
        tx.hold(sql, [name])?;
    }
    Ok(())
}
