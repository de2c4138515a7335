//! A value that many may wait for, woken in the order in which they came.
//!
//! `tokio::sync::watch` wakes its waiters in an order that differs from run to run. Here it is always
//! the same, so that a seed of the simulator replays.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

/// A value with waiters.
#[derive(Debug)]
pub struct Watched<T>(Arc<Inner<T>>);

#[derive(Debug)]
struct Inner<T> {
    value: Mutex<T>,
    changed: Notify,
}

impl<T> Clone for Watched<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Clone> Watched<T> {
    /// Begins with `value`.
    pub fn new(value: T) -> Self {
        let changed = Notify::new();
        Self(Arc::new(Inner {
            value: Mutex::new(value),
            changed,
        }))
    }

    /// The value now.
    pub fn get(&self) -> T {
        self.0
            .value
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Changes the value and wakes everyone who waits.
    pub fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.0.value.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.changed.notify_waiters();
    }

    /// Waits until the value is as wanted, and returns it.
    pub async fn until(&self, mut wanted: impl FnMut(&T) -> bool) -> T {
        loop {
            // Made before the look, so that a change in between is not missed.
            let changed = self.0.changed.notified();
            let value = self.get();
            if wanted(&value) {
                return value;
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_change_wakes_whoever_waits_for_it() {
        let watched = Watched::new(0);
        let waiting = watched.until(|value| *value == 2);
        let changing = async {
            watched.change(|value| *value += 1);
            tokio::task::yield_now().await;
            watched.change(|value| *value += 1);
        };
        let (seen, ()) = tokio::join!(waiting, changing);
        assert_eq!(seen, 2);
    }
}
