//! A few threads, each with a connection of its own, and the verbs that wait for them.
//!
//! Flow: a verb is put into a bounded queue and its caller waits. Whichever thread is free takes it, opens a
//! transaction, runs it, commits and answers. Threads and connections are made when more verbs wait than
//! threads are free, up to `CONNECTIONS_MAX`; a thread that had nothing to do for a while ends. A verb that cannot
//! wait, because leases depend on it, goes before all others, and if every thread is held up there is one more for it.
//! Who rested last is called first: its connection is warm, at the server too, and those that are not needed end.
//! A thread for which the server has no connection left gives its verb back to those that have one, and ends.
//!
//! A verb that lost a race (a deadlock, a row that somebody else added first) changed nothing and is run
//! again, after the other. One whose connection broke before its commit was sent changed nothing either,
//! and is run once more on a new connection. If the connection broke during the commit nobody can tell
//! whether the verb happened: that is the caller's to find out, as with every other loss of an answer.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

use super::fault::{Means, is_crowded};
pub(crate) use super::line::{Access, Patience};
use super::line::{Care, Line};
use super::place::Server;
use crate::database::counters::Counters;
use crate::database::fault::Fault;
use crate::database::job::guarded;
use crate::database::tx::{Now, Tx};
use crate::{Clock, StoreError};

/// Connections to the server.
const CONNECTIONS_MAX: usize = 16;

/// Verbs that may wait for a connection; further callers wait for a place.
const QUEUE_MAX: usize = 1024;

/// How often a verb is run again that loses races, and how often one whose row was there already: whoever
/// added it has committed, so the second run sees it.
const LOSSES_MAX: u32 = 16;
const REPEATS_MAX: u32 = 3;

/// How long a verb that lost rests before it is run again, times the number of its losses.
const REST: Duration = Duration::from_millis(1);

/// Verbs that are left to the threads there are once the server had no connection left for another.
const LEFT_TO_OTHERS: usize = 256;

/// How long a thread waits for something to do before it ends.
const IDLE: Duration = Duration::from_secs(60);

/// Which time the verbs are told.
#[derive(Clone)]
pub(crate) enum Time {
    /// The server's, which is the same for all nodes.
    Server,
    /// This clock's, for tests.
    Given(Clock),
}

/// How long a verb may wait for a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Haste {
    /// Until those before it were taken.
    Usual,
    /// Not at all.
    Urgent,
}

/// What a thread is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Every verb.
    Common,
    /// Those that cannot wait.
    Spare,
}

/// What every thread works with.
pub(crate) struct Desk {
    pub(crate) server: Server,
    pub(crate) care: Care,
    pub(crate) time: Time,
    pub(crate) place: String,
    pub(crate) counters: Arc<Counters>,
}

/// A verb that waits, with where its answer goes.
pub(super) type Work = Box<dyn FnOnce(&mut Worker) + Send>;

/// The handle of the threads.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    room: Semaphore,
}

struct Shared {
    desk: Desk,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    urgent: VecDeque<Work>,
    waiting: VecDeque<Work>,
    /// Threads for every verb, and those of them that have nothing to do, the last of whom came last.
    threads: usize,
    resting: Vec<Thread>,
    /// Threads for verbs that cannot wait, one at most; and it, if it has nothing to do.
    spares: usize,
    resting_spares: Vec<Thread>,
    /// Verbs that are left to the threads there are.
    left_to_others: usize,
    /// Nobody will ask any more.
    closed: bool,
}

impl Pool {
    /// No threads yet, and one connection that is open already.
    pub(crate) fn of(desk: Desk) -> Self {
        let shared = Shared {
            desk,
            queue: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
            room: Semaphore::new(QUEUE_MAX),
        }
    }

    /// What its threads work with.
    pub(crate) fn desk(&self) -> &Desk {
        &self.shared.desk
    }

    /// Runs a verb and waits for its commit.
    pub(crate) async fn run<T, V>(
        &self,
        (access, haste): (Access, Haste),
        verb: V,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        V: Fn(&Tx<'_>) -> Result<T, Fault> + Send + 'static,
    {
        let _place = match haste {
            Haste::Usual => Some(self.place().await?),
            Haste::Urgent => None,
        };
        let (reply, answer) = oneshot::channel();
        let work: Work = Box::new(move |worker| {
            let result = worker.perform((access, Patience::Usual), &verb);
            let result = result.map_err(|fault| worker.said(fault));
            // The caller may have stopped waiting; the verb happened all the same.
            let _ = reply.send(result);
        });
        self.put(work, haste)?;
        answer.await.map_err(|_| stopped())?
    }

    /// A place for one who waits, as long as it is kept.
    pub(super) async fn place(&self) -> Result<SemaphorePermit<'_>, StoreError> {
        self.room.acquire().await.map_err(|_| stopped())
    }

    /// Has it done by whichever thread is free.
    pub(super) fn put(&self, work: Work, haste: Haste) -> Result<(), StoreError> {
        put(&self.shared, work, haste)
    }
}

fn put(shared: &Arc<Shared>, work: Work, haste: Haste) -> Result<(), StoreError> {
    let mut queue = shared.queue();
    let called = queue.call(haste);
    let full = queue.is_full();
    let role = match haste {
        _ if !full => Role::Common,
        Haste::Urgent if queue.spares == 0 => Role::Spare,
        Haste::Urgent | Haste::Usual => Role::Common,
    };
    if called.is_none() && (!full || role == Role::Spare) {
        match start(shared, role) {
            Ok(()) => *queue.counted(role) += 1,
            // Refused before it waits: whoever is told so may be sure that nothing happens.
            Err(error) if queue.threads == 0 => return Err(error),
            Err(_) => (),
        }
    }
    match haste {
        Haste::Usual => queue.waiting.push_back(work),
        Haste::Urgent => queue.urgent.push_back(work),
    }
    drop(queue);
    if let Some(thread) = called {
        thread.unpark();
    }
    Ok(())
}

impl Queue {
    fn take(&mut self, role: Role) -> Option<(Haste, Work)> {
        let urgent = self.urgent.pop_front().map(|work| (Haste::Urgent, work));
        let usual = |queue: &mut Self| Some((Haste::Usual, queue.waiting.pop_front()?));
        match role {
            Role::Common => urgent.or_else(|| usual(self)),
            Role::Spare => urgent,
        }
    }

    /// Whether there are as many threads for every verb as there may be.
    fn is_full(&mut self) -> bool {
        let is_left = self.left_to_others > 0 && self.threads > 0;
        self.left_to_others = self.left_to_others.saturating_sub(1);
        is_left || self.threads >= CONNECTIONS_MAX
    }

    fn is_empty(&self, role: Role) -> bool {
        self.urgent.is_empty() && (role == Role::Spare || self.waiting.is_empty())
    }

    /// How many threads of this role there are.
    fn counted(&mut self, role: Role) -> &mut usize {
        match role {
            Role::Common => &mut self.threads,
            Role::Spare => &mut self.spares,
        }
    }

    /// A thread that rests and may do this.
    fn call(&mut self, haste: Haste) -> Option<Thread> {
        let common = self.resting.pop();
        match haste {
            Haste::Usual => common,
            Haste::Urgent => common.or_else(|| self.resting_spares.pop()),
        }
    }

    /// The threads of this role that rest.
    fn resting(&mut self, role: Role) -> &mut Vec<Thread> {
        match role {
            Role::Common => &mut self.resting,
            Role::Spare => &mut self.resting_spares,
        }
    }

    /// Whether this thread, which rested, was called; it rests no longer.
    fn was_called(&mut self, role: Role) -> bool {
        let me = thread::current().id();
        let resting = self.resting(role);
        let place = resting.iter().position(|one| one.id() == me);
        place.map(|place| resting.remove(place)).is_none()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.closed = true;
        for role in [Role::Common, Role::Spare] {
            queue.resting(role).drain(..).for_each(|one| one.unpark());
        }
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next verb; nothing when the thread may end.
    fn next(&self, role: Role) -> Option<(Haste, Work)> {
        let mut queue = self.queue();
        loop {
            if let Some(work) = queue.take(role) {
                return Some(work);
            }
            if queue.closed {
                *queue.counted(role) -= 1;
                return None;
            }
            queue.resting(role).push(thread::current());
            drop(queue);
            thread::park_timeout(IDLE);
            queue = self.queue();
            if !queue.was_called(role) && queue.is_empty(role) {
                *queue.counted(role) -= 1;
                return None;
            }
        }
    }
}

impl Shared {
    /// Gives a verb back to the other threads, and this one may end; the verb again if there is nobody to do it.
    fn give_back(&self, role: Role, (haste, work): (Haste, Work)) -> Option<Work> {
        let mut queue = self.queue();
        *queue.counted(role) -= 1;
        if queue.threads == 0 {
            *queue.counted(role) += 1;
            return Some(work);
        }
        queue.left_to_others = LEFT_TO_OTHERS;
        match haste {
            Haste::Usual => queue.waiting.push_front(work),
            Haste::Urgent => queue.urgent.push_front(work),
        }
        if let Some(thread) = queue.call(haste) {
            thread.unpark();
        }
        None
    }
}

fn start(shared: &Arc<Shared>, role: Role) -> Result<(), StoreError> {
    let shared = Arc::clone(shared);
    let mut worker = Worker {
        shared,
        line: None,
        unmade: None,
    };
    let serve = move || worker.serve(role);
    let started = thread::Builder::new()
        .name("angelia-store".to_owned())
        .spawn(serve);
    started
        .map(drop)
        .map_err(|error| StoreError::Unavailable(format!("no thread can be started: {error}")))
}

/// A thread and its connection.
pub(super) struct Worker {
    shared: Arc<Shared>,
    line: Option<RefCell<Line>>,
    /// Why no connection could be made: told by the verb that needs it.
    unmade: Option<Fault>,
}

/// Where a run of a verb failed.
enum Failed {
    /// Before its commit: nothing of it happened.
    Before(Fault),
    /// While it was committed: nobody can tell.
    Within(Fault),
}

impl Failed {
    const fn fault(&self) -> &Fault {
        match self {
            Self::Before(fault) | Self::Within(fault) => fault,
        }
    }

    fn into_fault(self) -> Fault {
        match self {
            Self::Before(fault) | Self::Within(fault) => fault,
        }
    }
}

/// How often a verb was run in vain, and why.
#[derive(Default)]
struct Tries {
    losses: u32,
    repeats: u32,
    breaks: u32,
}

impl Tries {
    fn allow_another(&mut self, failed: &Failed) -> bool {
        let (count, most) = match (Means::of(failed.fault()), failed) {
            (Means::LostRace, _) => (&mut self.losses, LOSSES_MAX),
            (Means::Otherwise, _) => (&mut self.repeats, REPEATS_MAX),
            (Means::Broken, Failed::Before(_)) => (&mut self.breaks, 1),
            (Means::Broken, Failed::Within(_)) | (Means::Refused, _) => return false,
        };
        *count += 1;
        *count <= most
    }
}

impl Worker {
    /// Does what comes until nothing comes for a while, or until others do it.
    fn serve(&mut self, role: Role) {
        while let Some((haste, work)) = self.shared.next(role) {
            let work = match self.is_turned_away() {
                false => work,
                true => match self.shared.give_back(role, (haste, work)) {
                    Some(work) => work,
                    None => return,
                },
            };
            work(self);
        }
    }

    /// Whether the server has no connection left for this thread.
    fn is_turned_away(&mut self) -> bool {
        // What an earlier verb did not need is no news.
        self.unmade = None;
        self.unmade = self.line().err();
        self.unmade.as_ref().is_some_and(is_crowded)
    }

    /// The fault in words for the caller.
    pub(super) fn said(&self, fault: Fault) -> StoreError {
        fault.said(&self.shared.desk.place)
    }

    /// Has it done by whichever thread is free next.
    pub(super) fn hand_on(&self, work: Work) {
        // There is a thread: this one.
        let _taken = put(&self.shared, work, Haste::Usual).is_ok();
    }

    /// Notes that one commit was that of so many verbs.
    pub(super) fn count(&self, verbs: usize) {
        self.shared.desk.counters.share(verbs);
    }

    /// Runs a verb, and again if it lost a race.
    pub(super) fn perform<T>(
        &mut self,
        way: (Access, Patience),
        verb: &impl Fn(&Tx<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut tries = Tries::default();
        loop {
            let failed = match self.attempt(way, verb) {
                Ok(value) => return Ok(value),
                Err(failed) => failed,
            };
            if !tries.allow_another(&failed) {
                return Err(failed.into_fault());
            }
            thread::sleep(REST * tries.losses);
        }
    }

    fn attempt<T>(
        &mut self,
        (access, patience): (Access, Patience),
        verb: &impl Fn(&Tx<'_>) -> Result<T, Fault>,
    ) -> Result<T, Failed> {
        let now = match &self.shared.desk.time {
            Time::Server => Now::OfServer,
            Time::Given(clock) => Now::Given(clock()),
        };
        let line = self.line().map_err(Failed::Before)?;
        line.get_mut().begin(access, patience);
        let value = guarded(verb, &Tx::on_line(line, now));
        let mut line = line.borrow_mut();
        let ended = match value {
            Ok(value) => line.commit().map(|()| value).map_err(|fault| {
                // Nothing of it may be left for the next verb on this connection.
                line.undo();
                Failed::Within(fault)
            }),
            Err(fault) => {
                let failed = match line.is_sealed() {
                    true => Failed::Within(fault),
                    false => Failed::Before(fault),
                };
                // One that cannot undo its transaction is closed below, which undoes it too.
                line.undo();
                Err(failed)
            }
        };
        let (closed, journeys) = (line.is_closed(), line.journeys());
        drop(line);
        self.shared.desk.counters.travel(journeys);
        let is_broken = |failed: &Failed| Means::of(failed.fault()) == Means::Broken;
        if closed || ended.as_ref().is_err_and(is_broken) {
            self.line = None;
        }
        if ended.is_ok() && access == Access::Write {
            self.shared.desk.counters.add(1);
        }
        ended
    }

    /// The connection, made anew if there is none.
    fn line(&mut self) -> Result<&mut RefCell<Line>, Fault> {
        if let Some(fault) = self.unmade.take() {
            return Err(fault);
        }
        let desk = &self.shared.desk;
        Ok(match &mut self.line {
            Some(line) => line,
            none => none.insert(RefCell::new(Line::to(&desk.server, desk.care)?.0)),
        })
    }
}

/// The answer when there is no thread any more.
pub(super) fn stopped() -> StoreError {
    StoreError::Unavailable("its threads have stopped; start the gateway again".to_owned())
}
