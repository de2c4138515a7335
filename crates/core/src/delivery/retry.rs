//! After a try: sent, again later, or set aside.
//!
//! Pauses grow fourfold from five seconds to six hours, with a jitter given by the caller. A platform
//! that names a time is believed. Where a send cannot be repeated safely and its outcome is unknown,
//! it is repeated once, marked, and never a second time: one possible repeat is the most a person
//! may ever see.

use crate::limits;
use crate::outbound::{Dedupe, Delivery, DeliveryUpdate, NextTry, Reach, SendError, Wedge};
use crate::time::{Span, Timestamp};

/// A number from 0 to 1 that keeps many deliveries from being tried at the same moment.
#[derive(Debug, Clone, Copy)]
pub struct Jitter(f64);

impl Jitter {
    /// Takes the fraction, moved into 0–1.
    pub fn new(fraction: f64) -> Self {
        Self(if fraction.is_finite() {
            fraction.clamp(0.0, 1.0)
        } else {
            0.0
        })
    }
}

/// Decides after a try that did not succeed. `delivery.attempts` counts it already.
pub fn next(
    delivery: &Delivery,
    error: &SendError,
    dedupe: Dedupe,
    now: Timestamp,
    jitter: Jitter,
) -> DeliveryUpdate {
    match error {
        SendError::Refused { reach, why } => wedged(*reach, why.clone()),
        SendError::Gone { why } => wedged(Reach::Message, why.clone()),
        SendError::Later { not_before, why } => later(delivery, *not_before, why, (now, jitter)),
        SendError::Unknown { why } => unknown(delivery, why, dedupe, (now, jitter)),
    }
}

fn later(
    delivery: &Delivery,
    not_before: Option<Timestamp>,
    why: &str,
    (now, jitter): (Timestamp, Jitter),
) -> DeliveryUpdate {
    let at = (now + pause(delivery.attempts, jitter)).max(not_before.unwrap_or(now));
    if delivery.attempts >= limits::DELIVERY_ATTEMPTS || at.since(now) > limits::DELIVERY_PAUSE_MAX
    {
        return wedged(
            Reach::Message,
            format!("tried {} times: {why}", delivery.attempts),
        );
    }
    let why = why.to_owned();
    DeliveryUpdate::Again(NextTry { at, why })
}

fn unknown(
    delivery: &Delivery,
    why: &str,
    dedupe: Dedupe,
    (now, jitter): (Timestamp, Jitter),
) -> DeliveryUpdate {
    match dedupe {
        Dedupe::ByKey => later(delivery, None, why, (now, jitter)),
        Dedupe::None if delivery.doubts == 0 => {
            let (at, why) = (now + pause(delivery.attempts, jitter), why.to_owned());
            DeliveryUpdate::AgainInDoubt(NextTry { at, why })
        }
        Dedupe::None => wedged(Reach::Message, in_doubt(why)),
    }
}

/// The reason of a delivery that was tried twice without an answer.
pub fn in_doubt(why: &str) -> String {
    format!("it may have been shown already, and a further try could show it again: {why}")
}

fn wedged(reach: Reach, why: String) -> DeliveryUpdate {
    DeliveryUpdate::Wedged(Wedge { reach, why })
}

/// The pause after the given number of tries: growing, bounded, and at most a quarter longer by
/// jitter.
pub fn pause(attempts: u32, jitter: Jitter) -> Span {
    let factor = 4_i64.saturating_pow(attempts.saturating_sub(1));
    let plain = limits::RETRY_FIRST.as_ms().saturating_mul(factor);
    let bounded = plain.min(limits::RETRY_PAUSE_MAX.as_ms());
    Span::ms(bounded + (bounded as f64 * 0.25 * jitter.0) as i64)
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
