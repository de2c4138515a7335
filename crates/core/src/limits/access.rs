//! Strangers: how often they are answered, and how often somebody may guess.

use crate::time::Span;

/// How long a code holds. Long enough to send it to somebody who is at lunch.
pub const CODE_LIFE: Span = Span::hours(1);

/// How long the same stranger hears nothing more.
pub const KNOCK_INTERVAL: Span = Span::minutes(10);

/// Strangers of one account who may wait at once: their codes are what a guess can hit.
pub const WAITING_MAX: usize = 3;

/// Wrong codes after which an account is locked.
pub const FAILURES_MAX: u32 = 5;

/// How long it is.
pub const LOCK_TIME: Span = Span::hours(1);

/// How long a knock is kept after its end, for people who want to see who was there.
pub const KNOCK_KEPT: Span = Span::days(7);

/// Why somebody is let in, or not any more.
pub const WHY_BYTES_MAX: usize = 1024;
