//! What was said, how it is called, what it used and how it is forgotten, with the rows of a real store.
//!
//! Some of these files are also run in `core`, against the functions that decide; here the store has to
//! keep what they decide.

mod accounting;
mod deletion;
mod rows;
mod titles;

use std::sync::Arc;

use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use angelia_store::database::Database;
use rusqlite::{Connection, params};
use tempfile::TempDir;

/// A store, and its file beside it: some rows of the reference are made by no verb of ours.
struct House {
    store: Database,
    file: Connection,
    _folder: TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = folder.path().join("angelia.db");
        let clock = Arc::new(|| Timestamp::from_ms(1_700_000_000_000));
        Self {
            store: Database::open(&path, clock).expect("the store opens"),
            file: Connection::open(&path).expect("the file opens"),
            _folder: folder,
        }
    }

    /// Makes the conversation with this number.
    fn session(&self, number: u128) -> SessionId {
        let id = SessionId::from_bits(number);
        let began = i64::try_from(number).expect("numbers are small");
        let insert = "INSERT INTO sessions (id, scope, key, generation, platform, account, chat, chat_kind, \
                      created_at, active_at, listed_at, label, preview) \
                      VALUES (?1, ?1, ?1, 1, 'telegram', 'a', 'c', 'dm', ?2, 0, 0, '', '')";
        self.file
            .execute(insert, params![id.to_string(), began])
            .expect("the rows are sound");
        id
    }

    /// Says what one conversation is to another.
    fn link(&self, child: SessionId, parent: SessionId, kind: &str) {
        let update = "UPDATE sessions SET link = ?3, \
                      parent = (SELECT seq FROM sessions WHERE id = ?2) WHERE id = ?1";
        let values = params![child.to_string(), parent.to_string(), kind];
        self.file
            .execute(update, values)
            .expect("the rows are sound");
    }

    fn number(&self, sql: &str) -> i64 {
        self.file
            .query_row(sql, [], |row| row.get(0))
            .expect("the rows are sound")
    }
}
