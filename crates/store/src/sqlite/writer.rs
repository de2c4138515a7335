//! The one thread that writes, and how many verbs share one commit.
//!
//! Flow: a verb is put into a bounded queue and its caller waits. The thread takes one verb and
//! every other that waits already, runs them in one transaction, commits once and then answers all of
//! them. So a commit's sync is shared by everyone who came while the last one was under way, and
//! nobody is answered before it.
//!
//! A verb that fails is rolled back alone: the group is undone and run again, each verb within a
//! savepoint. Savepoints from the start would copy every page that a verb touches, for a failure
//! that hardly ever comes. If SQLite then gives up the whole transaction, or the commit fails, all of
//! them failed. A caller that stopped waiting changes nothing: its verb runs to its end. When the
//! handle is dropped, what is queued is still written.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::fault::Fault;
use super::tx::Tx;
use crate::{Clock, StoreError};

/// Verbs that may wait for the writer; further callers wait for a place.
const QUEUE_MAX: usize = 1024;

/// Verbs that share one commit: enough to spread its cost, few enough to keep the wait short.
const GROUP_MAX: usize = 256;

/// How much was written since the store was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Verbs that ran.
    pub verbs: u64,
    /// Commits that they shared.
    pub commits: u64,
}

/// The counters behind `Stats`.
#[derive(Default)]
pub(super) struct Counters {
    verbs: AtomicU64,
    commits: AtomicU64,
}

impl Counters {
    pub(super) fn add(&self, verbs: usize) {
        self.verbs.fetch_add(verbs as u64, Ordering::Relaxed);
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> Stats {
        Stats {
            verbs: self.verbs.load(Ordering::Relaxed),
            commits: self.commits.load(Ordering::Relaxed),
        }
    }
}

/// What the thread works with.
pub(super) struct Desk {
    pub(super) conn: Connection,
    pub(super) clock: Clock,
    pub(super) place: String,
    pub(super) counters: Arc<Counters>,
}

/// The handle of the thread.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(desk: Desk) -> Result<Self, StoreError> {
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
    pub(super) async fn run<T, V>(&self, verb: V) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Asked {
            verb,
            result: None,
            reply,
        };
        let queue = self.queue.as_ref().ok_or_else(stopped)?;
        queue.send(Box::new(job)).await.map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
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

fn stopped() -> StoreError {
    StoreError::Unavailable("its writer has stopped; start the gateway again".to_owned())
}

/// A verb that waits, whatever it yields.
trait Job: Send {
    /// Runs the verb and keeps its result, instead of that of an earlier run. Says whether its
    /// changes may stay.
    fn run(&mut self, tx: &Tx<'_>, place: &str) -> Verdict;

    /// Tells the caller, who may have left, the result or why the commit failed.
    fn answer(self: Box<Self>, commit: &Result<(), StoreError>);
}

#[derive(PartialEq, Eq)]
enum Verdict {
    Keep,
    Undo,
}

struct Asked<T, V> {
    verb: V,
    /// Nothing while it has not been run, which is so when its transaction could not begin.
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, V> Job for Asked<T, V>
where
    T: Send,
    V: Fn(&Tx<'_>) -> Result<T, Fault> + Send,
{
    fn run(&mut self, tx: &Tx<'_>, place: &str) -> Verdict {
        let result = guarded(&self.verb, tx).map_err(|fault| fault.said(place));
        let verdict = if result.is_ok() {
            Verdict::Keep
        } else {
            Verdict::Undo
        };
        self.result = Some(result);
        verdict
    }

    fn answer(self: Box<Self>, commit: &Result<(), StoreError>) {
        let unrun = || Err(commit.clone().err().unwrap_or_else(stopped));
        let result = self.result.unwrap_or_else(unrun);
        let result = result.and_then(|value| commit.clone().map(|()| value));
        // The caller may have stopped waiting; the verb happened all the same.
        let _ = self.reply.send(result);
    }
}

/// Runs a verb so that a bug in it costs only this verb.
pub(super) fn guarded<T>(
    verb: impl Fn(&Tx<'_>) -> Result<T, Fault>,
    tx: &Tx<'_>,
) -> Result<T, Fault> {
    // What a panic may leave behind is the transaction's changes, and they are rolled back.
    catch_unwind(AssertUnwindSafe(|| verb(tx))).unwrap_or_else(|panic| {
        let words = panic
            .downcast_ref::<&str>()
            .map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Fault::Panicked(
            words.unwrap_or_else(|| "without words".to_owned()),
        ))
    })
}

impl Desk {
    fn serve(self, mut jobs: mpsc::Receiver<Box<dyn Job>>) {
        while let Some(first) = jobs.blocking_recv() {
            let mut group = vec![first];
            while group.len() < GROUP_MAX
                && let Ok(next) = jobs.try_recv()
            {
                group.push(next);
            }
            let commit = self
                .commit(&mut group)
                .map_err(|fault| fault.said(&self.place));
            group.into_iter().for_each(|job| job.answer(&commit));
        }
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

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
