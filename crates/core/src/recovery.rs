//! What to do with a turn, a tool call or a delivery found without its owner.
//!
//! There is no recovery mode: the ordinary loops ask these functions whenever they meet such a row,
//! after a restart as on any other day.

use serde::{Deserialize, Serialize};

use crate::delivery::retry;
use crate::limits;
use crate::outbound::{Dedupe, DeliveryUpdate, NextTry, Reach, Wedge};
use crate::time::{Span, Timestamp};

/// What becomes of a turn that was claimed for the `attempts`-th time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnRecovery {
    /// Run it over its journal: finished steps are read, not repeated.
    Run,
    /// It was begun as often as it may; settle it as abandoned and say so.
    GiveUp,
    /// Its interruption was too long ago; settle it as too late and say so.
    TooLate,
}

/// Decides whether a claimed turn is run. `interrupted` is how long ago it was cut off, if it was;
/// `window` how long that may be, if there is a limit. At the very end of the window it is still run.
pub fn decide(attempts: u32, interrupted: Option<Span>, window: Option<Span>) -> TurnRecovery {
    if attempts > limits::TURN_ATTEMPTS {
        return TurnRecovery::GiveUp;
    }
    match (interrupted, window) {
        (Some(age), Some(window)) if age > window => TurnRecovery::TooLate,
        (Some(_) | None, _) => TurnRecovery::Run,
    }
}

/// How long a turn that was claimed for the `attempts`-th time is watched before the next that was found without its owner
/// is started; not at all if nobody left it behind.
pub fn probation(attempts: u32) -> Option<Span> {
    match attempts {
        0 | 1 => None,
        2 => Some(limits::PROBATION_FIRST),
        _ => Some(limits::PROBATION_AGAIN),
    }
}

/// What a tool's effect allows after a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// It changes nothing.
    Pure,
    /// It happens once for the same step, however often it is asked for.
    Keyed,
    /// Nobody can say whether it happened.
    Unknown,
}

/// What becomes of a tool call that began and did not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallRecovery {
    /// Call it again, with the same key.
    CallAgain,
    /// Tell the agent that the outcome is not known.
    TellUnknown,
}

/// Decides over a tool call that began and did not end.
pub fn call(effect: EffectClass) -> CallRecovery {
    match effect {
        EffectClass::Pure | EffectClass::Keyed => CallRecovery::CallAgain,
        EffectClass::Unknown => CallRecovery::TellUnknown,
    }
}

/// A delivery that was being sent when its courier died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftSending {
    /// How often it was handed to the platform.
    pub attempts: u32,
    /// How often nobody could tell whether it was shown.
    pub doubts: u32,
}

/// Decides over a delivery that was being sent when its courier died. One that was tried as often as
/// it may is set aside, also where a repeat would not show: it may be what ended the courier.
pub fn after_crash(left: LeftSending, dedupe: Dedupe, now: Timestamp) -> DeliveryUpdate {
    let stopped = "the gateway stopped while sending it";
    if left.attempts >= limits::DELIVERY_ATTEMPTS {
        return wedged(format!("tried {} times, and {stopped}", left.attempts));
    }
    let again = NextTry {
        at: now,
        why: stopped.to_owned(),
    };
    match dedupe {
        Dedupe::ByKey => DeliveryUpdate::Again(again),
        Dedupe::None if left.doubts == 0 => DeliveryUpdate::AgainInDoubt(again),
        Dedupe::None => wedged(retry::in_doubt(stopped)),
    }
}

fn wedged(why: String) -> DeliveryUpdate {
    DeliveryUpdate::Wedged(Wedge {
        reach: Reach::Message,
        why,
    })
}

#[cfg(test)]
#[path = "recovery_tests.rs"]
mod tests;
