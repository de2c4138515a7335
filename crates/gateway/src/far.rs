//! The bells of other nodes that share the store.
//!
//! ```text
//! a bell rings here → gathered for a moment → told to all, if anybody else lives
//! somebody told     → the same bells ring here
//! somebody watches  → others are told so now and then, and let see what grows on them (`glimpses`)
//! ```
//!
//! Nothing depends on it: a ring that is lost costs one period, so whatever is wrong with it is shown and ends nothing. Where nobody else can share the store, nothing of this
//! happens.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::id::InboxId;
use angelia_core::limits;
use angelia_core::ring::{self, Ring};
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::neighbours::Heard;
use tokio::time::Instant;

use crate::bells::Bell;
use crate::feed::Frame;
use crate::ground::Ground;

/// What the loop is called, and what it does besides.
const NAME: &str = "other nodes";
const TOLD: &str = "bells for other nodes";
const HEARD: &str = "bells of other nodes";

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

    /// Whether other nodes live.
    pub(crate) fn has_others(&self) -> bool {
        self.lock().others > 0
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
    tell(&ground, BTreeSet::from([Ring::Leases])).await;
    let far = ground.bells.far.clone();
    let (mut ear, mut show_at) = (far.bell.listen(), None);
    let (mut came, mut known) = (ground.feed.listen(), BTreeSet::new());
    let mut count_at = ground.env.steady();
    loop {
        tokio::select! {
            biased;
            () = ground.phase.stopping() => return,
            () = tokio::time::sleep_until(count_at) => {
                count(&ground).await;
                known.clear();
                ask_to_see(&ground, &mut known);
                count_at = ground.env.steady() + limits::LOOP_PERIOD.to_std();
            }
            () = ear.heard() => {
                tokio::time::sleep(limits::FAR_RINGS_GATHERED.to_std()).await;
                tell(&ground, far.take()).await;
            }
            () = came.heard() => {
                ground.glimpses.look_at_all();
                ask_to_see(&ground, &mut known);
            }
            heard = heard.recv() => match heard {
                Some(Heard::Words(words)) => show_at = show_at.or(hear(&ground, &words)),
                Some(Heard::Listening) => ground.remark(HEARD, &Ok(())),
                Some(Heard::Deaf(why)) => ground.remark(HEARD, &Err(why)),
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
    let now = ground.env.steady();
    for ring in &rings {
        match ring {
            Ring::Grew(turn, account) => ground.glimpses.grew(*turn, account.clone()),
            Ring::Watched => ground.glimpses.watched(now),
            Ring::Followed(inbox) => ground.glimpses.followed(*inbox, now),
            Ring::Inbox
            | Ring::Orphans
            | Ring::Leases
            | Ring::Decided
            | Ring::Processes
            | Ring::Outbox(_)
            | Ring::Chat(..)
            | Ring::Stop(_)
            | Ring::Approval(_) => ground.bells.ring_here(ring),
        }
    }
    let rows = rings.iter().any(Ring::tells_of_rows);
    rows.then(|| now + SHOWN_AFTER.to_std())
}

/// Tells others what somebody here would see of them. Who waits for one answer is told of once in a period.
fn ask_to_see(ground: &Ground, known: &mut BTreeSet<InboxId>) {
    let far = &ground.bells.far;
    if ground.feed.is_watched() {
        far.ring(|| Ring::Watched);
    }
    for inbox in ground.feed.followers.messages() {
        if known.insert(inbox) {
            far.ring(|| Ring::Followed(inbox));
        }
    }
}

async fn tell(ground: &Ground, rings: BTreeSet<Ring>) {
    let told = try_telling(ground, rings).await;
    ground.remark(TOLD, &told);
}

async fn try_telling(ground: &Ground, rings: BTreeSet<Ring>) -> Result<(), StoreError> {
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
