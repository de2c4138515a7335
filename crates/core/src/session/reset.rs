//! When a conversation begins anew by itself.
//!
//! A message arrives in a conversation that exists. `choose` finds the policy of its place, `decide`
//! asks whether the conversation has ended meanwhile (nobody wrote for too long, or the day's hour
//! has passed), and `notice` says what the agent and the people are told about it.
//!
//! Everything is decided on moments, which know no zone; the zone is asked only where the day's hour
//! lies. So neither daylight saving nor a machine that moves can make a conversation older.
//!
//! It does not end or begin anything: the store asks, and writes what was said in the transaction
//! that takes the message.

pub mod choose;
pub mod notice;
pub mod policy;

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;
use crate::zone::Zone;

pub use choose::ResetPolicies;
pub use policy::{Mode, ResetPolicy};

/// Why a conversation begins anew by its policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nobody wrote for longer than allowed.
    Idle,
    /// The hour of the day at which conversations end has passed since somebody wrote.
    Daily,
}

/// Whether a conversation that was last active at `last_activity` begins anew `now`.
///
/// `live_processes` says when each command that still runs for it was started: while one of them is
/// young enough, the conversation goes on, so that its outcome has somewhere to arrive. Where both
/// reasons hold it is `Idle`, the one that people can see for themselves.
pub fn decide(
    policy: &ResetPolicy,
    last_activity: Timestamp,
    now: Timestamp,
    zone: &Zone,
    live_processes: &[Timestamp],
) -> Option<Reason> {
    if live_processes
        .iter()
        .any(|started| protects(policy, *started, now))
    {
        return None;
    }
    let idle = || is_idle(policy, last_activity, now).then_some(Reason::Idle);
    let daily = || is_over(policy, last_activity, now, zone).then_some(Reason::Daily);
    match policy.mode {
        Mode::None => None,
        Mode::Idle => idle(),
        Mode::Daily => daily(),
        Mode::Both => idle().or_else(daily),
    }
}

/// The last activity after something happened `now`. It never moves back, so that a clock set back
/// neither ends nor revives a conversation.
pub fn active(last_activity: Timestamp, now: Timestamp) -> Timestamp {
    last_activity.max(now)
}

fn protects(policy: &ResetPolicy, started: Timestamp, now: Timestamp) -> bool {
    policy
        .process_max_age
        .is_none_or(|limit| now.since(started) < limit)
}

fn is_idle(policy: &ResetPolicy, last_activity: Timestamp, now: Timestamp) -> bool {
    now.since(last_activity) > policy.idle()
}

fn is_over(policy: &ResetPolicy, last_activity: Timestamp, now: Timestamp, zone: &Zone) -> bool {
    zone.last_at(policy.at_hour, now)
        .is_some_and(|boundary| last_activity < boundary)
}

#[cfg(test)]
#[path = "reset_tests.rs"]
mod tests;
