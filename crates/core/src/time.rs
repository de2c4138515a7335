//! The only time types in signatures: a moment and a length of time, both in whole milliseconds.
//!
//! There is no clock here. Whoever decides takes `now` as an argument; whoever runs asks the store
//! or `gateway::env`.

use std::fmt;
use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01 UTC.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment `ms` milliseconds after 1970 began.
    pub const fn from_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// Milliseconds since 1970 began.
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// How long after `earlier` this is; nothing if it is before.
    pub fn since(self, earlier: Self) -> Span {
        Span((self.0.saturating_sub(earlier.0)).max(0))
    }
}

/// RFC 3339 in UTC with milliseconds. A moment outside the calendar's range prints as its number.
impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(out, "{moment:.3}"),
            Err(_) => write!(out, "{}ms", self.0),
        }
    }
}

/// A length of time.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Span(i64);

impl Span {
    /// So many milliseconds.
    pub const fn ms(count: i64) -> Self {
        Self(count)
    }

    /// So many seconds.
    pub const fn seconds(count: i64) -> Self {
        Self(count * 1_000)
    }

    /// So many minutes.
    pub const fn minutes(count: i64) -> Self {
        Self::seconds(count * 60)
    }

    /// So many hours.
    pub const fn hours(count: i64) -> Self {
        Self::minutes(count * 60)
    }

    /// So many days of 24 hours.
    pub const fn days(count: i64) -> Self {
        Self::hours(count * 24)
    }

    /// Its whole milliseconds.
    pub const fn as_ms(self) -> i64 {
        self.0
    }

    /// The same length for timers, which know no negative time.
    pub fn to_std(self) -> std::time::Duration {
        std::time::Duration::from_millis(self.0.max(0).unsigned_abs())
    }
}

impl Add<Span> for Timestamp {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<Span> for Timestamp {
    type Output = Self;

    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;
