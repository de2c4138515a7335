//! The reference: the least program that makes a row durable.
//!
//! One table, one row per message, WAL with `synchronous = FULL`: the same promise as ours. The thread
//! pattern is ours as well (a caller asks, one thread writes and answers after the commit), so that a
//! ratio shows what our verbs cost and not what a thread costs.

use std::path::Path;
use std::thread::{Builder, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::Trouble;

const SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE bare (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
    CREATE TABLE keyed (seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;";

/// Rows that share a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commit {
    /// Each row has its own.
    Each,
    /// All that wait share one.
    Shared,
}

/// A writer of rows.
pub(super) struct Bare {
    queue: Option<mpsc::Sender<Asked>>,
    thread: Option<JoinHandle<()>>,
}

struct Asked {
    key: Option<String>,
    body: String,
    /// Gets the words back, as our callers do.
    durable: oneshot::Sender<String>,
}

impl Bare {
    /// Makes the file and starts the thread.
    pub(super) fn open(path: &Path, commit: Commit) -> Result<Self, Trouble> {
        let conn = Connection::open(path)?;
        conn.execute_batch(SETTINGS)?;
        let (queue, asked) = mpsc::channel(1024);
        let write = move || {
            let written = match commit {
                Commit::Each => one_by_one(&conn, asked),
                Commit::Shared => together(&conn, asked),
            };
            written.expect("the reference program cannot write");
        };
        let thread = Builder::new().name("bare".to_owned()).spawn(write)?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
        })
    }

    /// Stores a row and waits until it is durable.
    pub(super) async fn insert(&self, body: String) -> Result<(), Trouble> {
        self.write(None, body).await
    }

    /// Stores a row that is recognised when it comes again, and waits until it is durable.
    pub(super) async fn insert_once(&self, key: String, body: String) -> Result<(), Trouble> {
        self.write(Some(key), body).await
    }

    async fn write(&self, key: Option<String>, body: String) -> Result<(), Trouble> {
        let (durable, answer) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or("the reference has stopped")?;
        queue
            .send(Asked { key, body, durable })
            .await
            .map_err(|_| "the reference has stopped")?;
        answer.await.map(drop).map_err(Trouble::from)
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported by the panic hook, and its callers were told.
            let _ = thread.join();
        }
    }
}

const INSERT: &str = "INSERT INTO bare (body) VALUES (?1)";
const INSERT_ONCE: &str =
    "INSERT INTO keyed (key, body) VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING";

fn one_by_one(conn: &Connection, mut asked: mpsc::Receiver<Asked>) -> rusqlite::Result<()> {
    let mut insert = conn.prepare(INSERT)?;
    while let Some(row) = asked.blocking_recv() {
        insert.execute([&row.body])?;
        // A caller who left is no trouble.
        let _gone = row.durable.send(row.body).is_err();
    }
    Ok(())
}

fn together(conn: &Connection, mut asked: mpsc::Receiver<Asked>) -> rusqlite::Result<()> {
    let mut begin = conn.prepare("BEGIN IMMEDIATE")?;
    let mut commit = conn.prepare("COMMIT")?;
    let mut insert = conn.prepare(INSERT)?;
    let mut insert_once = conn.prepare(INSERT_ONCE)?;
    while let Some(first) = asked.blocking_recv() {
        let mut group = vec![first];
        while let Ok(next) = asked.try_recv() {
            group.push(next);
        }
        begin.execute([])?;
        for row in &group {
            match &row.key {
                None => insert.execute([&row.body])?,
                Some(key) => insert_once.execute([key, &row.body])?,
            };
        }
        commit.execute([])?;
        for row in group {
            // A caller who left is no trouble.
            let _gone = row.durable.send(row.body).is_err();
        }
    }
    Ok(())
}
