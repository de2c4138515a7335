//! What is known of the connection: written by the poller, read by whoever asks how it is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use angelia_core::time::Timestamp;

use super::wire::User;
use crate::health::{Health, Report};

/// What is known.
#[derive(Debug)]
pub(super) struct Vitals {
    health: Mutex<Health>,
    me: Mutex<Option<User>>,
    unknown: AtomicU64,
}

impl Default for Vitals {
    fn default() -> Self {
        Self {
            health: Mutex::new(Health::Starting),
            me: Mutex::default(),
            unknown: AtomicU64::new(0),
        }
    }
}

impl Vitals {
    pub(super) fn report(&self) -> Report {
        let me = self.me.lock().unwrap_or_else(PoisonError::into_inner);
        Report {
            health: self.health(),
            name: me.as_ref().and_then(|me| me.username.clone()),
            unknown: self.unknown.load(Ordering::Relaxed),
        }
    }

    fn health(&self) -> Health {
        let health = self.health.lock();
        health.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Telegram answered.
    pub(super) fn heard(&self, now: Timestamp) {
        self.turn(Health::Heard(now));
    }

    /// Whether it answered last, and did not fail.
    pub(super) fn is_heard(&self) -> bool {
        matches!(self.health(), Health::Heard(_))
    }

    /// It does not work; since when is kept.
    pub(super) fn down(&self, now: Timestamp, why: &str) {
        let since = match self.health() {
            Health::Down { since, .. } => since,
            Health::House | Health::Starting | Health::Heard(_) => now,
        };
        let why = why.to_owned();
        self.turn(Health::Down { since, why });
    }

    fn turn(&self, health: Health) {
        *self.health.lock().unwrap_or_else(PoisonError::into_inner) = health;
    }

    /// Who we are there, once that is known.
    pub(super) fn me(&self) -> Option<User> {
        let me = self.me.lock();
        me.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn met(&self, me: User) {
        *self.me.lock().unwrap_or_else(PoisonError::into_inner) = Some(me);
    }

    /// An update that nobody here knows.
    pub(super) fn count_unknown(&self) {
        self.unknown.fetch_add(1, Ordering::Relaxed);
    }
}
