//! The one thread that writes, and how many verbs share one commit.
//!
//! Flow: a verb is put into a bounded queue and its caller waits. The thread takes one verb and
//! every other that waits already, runs them in one transaction, commits once and then answers all of
//! them. So a commit's sync is shared by everyone who came while the last one was under way, and
//! nobody is answered before it.
//!
//! While many messages arrive at once, and nothing else is written, the sync is left to another
//! thread (`syncing`) and the next group is written meanwhile. What is not an arrival is synced within
//! its commit, because others must not see it earlier; so is an arrival without company, because
//! there is nothing to overlap it with.
//!
//! A verb that fails is rolled back alone: the group is undone and run again, each verb within a
//! savepoint. Savepoints from the start would copy every page that a verb touches, for a failure
//! that hardly ever comes. If SQLite then gives up the whole transaction, or the commit fails, all of
//! them failed. A caller that stopped waiting changes nothing: its verb runs to its end. When the
//! handle is dropped, what is queued is still written.

use std::cell::Cell;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::mpsc;

use super::connection;
use super::syncing::{SyncLog, Syncing};
use crate::database::counters::Counters;
use crate::database::fault::Fault;
use crate::database::job::{self, Asked, Group, Job, Kind, Verdict, stopped};
use crate::database::tx::Tx;
use crate::{Clock, StoreError};

/// Verbs that may wait for the writer; further callers wait for a place.
const QUEUE_MAX: usize = 1024;

/// Verbs that share one commit: enough to spread its cost, few enough to keep the wait short.
const GROUP_MAX: usize = 256;

/// Arrivals that share one commit. Half of a crowd is written while the other half is synced; a sync
/// covers all that was committed before it, so more commits are not more syncs.
const ARRIVALS_MAX: usize = 32;

/// What a store's thread is started with.
pub(crate) struct Start {
    pub(crate) conn: Connection,
    pub(crate) clock: Clock,
    pub(crate) place: String,
    pub(crate) counters: Arc<Counters>,
    pub(crate) sync: SyncLog,
}

/// When the log is synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sync {
    /// By the commit, before anyone sees it.
    Within,
    /// By `syncing`, before anyone is told.
    After,
}

/// What the thread works with.
struct Desk {
    /// First, because it must end before the connection does.
    syncing: Syncing,
    conn: Connection,
    clock: Clock,
    place: String,
    counters: Arc<Counters>,
    /// How the last group was synced.
    sync: Cell<Sync>,
    /// How many verbs it had.
    company: Cell<usize>,
}

/// The handle of the thread.
pub(crate) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(start: Start) -> Result<Self, StoreError> {
        let desk = Desk::of(start)?;
        let (queue, jobs) = mpsc::channel(QUEUE_MAX);
        let thread = thread::Builder::new()
            .name("angelia-store".to_owned())
            .spawn(move || desk.serve(jobs))
            .map_err(|error| {
                StoreError::Unavailable(format!("no thread can be started: {error}"))
            })?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
        })
    }

    /// Runs a verb and waits for the commit it is part of.
    pub(crate) async fn run<T, V>(&self, kind: Kind, verb: V) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        let (job, answer) = Asked::new(kind, verb);
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        queue.send(Box::new(job)).await.map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?.result
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported by the panic hook, and its callers were told.
            let _ = thread.join();
        }
    }
}

impl Desk {
    /// The connection syncs within each commit until told otherwise.
    fn of(start: Start) -> Result<Self, StoreError> {
        Ok(Self {
            syncing: Syncing::start(start.sync, &start.place)?,
            conn: start.conn,
            clock: start.clock,
            place: start.place,
            counters: start.counters,
            sync: Cell::new(Sync::Within),
            company: Cell::new(1),
        })
    }

    fn serve(self, mut jobs: mpsc::Receiver<Box<dyn Job>>) {
        while let Some(first) = jobs.blocking_recv() {
            let mut group = gathered(first, &mut jobs);
            let committed = self.syncing.intact().and_then(|()| {
                self.write(&mut group)
                    .map_err(|fault| fault.said(&self.place))
            });
            self.tell(group, committed);
        }
    }

    /// Answers a group that is durable, and leaves the others to `syncing`. Behind a commit that is
    /// not durable yet everyone waits: a verb that wrote nothing may still speak of what it saw.
    fn tell(&self, group: Group, committed: Result<(), StoreError>) {
        let waits = self.sync.get() == Sync::After || self.syncing.is_behind();
        if committed.is_ok() && waits {
            self.syncing.hand_over(group);
        } else {
            job::answer_all(group, &committed.and_then(|()| self.syncing.intact()));
        }
    }

    fn write(&self, group: &mut [Box<dyn Job>]) -> Result<(), Fault> {
        self.choose_sync(group)?;
        self.commit(group)
    }

    /// Lone arrivals are synced within their commit, unless the last group had company: then a crowd
    /// is on its way, and a sync here would make it wait.
    fn choose_sync(&self, group: &[Box<dyn Job>]) -> Result<(), Fault> {
        let crowd = group.len().max(self.company.replace(group.len())) > 1;
        let sync = if kind_of(group) == Kind::Arrival && crowd {
            Sync::After
        } else {
            Sync::Within
        };
        if sync != self.sync.get() {
            // It must be compiled each time: that is when it takes effect.
            self.conn.execute_batch(match sync {
                Sync::Within => connection::SYNC_WITHIN,
                Sync::After => connection::SYNC_AFTER,
            })?;
            self.sync.set(sync);
        }
        Ok(())
    }

    fn commit(&self, group: &mut [Box<dyn Job>]) -> Result<(), Fault> {
        let done = self.run_all(group);
        if done.is_err() && !self.conn.is_autocommit() {
            // The first error is the one to tell; a connection that cannot even roll back fails at
            // the next `BEGIN`.
            let _ = self.sql("ROLLBACK");
        }
        done
    }

    fn run_all(&self, group: &mut [Box<dyn Job>]) -> Result<(), Fault> {
        self.sql("BEGIN IMMEDIATE")?;
        if let [only] = group {
            return self.run_alone(only.as_mut());
        }
        if group
            .iter_mut()
            .any(|job| self.ask(job.as_mut()) == Verdict::Undo)
        {
            self.run_apart(group)?;
        }
        self.end(group.len())
    }

    /// Undoes everything and runs each verb anew, so that those that fail cost nobody else theirs.
    fn run_apart(&self, group: &mut [Box<dyn Job>]) -> Result<(), Fault> {
        if !self.conn.is_autocommit() {
            self.sql("ROLLBACK")?;
        }
        self.sql("BEGIN IMMEDIATE")?;
        group
            .iter_mut()
            .try_for_each(|job| self.run_one(job.as_mut()))
    }

    /// Without company there is nothing to protect: a failure undoes the whole transaction.
    fn run_alone(&self, job: &mut dyn Job) -> Result<(), Fault> {
        match self.ask(job) {
            Verdict::Keep => self.end(1),
            Verdict::Undo if self.conn.is_autocommit() => Ok(()),
            Verdict::Undo => self.sql("ROLLBACK"),
        }
    }

    fn run_one(&self, job: &mut dyn Job) -> Result<(), Fault> {
        self.sql("SAVEPOINT verb")?;
        if self.ask(job) == Verdict::Undo {
            // Some failures make SQLite give up the whole transaction, the others' verbs included.
            if self.conn.is_autocommit() {
                return Err(Fault::GivenUp);
            }
            self.sql("ROLLBACK TO verb")?;
        }
        self.sql("RELEASE verb")
    }

    fn end(&self, verbs: usize) -> Result<(), Fault> {
        self.sql("COMMIT")?;
        self.counters.add(verbs);
        Ok(())
    }

    fn ask(&self, job: &mut dyn Job) -> Verdict {
        job.run(&Tx::on(&self.conn, (self.clock)()), &self.place)
    }

    fn sql(&self, sql: &str) -> Result<(), Fault> {
        self.conn.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}

/// A verb and the others that wait already.
fn gathered(first: Box<dyn Job>, jobs: &mut mpsc::Receiver<Box<dyn Job>>) -> Group {
    let mut room = room_for(first.kind());
    let mut group = vec![first];
    while group.len() < room
        && let Ok(next) = jobs.try_recv()
    {
        room = room.max(room_for(next.kind()));
        group.push(next);
    }
    group
}

fn room_for(kind: Kind) -> usize {
    match kind {
        Kind::Arrival => ARRIVALS_MAX,
        Kind::Other => GROUP_MAX,
    }
}

/// Whether nothing but messages arrived.
fn kind_of(group: &[Box<dyn Job>]) -> Kind {
    if group.iter().all(|job| job.kind() == Kind::Arrival) {
        Kind::Arrival
    } else {
        Kind::Other
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
