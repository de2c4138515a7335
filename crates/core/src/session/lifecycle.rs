//! Whether a conversation goes on, is taken up again, or begins anew.
//!
//! A message arrives at a place that speaks in a conversation. The store first finds the conversation
//! itself (one that was compacted goes on in its continuation), reads how it stands, and asks `decide`.
//! The first that holds decides:
//!
//! ```text
//! ended by a boundary           anew, with the reason of the end
//! suspended                     anew      unless somebody still waits for an answer
//! its policy says so            anew      unless somebody waits or a command runs
//! interrupted too long ago      anew      unless somebody still waits for an answer
//! interrupted                   resumed   the mark stays until a turn completes
//! otherwise                     goes on
//! ```
//!
//! Those who wait are answered where they asked, and before anyone who asks later: two conversations of
//! one place at once could not keep that order. So the new one begins when the old one rests.
//!
//! An accidental end counts as none: nobody wished for it, so the conversation is reopened and decided
//! like any other. A person who asks for a new conversation is not decided over; that is a verb of
//! the store.
//!
//! Nothing is written here. `now` is the store's time, and the same for all of one transaction.

use serde::{Deserialize, Serialize};

use super::reset::notice::Cause;
use super::reset::{self, ResetPolicy};
use super::rules::Rules;
use crate::time::{Span, Timestamp};
use crate::transcript::ending::{Life, Reason};

/// Why a conversation was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interrupted {
    /// A restart did not wait for the turn.
    RestartTimeout,
    /// A stop did not wait for the turn.
    ShutdownTimeout,
    /// The gateway ended without notice.
    RestartInterrupted,
}

impl Interrupted {
    /// All of them.
    pub const ALL: [Self; 3] = [
        Self::RestartTimeout,
        Self::ShutdownTimeout,
        Self::RestartInterrupted,
    ];

    /// Its name where it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RestartTimeout => "restart_timeout",
            Self::ShutdownTimeout => "shutdown_timeout",
            Self::RestartInterrupted => "restart_interrupted",
        }
    }
}

/// A text that names no interruption.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no interruption; use restart_timeout, shutdown_timeout or restart_interrupted")]
pub struct UnknownInterruption(String);

impl std::str::FromStr for Interrupted {
    type Err = UnknownInterruption;

    fn from_str(text: &str) -> Result<Self, UnknownInterruption> {
        let named = |known: &Self| known.as_str() == text;
        let found = Self::ALL.into_iter().find(named);
        found.ok_or_else(|| UnknownInterruption(text.chars().take(64).collect()))
    }
}

/// The mark of a conversation that was interrupted and is to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// When.
    pub at: Timestamp,
    /// Why.
    pub reason: Interrupted,
}

impl Mark {
    /// Whether the interruption is too long ago `now`. At the very end of the window it is not.
    pub fn is_stale(&self, window: Option<Span>, now: Timestamp) -> bool {
        window.is_some_and(|window| now.since(self.at) > window)
    }
}

/// Whether somebody still waits for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unanswered {
    /// No message waits and no turn is open.
    #[default]
    Nothing,
    /// A message waits or is being answered.
    Something,
}

/// What is under way in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Messages and turns.
    pub unanswered: Unanswered,
    /// When the youngest command that still runs for it was started. The others are older, and what
    /// they keep, it keeps longer.
    pub since: Option<Timestamp>,
}

/// How a conversation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether it has ended.
    pub life: Life,
    /// Since when it may not go on.
    pub suspended_at: Option<Timestamp>,
    /// Whether it was interrupted.
    pub mark: Option<Mark>,
    /// When something happened in it last.
    pub active_at: Timestamp,
    /// What is under way.
    pub work: Work,
}

/// Why a conversation begins anew with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// It had ended before, by somebody's wish; there is nothing to tell.
    Ended(Reason),
    /// By itself, which is told.
    Itself(Cause),
}

/// What becomes of a conversation as a message arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It goes on.
    Continue,
    /// It goes on after an interruption.
    Resume(Mark),
    /// Another one begins in its place.
    Anew(Because),
}

/// Decides what becomes of a conversation under the policy of its place.
pub fn decide(standing: &Standing, policy: &ResetPolicy, rules: &Rules, now: Timestamp) -> Next {
    if let Life::Ended(reason) = standing.life
        && !reason.is_accident()
    {
        return Next::Anew(after(reason));
    }
    let waited_for = standing.work.unanswered == Unanswered::Something;
    if standing.suspended_at.is_some() && !waited_for {
        return Next::Anew(Because::Itself(Cause::Stopped));
    }
    if let Some(reason) = due(standing, policy, rules, now) {
        return Next::Anew(Because::Itself(Cause::Policy(reason)));
    }
    match standing.mark {
        // What is still open is decided where it is taken up (`recovery`).
        Some(mark) if mark.is_stale(rules.resume_window, now) && !waited_for => {
            Next::Anew(Because::Itself(Cause::ResumeExpired))
        }
        Some(mark) => Next::Resume(mark),
        None => Next::Continue,
    }
}

/// Whether every conversation under the policy goes on that lives, is not suspended and was not interrupted, whatever
/// else is the case and whatever time it is.
pub fn is_certain(policy: &ResetPolicy) -> bool {
    policy.mode == reset::Mode::None
}

/// Whether its policy ends the conversation now. Messages that wait and young commands hold it back.
pub fn due(
    standing: &Standing,
    policy: &ResetPolicy,
    rules: &Rules,
    now: Timestamp,
) -> Option<reset::Reason> {
    if policy.mode == reset::Mode::None || standing.work.unanswered == Unanswered::Something {
        return None;
    }
    let commands = standing.work.since.as_slice();
    reset::decide(policy, standing.active_at, now, &rules.zone, commands)
}

/// What a message that meets an end says about it. An end by policy, suspension or a lost interruption
/// that was written before the message came is told with it, however late.
fn after(end: Reason) -> Because {
    match end {
        Reason::Idle => Because::Itself(Cause::Policy(reset::Reason::Idle)),
        Reason::Daily => Because::Itself(Cause::Policy(reset::Reason::Daily)),
        Reason::Suspended => Because::Itself(Cause::Stopped),
        Reason::ResumePendingExpired => Because::Itself(Cause::ResumeExpired),
        Reason::SessionReset
        | Reason::SessionSwitch
        | Reason::Compression
        | Reason::OrphanedCompression
        | Reason::Branched
        | Reason::NewSession
        | Reason::ResumedOther
        | Reason::CliClose
        | Reason::CronComplete
        | Reason::AgentClose
        | Reason::WsOrphanReap
        | Reason::TuiShutdown
        | Reason::TuiClose
        | Reason::IdleTimeout
        | Reason::LruEvict => Because::Ended(end),
    }
}

impl Because {
    /// The reason with which the conversation before ends.
    pub fn reason(self) -> Reason {
        match self {
            Self::Ended(reason) => reason,
            Self::Itself(Cause::Policy(reset::Reason::Idle)) => Reason::Idle,
            Self::Itself(Cause::Policy(reset::Reason::Daily)) => Reason::Daily,
            Self::Itself(Cause::Stopped) => Reason::Suspended,
            Self::Itself(Cause::ResumeExpired) => Reason::ResumePendingExpired,
        }
    }
}

#[cfg(test)]
#[path = "lifecycle_tests.rs"]
mod tests;
