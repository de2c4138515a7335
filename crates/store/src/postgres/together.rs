//! What many ask at once, done in one transaction.
//!
//! Flow: whoever asks stands in line. One of a few groups that may be at work takes all who stand there, does what
//! can be done for them in one transaction, answers them, and looks again. Whoever comes alone is served alone at
//! once, so this costs nobody time; the more who come, the more of them share a commit and its journeys.
//!
//! Those for whom nothing could be done together, and all of a group that failed as a whole, are done one by one
//! on whichever threads are free: one who cannot be served takes nobody else along. Nor does one who must wait for what
//! somebody else holds: a group waits for a moment only, and then each of them waits alone.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::fault::{Means, is_held_up};
use super::pool::{Access, Haste, Patience, Pool, Work, Worker, stopped};
use crate::StoreError;
use crate::database::fault::Fault;
use crate::database::tx::Tx;

/// Groups that may be at work: while one waits for its commit, the next is written.
const GROUPS_MAX: usize = 2;

/// Most who share a transaction. What they hold is held until the last of them is written.
const GROUP_MAX: usize = 64;

/// How a group is written. Whoever holds something may stand still, and everybody else would stand with them.
const BRIEFLY: (Access, Patience) = (Access::Write, Patience::Little);

/// A verb for many that may leave some of them out.
type ForMany<A, T> = fn(&Tx<'_>, &[Arc<A>]) -> Result<Vec<Option<T>>, Fault>;

/// The verb for one, and the verb for many that may leave some of them out.
pub(crate) struct Verbs<A, T> {
    pub(crate) alone: fn(&Tx<'_>, &A) -> Result<T, Fault>,
    pub(crate) together: ForMany<A, T>,
}

/// Those who stand in line.
pub(crate) struct Together<A, T> {
    verbs: Verbs<A, T>,
    line: Mutex<Waiting<A, T>>,
}

struct Waiting<A, T> {
    asked: VecDeque<Asked<A, T>>,
    groups: usize,
}

/// One who asked, and where the answer goes.
struct Asked<A, T> {
    what: Arc<A>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<A: Send + Sync + 'static, T: Send + 'static> Together<A, T> {
    /// Nobody stands in line yet.
    pub(crate) fn new(verbs: Verbs<A, T>) -> Self {
        let line = Waiting {
            asked: VecDeque::new(),
            groups: 0,
        };
        Self {
            verbs,
            line: Mutex::new(line),
        }
    }

    /// Asks, and waits for the commit.
    pub(crate) async fn ask(self: &Arc<Self>, pool: &Pool, what: A) -> Result<T, StoreError> {
        let _place = pool.place().await?;
        let (reply, answer) = oneshot::channel();
        let asked = Asked {
            what: Arc::new(what),
            reply,
        };
        if self.stand(asked) == Then::Begin {
            let here = Arc::clone(self);
            let work = Box::new(move |worker: &mut Worker| here.work(worker));
            if let Err(error) = pool.put(work, Haste::Usual) {
                self.send_away(&error);
            }
        }
        answer.await.map_err(|_| stopped())?
    }

    fn line(&self) -> MutexGuard<'_, Waiting<A, T>> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stand(&self, asked: Asked<A, T>) -> Then {
        let mut line = self.line();
        line.asked.push_back(asked);
        if line.groups == GROUPS_MAX {
            return Then::Wait;
        }
        line.groups += 1;
        Then::Begin
    }

    /// Nobody can work: nobody need stand any longer.
    fn send_away(&self, error: &StoreError) {
        let mut line = self.line();
        line.groups -= 1;
        for asked in line.asked.drain(..) {
            asked.answer(Err(error.clone()));
        }
    }

    /// The next group; none when nobody stands in line, and whoever asked for it goes.
    fn next(&self) -> Option<Vec<Asked<A, T>>> {
        let mut line = self.line();
        if line.asked.is_empty() {
            line.groups -= 1;
            return None;
        }
        let count = line.asked.len().min(GROUP_MAX);
        Some(line.asked.drain(..count).collect())
    }

    fn work(&self, worker: &mut Worker) {
        while let Some(group) = self.next() {
            self.serve(worker, group);
        }
    }

    fn serve(&self, worker: &mut Worker, group: Vec<Asked<A, T>>) {
        match <[_; 1]>::try_from(group) {
            Ok([asked]) => self.serve_one(worker, asked),
            Err(group) => self.serve_many(worker, group),
        }
    }

    fn serve_one(&self, worker: &mut Worker, asked: Asked<A, T>) {
        let verb = self.verbs.alone;
        match worker.perform(BRIEFLY, &|tx| verb(tx, &asked.what)) {
            Err(fault) if is_held_up(&fault) => self.serve_alone(worker, asked),
            done => asked.answer(done.map_err(|fault| worker.said(fault))),
        }
    }

    fn serve_many(&self, worker: &mut Worker, group: Vec<Asked<A, T>>) {
        let all: Vec<Arc<A>> = group.iter().map(|one| Arc::clone(&one.what)).collect();
        let together = self.verbs.together;
        match worker.perform(BRIEFLY, &|tx| together(tx, &all)) {
            Ok(done) => {
                worker.count(done.iter().flatten().count());
                for (asked, done) in group.into_iter().zip(done) {
                    match done {
                        Some(value) => asked.answer(Ok(value)),
                        None => self.serve_alone(worker, asked),
                    }
                }
            }
            // Perhaps they are done, and nobody can tell.
            Err(fault) if Means::of(&fault) == Means::Broken => {
                let error = worker.said(fault);
                for asked in group {
                    asked.answer(Err(error.clone()));
                }
            }
            Err(_) => {
                for asked in group {
                    self.serve_alone(worker, asked);
                }
            }
        }
    }

    fn serve_alone(&self, worker: &Worker, asked: Asked<A, T>) {
        worker.hand_on(asked.done_alone(self.verbs.alone));
    }
}

impl<A: Send + Sync + 'static, T: Send + 'static> Asked<A, T> {
    /// What a thread does for this one alone.
    fn done_alone(self, verb: fn(&Tx<'_>, &A) -> Result<T, Fault>) -> Work {
        Box::new(move |worker| {
            let patiently = (Access::Write, Patience::Usual);
            let done = worker.perform(patiently, &|tx| verb(tx, &self.what));
            self.answer(done.map_err(|fault| worker.said(fault)));
        })
    }

    fn answer(self, answer: Result<T, StoreError>) {
        // The caller may have stopped waiting; it happened all the same.
        let _left = self.reply.send(answer).is_err();
    }
}

/// What follows for one who has come.
#[derive(PartialEq, Eq)]
enum Then {
    /// A group is to be begun.
    Begin,
    /// A group that is at work will take them.
    Wait,
}
