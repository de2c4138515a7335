//! The clock, the ids and the dice: everything that would differ from run to run.
//!
//! In production they are the system's. In the simulator they follow a seed, so that one number
//! replays a whole run. Nothing else in the house may ask for the time or for randomness.

use std::sync::{Arc, Mutex, PoisonError};

use angelia_core::delivery::retry::Jitter;
use angelia_core::id::{
    ApprovalId, DeliveryId, ErrandId, GrantId, InboxId, KnockId, NodeId, ProcessId, SessionId,
    TurnId,
};
use angelia_core::time::{Span, Timestamp};
use tokio::time::Instant;

/// The last bytes of a random id: all of their bits are random, those before tell what kind of id it is.
const UNGUESSABLE: usize = 7;

/// The environment of one node.
#[derive(Clone)]
pub struct Env {
    source: Arc<Source>,
}

enum Source {
    System,
    Simulated {
        state: Mutex<u64>,
        wall: Box<dyn Fn() -> Timestamp + Send + Sync>,
    },
}

impl Env {
    /// The system's clock and randomness.
    pub fn system() -> Self {
        Self {
            source: Arc::new(Source::System),
        }
    }

    /// A world of its own: `wall` tells the time, everything else follows from `seed`.
    pub fn simulated(seed: u64, wall: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        let source = Source::Simulated {
            state: Mutex::new(seed),
            wall: Box::new(wall),
        };
        Self {
            source: Arc::new(source),
        }
    }

    /// The wall clock. It may jump; nothing that must be right depends on it.
    pub fn now(&self) -> Timestamp {
        match &*self.source {
            Source::System => system_now(),
            Source::Simulated { wall, .. } => wall(),
        }
    }

    /// The steady clock, for measuring how long ago something was.
    pub fn steady(&self) -> Instant {
        Instant::now()
    }

    /// How long ago `earlier` was, by the steady clock.
    pub fn elapsed(&self, earlier: Instant) -> Span {
        Span::ms(i64::try_from(earlier.elapsed().as_millis()).unwrap_or(i64::MAX))
    }

    /// A fraction that spreads retries.
    pub fn jitter(&self) -> Jitter {
        Jitter::new((self.bits() & 0xffff_ffff) as f64 / f64::from(u32::MAX))
    }

    /// A new message's id.
    pub fn inbox_id(&self) -> InboxId {
        InboxId::from_bits(self.bits())
    }

    /// A new session's id.
    pub fn session_id(&self) -> SessionId {
        SessionId::from_bits(self.bits())
    }

    /// A new turn's id.
    pub fn turn_id(&self) -> TurnId {
        TurnId::from_bits(self.bits())
    }

    /// A new delivery's id.
    pub fn delivery_id(&self) -> DeliveryId {
        DeliveryId::from_bits(self.bits())
    }

    /// A new process's id.
    pub fn process_id(&self) -> ProcessId {
        ProcessId::from_bits(self.bits())
    }

    /// A new question's id.
    pub fn approval_id(&self) -> ApprovalId {
        ApprovalId::from_bits(self.bits())
    }

    /// The id of a stranger's knock.
    pub fn knock_id(&self) -> KnockId {
        KnockId::from_bits(self.bits())
    }

    /// A new grant's id.
    pub fn grant_id(&self) -> GrantId {
        GrantId::from_bits(self.bits())
    }

    /// The id of something that is wanted of a process on another node.
    pub fn errand_id(&self) -> ErrandId {
        ErrandId::from_bits(self.bits())
    }

    /// Bytes that nobody can guess: a cipher's, which the operating system keys and keys anew.
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        for part in bytes.chunks_mut(UNGUESSABLE) {
            let bits = match &*self.source {
                Source::System => uuid::Uuid::new_v4().as_u128(),
                Source::Simulated { .. } => self.bits(),
            };
            part.copy_from_slice(&bits.to_le_bytes()[..part.len()]);
        }
        bytes
    }

    /// A new boot's id.
    pub fn node_id(&self) -> NodeId {
        NodeId::from_bits(self.bits())
    }

    fn bits(&self) -> u128 {
        match &*self.source {
            Source::System => uuid::Uuid::now_v7().as_u128(),
            Source::Simulated { state, .. } => {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                (u128::from(split_mix(&mut state)) << 64) | u128::from(split_mix(&mut state))
            }
        }
    }
}

/// A clock for the rows: it follows the wall clock forward, and when that is set back it goes on at
/// its own steady pace instead. So what is due stays due, and what was ended stays ended.
pub fn forward_clock() -> impl Fn() -> Timestamp + Send + Sync + 'static {
    let last = Mutex::new((system_now(), Instant::now()));
    move || forward(&last, system_now(), Instant::now())
}

fn forward(last: &Mutex<(Timestamp, Instant)>, wall: Timestamp, steady: Instant) -> Timestamp {
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    let passed = steady.saturating_duration_since(last.1).as_millis();
    let steadily = last.0 + Span::ms(i64::try_from(passed).unwrap_or(i64::MAX));
    // Below a millisecond nothing is carried over, so the anchor moves only when time is seen to.
    if wall >= steadily {
        *last = (wall, steady);
    }
    wall.max(steadily)
}

/// The system's wall clock.
pub fn system_now() -> Timestamp {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the clock"
    )]
    let now = std::time::SystemTime::now();
    let since = now
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A small generator with a published constant set: good enough for dice, not for secrets.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn the_clock_of_the_rows_follows_forward_and_never_goes_back() {
        let (noon, began) = (Timestamp::from_ms(1_000_000), Instant::now());
        let last = Mutex::new((noon, began));
        let at = |wall, ms| forward(&last, wall, began + Duration::from_millis(ms));
        assert_eq!(at(noon + Span::ms(10), 10), noon + Span::ms(10));
        let later = noon + Span::hours(2);
        assert_eq!(at(later, 20), later, "a step forward is followed");
        assert_eq!(at(noon, 30), later + Span::ms(10), "a step back is not");
        assert_eq!(
            at(noon + Span::ms(20), 50),
            later + Span::ms(30),
            "but time goes on"
        );
    }
}
