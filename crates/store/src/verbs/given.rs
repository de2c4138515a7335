//! What the tests beside the engine begin with: a store in memory, and conversations that came from
//! nowhere or from one another, which no verb makes at will.

use std::sync::Arc;

use angelia_core::id::SessionId;
use angelia_core::time::Timestamp;
use tokio::runtime::{Builder, Runtime};

use crate::database::Database;
use crate::database::value::{Nothing, params};

/// A store whose clock stands still.
pub(super) fn store() -> Database {
    let clock = Arc::new(|| Timestamp::from_ms(1_700_000_000_000));
    Database::in_memory(clock).expect("there is memory")
}

/// Something to run verbs on, for tests that a macro calls.
pub(super) fn runtime() -> Runtime {
    Builder::new_current_thread()
        .build()
        .expect("there is a thread")
}

/// The id of the conversation with this number.
pub(super) fn id(number: i64) -> SessionId {
    SessionId::from_bits(u128::from(number.unsigned_abs()))
}

/// Makes the conversation with this number.
pub(super) async fn session(store: &Database, number: i64) {
    let made = store.write(move |tx| {
        tx.also(
            "INSERT INTO sessions (seq, id, scope, key, generation, platform, account, chat, chat_kind, \
             created_at, active_at, listed_at, label, preview) \
             VALUES (?1, ?2, ?1, ?1, 1, 'api', 'a', 'c', 'dm', ?1, 0, 0, '', '')",
            params![number, id(number).to_string()],
        )?;
        let route = "INSERT INTO routes (scope, session) VALUES (?1, ?1)";
        tx.run(route, [number])
    });
    made.await.expect("the conversation is new");
}

/// Says that one conversation came from another.
pub(super) async fn link(store: &Database, child: i64, parent: i64, kind: &'static str) {
    let linked = store.write(move |tx| {
        let sql = "UPDATE sessions SET parent = ?2, link = ?3 WHERE seq = ?1";
        tx.run(sql, params![child, parent, kind])
    });
    linked.await.expect("both exist");
}

/// The number that a statement yields.
pub(super) fn number(store: &Database, sql: &str) -> i64 {
    store
        .read_here(|tx| tx.number(sql, Nothing))
        .expect("the statement is sound")
}
