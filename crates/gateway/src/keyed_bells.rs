//! A bell for each thing that somebody waits for.
//!
//! Many may wait at once, each for its own thing. If all of them heard every ring, each would wake
//! everyone; so each hears only its own. A thing that nobody waits for has no bell and costs nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::ring::Ring;

use crate::bells::{Bell, Ear};
use crate::far::Far;

/// The bells of the things that somebody waits for.
#[derive(Debug)]
pub struct KeyedBells<K: Ord> {
    bells: Arc<Mutex<BTreeMap<K, (Bell, usize)>>>,
    far: Option<(RingOf<K>, Far)>,
}

/// What rings on other nodes for a thing.
type RingOf<K> = fn(&K) -> Ring;

/// Someone who waits for a thing. The bell goes with the last one.
#[derive(Debug)]
pub struct KeyedEar<K: Ord + Clone> {
    ear: Ear,
    key: K,
    bells: KeyedBells<K>,
}

impl<K: Ord> Default for KeyedBells<K> {
    fn default() -> Self {
        Self {
            bells: Arc::default(),
            far: None,
        }
    }
}

impl<K: Ord> Clone for KeyedBells<K> {
    fn clone(&self) -> Self {
        Self {
            bells: Arc::clone(&self.bells),
            far: self.far.clone(),
        }
    }
}

impl<K: Ord + Clone> KeyedBells<K> {
    /// Bells that ring on other nodes too.
    pub(crate) fn heard_far(ring: RingOf<K>, far: &Far) -> Self {
        Self {
            far: Some((ring, far.clone())),
            ..Self::default()
        }
    }

    /// Wakes those who wait for the thing. Most things have nobody waiting; then no key is made.
    pub fn ring(&self, key: impl Fn() -> K) {
        if let Some((ring, far)) = &self.far {
            far.ring(|| ring(&key()));
        }
        let bells = self.lock();
        if !bells.is_empty()
            && let Some((bell, _)) = bells.get(&key())
        {
            bell.ring();
        }
    }

    /// Wakes those on this node who wait for the thing.
    pub(crate) fn ring_here(&self, key: &K) {
        if let Some((bell, _)) = self.lock().get(key) {
            bell.ring_here();
        }
    }

    /// Listens from now on.
    pub fn listen(&self, key: K) -> KeyedEar<K> {
        let mut bells = self.lock();
        let (bell, ears) = bells.entry(key.clone()).or_default();
        *ears += 1;
        let ear = bell.listen();
        KeyedEar {
            ear,
            key,
            bells: self.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<K, (Bell, usize)>> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Ord + Clone> KeyedEar<K> {
    /// Waits until the bell has rung since the last time.
    pub async fn heard(&mut self) {
        self.ear.heard().await;
    }
}

impl<K: Ord + Clone> Drop for KeyedEar<K> {
    fn drop(&mut self) {
        let mut bells = self.bells.lock();
        if let Some((_, ears)) = bells.get_mut(&self.key) {
            *ears -= 1;
            if *ears == 0 {
                bells.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn only_those_who_wait_for_the_thing_hear_it_and_the_last_takes_the_bell_along() {
        let bells = KeyedBells::default();
        let (mut one, mut two, mut other) = (bells.listen(1), bells.listen(1), bells.listen(2));
        bells.ring(|| 1);
        assert!(one.heard().now_or_never().is_some());
        assert!(two.heard().now_or_never().is_some());
        assert!(other.heard().now_or_never().is_none());
        drop((one, two, other));
        assert!(bells.lock().is_empty());
        bells.ring(|| unreachable!("nobody waits, so nobody asks which"));
    }
}
