//! How long a turn goes on working, measured while it runs.
//!
//! The turn waits for the end of its time; whoever asks people on its behalf says when a question begins and, by letting
//! go of what it was given, when it is over. When the end is, is decided by `core::turn::clock`.

use std::sync::Arc;

use angelia_core::time::Span;
use angelia_core::turn::clock::Clock;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::env::Env;

/// The time of one attempt at a turn. A clone is the same time.
#[derive(Clone)]
pub(crate) struct Patience {
    env: Env,
    began: Instant,
    clock: Arc<watch::Sender<Clock>>,
}

/// An open question. Dropping it ends it, also when nobody waits for the answer any more.
pub(crate) struct Paused {
    patience: Patience,
}

impl Patience {
    /// Begins now, for a turn that may work for so long.
    pub(crate) fn begin(env: &Env, allowed: Span) -> Self {
        Self {
            env: env.clone(),
            began: env.steady(),
            clock: Arc::new(watch::Sender::new(Clock::allowing(allowed))),
        }
    }

    /// Somebody is asked from now on.
    pub(crate) fn pause(&self) -> Paused {
        let now = self.env.elapsed(self.began);
        self.clock.send_modify(|clock| clock.asks(now));
        Paused {
            patience: self.clone(),
        }
    }

    /// Until the turn has worked for as long as it may.
    pub(crate) async fn is_over(&self) {
        let mut clock = self.clock.subscribe();
        loop {
            let ends = self.began + clock.borrow_and_update().ends().to_std();
            tokio::select! {
                biased;
                // The sender is ours, so it is not gone.
                _changed = clock.changed() => (),
                () = tokio::time::sleep_until(ends) => return,
            }
        }
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        let Patience { env, began, clock } = &self.patience;
        let now = env.elapsed(*began);
        clock.send_modify(|clock| clock.goes_on(now));
    }
}
