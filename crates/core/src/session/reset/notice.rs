//! What is said when a conversation began anew by itself.
//!
//! The agent is told always, in the one turn that begins the new conversation: it must not pretend to
//! remember. The chat is told when that is news to somebody: always after a stop or a lost
//! interruption, since people expect that conversation to go on; after a reset by policy only if the
//! policy says so, the earlier conversation had an answer in it, and people read along.
//!
//! `Facts` are what the store keeps with the new conversation until the turn that tells them begins.
//! The words are made from them alone. Sending is not done here.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{Reason, ResetPolicy};
use crate::zone::Hour;

/// What people write to go back to the earlier conversation.
const RESUME: &str = "/resume";

/// Why a conversation began anew although nobody asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Its policy said so.
    Policy(Reason),
    /// The earlier one had been stopped and may not go on.
    Stopped,
    /// The earlier one was interrupted by a restart, too long ago to go on by itself.
    ResumeExpired,
}

/// What the earlier conversation held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Past {
    /// No answer yet, so nothing that anybody would miss.
    Empty,
    /// At least one answer.
    Answered,
}

/// Why a conversation began anew, with all that the words need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum Facts {
    /// Nobody wrote for longer than this.
    Idle {
        /// The time allowed.
        minutes: NonZeroU32,
    },
    /// The day's hour had passed.
    Daily {
        /// The hour on the wall, in the configured zone.
        hour: Hour,
    },
    /// The earlier one had been stopped.
    Stopped,
    /// The earlier one was interrupted too long ago.
    ResumeExpired,
}

/// Who is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Only the agent.
    Agent,
    /// The agent and the chat.
    AgentAndChat,
}

/// What there is to tell about `cause` under `policy`.
pub fn facts(cause: Cause, policy: &ResetPolicy) -> Facts {
    match cause {
        Cause::Policy(Reason::Idle) => Facts::Idle {
            minutes: policy.idle_minutes,
        },
        Cause::Policy(Reason::Daily) => Facts::Daily {
            hour: policy.at_hour,
        },
        Cause::Stopped => Facts::Stopped,
        Cause::ResumeExpired => Facts::ResumeExpired,
    }
}

/// Who is told about it in a chat on `platform`.
pub fn audience(cause: Cause, policy: &ResetPolicy, past: Past, platform: &str) -> Audience {
    match cause {
        Cause::Stopped | Cause::ResumeExpired => Audience::AgentAndChat,
        Cause::Policy(_) if is_news(policy, past, platform) => Audience::AgentAndChat,
        Cause::Policy(_) => Audience::Agent,
    }
}

fn is_news(policy: &ResetPolicy, past: Past, platform: &str) -> bool {
    policy.notify && past == Past::Answered && !policy.notify_exclude_platforms.contains(platform)
}

impl Facts {
    /// The words for the chat.
    pub fn for_chat(&self) -> String {
        let why = match self {
            Self::Idle { minutes } => {
                format!("nobody wrote here for more than {}", duration(*minutes))
            }
            Self::Daily { hour } => format!("here they end every day at {hour}"),
            Self::Stopped => "the earlier one was stopped".to_owned(),
            Self::ResumeExpired => {
                "the earlier one was interrupted, too long ago to go on by itself".to_owned()
            }
        };
        format!("This is a new conversation: {why}. To go back to the earlier one, write {RESUME}.")
    }

    /// The words for the agent, for one turn.
    pub fn for_agent(&self) -> String {
        let why = match self {
            Self::Idle { minutes } => {
                format!("nobody wrote for more than {}", duration(*minutes))
            }
            Self::Daily { hour } => format!("conversations here end every day at {hour}"),
            Self::Stopped => "it was stopped".to_owned(),
            Self::ResumeExpired => {
                "a restart interrupted it and nobody took it up again in time".to_owned()
            }
        };
        format!(
            "This conversation is new. The earlier one in this chat has ended: {why}. \
             You do not see what was said there; do not act as if you remembered it."
        )
    }
}

/// `24 hours`, `1 hour 30 minutes`, `5 minutes`.
fn duration(minutes: NonZeroU32) -> String {
    let (hours, rest) = (minutes.get() / 60, minutes.get() % 60);
    let parts = [(hours, "hour"), (rest, "minute")];
    let named = parts.iter().filter(|(count, _)| *count > 0).map(count);
    named.collect::<Vec<_>>().join(" ")
}

fn count((count, name): &(u32, &str)) -> String {
    let plural = if *count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
