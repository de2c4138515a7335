//! What the storms have in common: many players with dice of their own, and things that all of them reach for.
//!
//! In a storm every player throws for what to do next, again and again, and all of them play at once. Nobody waits
//! for anybody: what one holds another may have ended long ago, and the store must say so. What must be true
//! afterwards, whoever was first, is noted on the side (`Pot`, and the books of the cases).

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::turns::ClaimedTurn;
use futures_util::future::try_join_all;

use super::Told;
use super::given::Given;
use crate::sim::dice::Dice;

/// How many play, and how often each of them throws.
const PLAYERS: u64 = 12;
const THROWS: u64 = 25;

/// Lets everybody play at once; the turns of one player come one after the other.
pub(super) async fn play(throw: impl AsyncFn(&mut Dice) -> Told) -> Told {
    let players = (0..PLAYERS).map(|number| {
        let (mut dice, throw) = (Dice::new(number), &throw);
        async move {
            for _ in 0..THROWS {
                throw(&mut dice).await?;
            }
            Ok::<(), StoreError>(())
        }
    });
    try_join_all(players).await.map(drop)
}

/// Answers whatever is left behind a storm, and tells of each turn that was settled.
pub(super) async fn answer_all(given: &Given, mut settled: impl FnMut(&ClaimedTurn)) -> Told {
    given.clock.advance(Span::minutes(5));
    loop {
        let left = match given.store.claim_orphan(given.node).await? {
            Some(turn) => Some(turn),
            None => given.try_claim().await?,
        };
        let Some(turn) = left else { break };
        given.settle(&turn, &["yes"]).await?;
        settled(&turn);
    }
    let counts = given.store.counts().await?;
    let open_ends = (counts.waiting, counts.running);
    assert_eq!(open_ends, (0, 0), "nobody waits in the end");
    Ok(())
}

/// Things that lie in the middle, for everybody.
pub(super) struct Pot<T>(Mutex<Vec<T>>);

impl<T> Default for Pot<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Pot<T> {
    pub(super) fn put(&self, thing: T) {
        open(&self.0).push(thing);
    }

    /// One of them, if there are any; it stays.
    pub(super) fn any(&self, dice: &mut Dice) -> Option<T> {
        let things = open(&self.0);
        let number = usize::try_from(dice.bits() % things.len().max(1) as u64).ok()?;
        things.get(number).cloned()
    }

    pub(super) fn all(&self) -> Vec<T> {
        open(&self.0).clone()
    }
}

/// How often something happened that may happen once.
pub(super) struct Tally<K>(Mutex<BTreeMap<K, u32>>);

impl<K> Default for Tally<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Ord + std::fmt::Debug> Tally<K> {
    /// It happened now.
    pub(super) fn note(&self, what: K) {
        *open(&self.0).entry(what).or_default() += 1;
    }

    /// Nothing happened twice.
    #[track_caller]
    pub(super) fn at_most_once(&self, words: &str) {
        for (what, times) in &*open(&self.0) {
            assert_eq!(*times, 1, "{what:?} {words}");
        }
    }
}

/// What a lock keeps, also after a panic of somebody else.
pub(super) fn open<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
