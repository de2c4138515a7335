//! Whoever is awake is not woken.
//!
//! What is asked and the connection that it is asked on are looked at by the same task, one after the other, and each
//! wakes the task for the sake of the other: the question that something is to be written, the connection that an answer
//! has come. A runtime takes that for a task that has more to do, puts it at the end of its queue and wakes another
//! thread to help, which then competes with the server for a processor. Here such a call is noted, and it is
//! looked once more at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// Looks in a row before the runtime is asked after all: one that has used up its share of time tells those who look to
/// come again, and would tell them so for ever. An answer needs two.
const LOOKS: u32 = 4;

/// Nobody looks: whoever calls wakes the task.
const AWAY: u8 = 0;
/// Somebody looks.
const LOOKING: u8 = 1;
/// Somebody looks, and was called meanwhile.
const CALLED: u8 = 2;

/// One who looks at several things, each of which may call.
pub(super) struct Awake {
    bell: Arc<Bell>,
    waker: Waker,
}

struct Bell {
    state: AtomicU8,
    task: AtomicWaker,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let (order, otherwise) = (Ordering::AcqRel, Ordering::Acquire);
        let noted = self
            .state
            .compare_exchange(LOOKING, CALLED, order, otherwise);
        if noted == Err(AWAY) {
            self.task.wake();
        }
    }
}

impl Awake {
    pub(super) fn new() -> Self {
        let bell = Arc::new(Bell {
            state: AtomicU8::new(AWAY),
            task: AtomicWaker::new(),
        });
        let waker = Waker::from(Arc::clone(&bell));
        Self { bell, waker }
    }

    /// Looks, and again when called while looking; the task is woken only when it is called later.
    pub(super) fn look<T>(
        &self,
        cx: &Context<'_>,
        mut look: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        self.bell.task.register(cx.waker());
        for _ in 0..LOOKS {
            self.bell.state.store(LOOKING, Ordering::Release);
            let seen = look(&mut Context::from_waker(&self.waker));
            let state = self.bell.state.swap(AWAY, Ordering::AcqRel);
            if seen.is_ready() {
                // Whoever has an answer is not kept for the sake of the next.
                drop(self.bell.task.take());
            }
            if seen.is_ready() || state != CALLED {
                return seen;
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[cfg(test)]
#[path = "awake_tests.rs"]
mod tests;
