//! Opening the file: who may read it, how it is synced, how much memory it takes.
//!
//! One connection writes; a few more only read, each on a snapshot of its own. They share nothing but
//! the file, so a long read never holds back a commit.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::syncing::SyncLog;
use crate::StoreError;
use crate::database::fault::Fault;

/// How long a connection waits for a lock that another program holds.
const BUSY: Duration = Duration::from_secs(5);

/// Statements kept ready per connection: more than there are.
const STATEMENTS_KEPT: usize = 128;

/// Reading connections kept open. More may be open for a moment; the rest are closed after use.
const READERS_KEPT: usize = 4;

/// Commits sync the log before anyone sees them.
pub(crate) const SYNC_WITHIN: &str = "PRAGMA synchronous = FULL";

/// Commits leave that to `syncing`. The head of a log that begins anew is still synced before what
/// follows it, and a checkpoint still syncs the log before it moves anything into the file.
pub(crate) const SYNC_AFTER: &str = "PRAGMA synchronous = NORMAL";

/// The writer keeps 8 MiB of pages: the paths to the rows of some ten thousand conversations. The log
/// is cut back to 16 MiB after a burst. It begins like `SYNC_WITHIN`, so that a migration is durable
/// before the first verb.
const WRITING: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -8192;
    PRAGMA journal_size_limit = 16777216;";

/// Each reader keeps half a MiB.
const READING: &str = "
    PRAGMA query_only = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -512;";

/// A database of its own, in memory.
pub(crate) fn in_memory() -> Result<Connection, Fault> {
    let conn = Connection::open_in_memory()?;
    conn.execute_batch("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;")?;
    keep_statements(&conn)?;
    Ok(conn)
}

/// The connection that writes. Makes the file, for its owner alone, if there is none.
pub(crate) fn writing(path: &Path) -> Result<Connection, StoreError> {
    let place = path.display().to_string();
    create(path).map_err(|error| {
        StoreError::Unavailable(format!(
            "{place}: {error}; check that its folder exists and may be written"
        ))
    })?;
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, WRITING).map_err(|fault| fault.said(&place))
}

/// A connection that only reads a file that is there.
pub(crate) fn reading(path: &Path) -> Result<Connection, StoreError> {
    let opened = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, READING);
    opened.map_err(|fault| fault.said(&path.display().to_string()))
}

/// SQLite gives the log and its index the mode of the file, so the file must have it first.
fn create(path: &Path) -> io::Result<()> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
        .map(drop)
}

fn connect(path: &Path, access: OpenFlags, settings: &str) -> Result<Connection, Fault> {
    let conn = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(BUSY)?;
    conn.execute_batch(settings)?;
    keep_statements(&conn)?;
    Ok(conn)
}

/// A statement is prepared once. Without the guarantee of stable plans SQLite would prepare it again
/// whenever its values change, to look at them, which costs more than most statements do.
fn keep_statements(conn: &Connection) -> Result<(), Fault> {
    conn.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// How the log of the file at `path` is synced by others than SQLite. It exists once the file has been
/// written, and keeps its identity as long as a connection is open. SQLite holds no locks on it that
/// closing it could release.
pub(crate) fn log_sync(path: &Path) -> Result<SyncLog, StoreError> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let file = File::open(&log).map_err(|error| {
        StoreError::Unavailable(format!(
            "{}: {error}; check that the folder may be read",
            Path::new(&log).display()
        ))
    })?;
    Ok(Box::new(move || file.sync_data()))
}

/// The connections that read.
pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// None yet; they are opened when needed.
    pub(crate) fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Reads with a connection that nobody else uses meanwhile.
    pub(crate) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let conn = self.take()?;
        let result = read(&conn);
        self.put_back(conn);
        result
    }

    fn take(&self) -> Result<Connection, Fault> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        // Writing is refused by `query_only`, not by the flags: the file's index of the log must be
        // writable for a reader to mark its place in it.
        idle.map_or_else(
            || connect(&self.path, OpenFlags::SQLITE_OPEN_READ_WRITE, READING),
            Ok,
        )
    }

    fn put_back(&self, conn: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < READERS_KEPT {
            idle.push(conn);
        }
    }
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
