//! The clocks of a holder, which has no gateway around it that it could ask.
//!
//! Only what runs inside a holder reads them; the gateway's side takes moments as it finds them in
//! the files.

#![expect(
    clippy::disallowed_methods,
    reason = "a holder runs without a gateway, and so without its clock"
)]

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use angelia_core::time::Timestamp;

/// For lengths of time.
pub(crate) fn steady() -> Instant {
    Instant::now()
}

/// For people: when something happened.
pub(crate) fn wall() -> Timestamp {
    // A clock before 1970 is not set yet; the beginning of time says so.
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let ms = since.map_or(0, |since| since.as_millis());
    Timestamp::from_ms(i64::try_from(ms).unwrap_or(i64::MAX))
}
