//! A claim with an end, and the number that outlives it.
//!
//! A lease says who may work on a thing until when. Its fence rises whenever the holder changes, and
//! every write under the lease names its fence, so a worker that slept through its end cannot write.
//! The holder is the claim (a turn, a boot), not the machine: an old task of the same node is fenced
//! too. Rows are never deleted, or fences would begin again at one.
//!
//! The time here is the store's time, so nodes need not agree on theirs.

use serde::{Deserialize, Serialize};

use crate::limits;
use crate::time::{Span, Timestamp};

/// The rising number of a lease. Higher is later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fence(pub i64);

/// The state of one lease row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The claim that holds it: a turn's or a boot's id.
    pub holder: String,
    /// The number that writes must name.
    pub fence: Fence,
    /// When it lapses unless renewed.
    pub ends_at: Timestamp,
}

impl Lease {
    /// Whether its holder may still work under it.
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.ends_at
    }
}

/// What `holder` gets when it asks for the lease: a new one, its own renewed, or nothing while
/// another's is live. A holder that comes back after its end gets a new fence, because someone may
/// have acted on the end.
pub fn take(current: Option<&Lease>, holder: &str, now: Timestamp) -> Option<Lease> {
    let ends_at = now + limits::LEASE_TIME;
    let fence = match current {
        None => Fence(1),
        Some(lease) if lease.is_live(now) && lease.holder == holder => lease.fence,
        Some(lease) if lease.is_live(now) => return None,
        Some(lease) => Fence(lease.fence.0 + 1),
    };
    Some(Lease {
        holder: holder.to_owned(),
        fence,
        ends_at,
    })
}

/// Whether a node must stop its work because it could not renew: `silent` is the time since its
/// last successful renewal, by its own steady clock.
pub fn is_in_doubt(silent: Span) -> bool {
    silent >= limits::LEASE_DOUBT_AFTER
}

/// How long a node waits for the answer to a renewal: not past the moment at which it must stop its work. Once that is
/// past, everything was let go, nothing more can be lost, and whoever did not wait would never hear that it may work
/// again.
pub fn patience(silent: Span) -> Span {
    match is_in_doubt(silent) {
        true => limits::HEARTBEAT_EVERY,
        false => Span::ms(limits::LEASE_DOUBT_AFTER.as_ms() - silent.as_ms())
            .min(limits::HEARTBEAT_EVERY),
    }
}

#[cfg(test)]
#[path = "lease_tests.rs"]
mod tests;
