//! The bells of other nodes that share the store.
//!
//! ```text
//! a bell rings here → gathered for a moment → told to all, if anybody else lives
//! somebody told     → the same bells ring here
//! ```
//!
//! Nothing depends on it: a ring that is lost costs one period. Where nobody else can share the store, nothing of this
//! happens.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::limits;
use angelia_core::ring::{self, Ring};
use angelia_core::time::Span;
use angelia_store::StoreError;
use tokio::time::Instant;

use crate::bells::Bell;
use crate::feed::Frame;
use crate::ground::Ground;

/// What the loop is called.
const NAME: &str = "other nodes";

/// How long those who watch are left alone while more and more happens elsewhere.
const SHOWN_AFTER: Span = Span::ms(200);

/// The bells of other nodes, as those who ring them here see them.
#[derive(Debug, Clone, Default)]
pub struct Far {
    waiting: Arc<Mutex<Waiting>>,
    bell: Arc<Bell>,
}

#[derive(Debug, Default)]
struct Waiting {
    others: usize,
    rings: BTreeSet<Ring>,
}

impl Far {
    /// Rings this on other nodes soon, if there are any.
    pub fn ring(&self, ring: impl FnOnce() -> Ring) {
        let mut waiting = self.lock();
        if waiting.others > 0 && waiting.rings.len() < limits::FAR_RINGS_MAX {
            waiting.rings.insert(ring());
            drop(waiting);
            self.bell.ring();
        }
    }

    fn take(&self) -> BTreeSet<Ring> {
        std::mem::take(&mut self.lock().rings)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rings and hears until the node stops.
pub(crate) async fn run(ground: Ground) {
    let Some(mut heard) = ground.store.hear() else {
        return;
    };
    // Whoever hears it knows that somebody is there to be told.
    let told = tell(&ground, BTreeSet::from([Ring::Leases])).await;
    ground.note(NAME, &told);
    let far = ground.bells.far.clone();
    let (mut ear, mut show_at) = (far.bell.listen(), None);
    let mut count_at = ground.env.steady();
    loop {
        tokio::select! {
            biased;
            () = ground.phase.stopping() => return,
            () = tokio::time::sleep_until(count_at) => {
                count(&ground).await;
                count_at = ground.env.steady() + limits::LOOP_PERIOD.to_std();
            }
            () = ear.heard() => {
                tokio::time::sleep(limits::FAR_RINGS_GATHERED.to_std()).await;
                let told = tell(&ground, far.take()).await;
                ground.note(NAME, &told);
            }
            words = heard.recv() => match words {
                Some(words) => show_at = show_at.or(hear(&ground, &words)),
                None => return,
            },
            () = tokio::time::sleep_until(show_at.unwrap_or(count_at)), if show_at.is_some() => {
                ground.feed.publish(|_| Frame::Elsewhere);
                show_at = None;
            }
        }
    }
}

/// Rings here what another node rang. Returns when whoever watches shall look, once for all until then.
fn hear(ground: &Ground, words: &str) -> Option<Instant> {
    let rings = ring::heard(words, ground.node);
    if !rings.is_empty() {
        let mut waiting = ground.bells.far.lock();
        waiting.others = waiting.others.max(1);
    }
    rings.iter().for_each(|ring| ground.bells.ring_here(ring));
    let soon = || ground.env.steady() + SHOWN_AFTER.to_std();
    (!rings.is_empty()).then(soon)
}

async fn tell(ground: &Ground, rings: BTreeSet<Ring>) -> Result<(), StoreError> {
    for words in ring::said(ground.node, rings) {
        ground.store.tell(&words).await?;
    }
    Ok(())
}

/// Looks whether there is anybody to tell.
async fn count(ground: &Ground) {
    let others = ground.store.neighbours(ground.node).await;
    ground.note(NAME, &others);
    if let Ok(others) = others {
        ground.bells.far.lock().others = others;
    }
}
