//! Approvals: what somebody was asked to agree to, and what was decided.
//!
//! ```text
//! asked ──▶ once | conversation | always     it may run
//!      ├──▶ denied | expired | withdrawn     it may not
//!      └──▶ answered                         what somebody wanted to know is known
//! ```
//!
//! An agent may also ask for words (`inquiry`): the same row and the same waiting, with an answer in place of a yes.
//!
//! A question is decided once. What was agreed to is one exact thing, recognised by its fingerprint and
//! never by its kind: of what kind it is (`Sort`) only chooses words. `words` has what people and agents read about it.
//!
//! What needs an approval and how an answer is read is `danger`'s to say. Who is asked is not said here: the
//! person who wrote the message that led to the question, or an operator.

pub mod buttons;
pub mod inquiry;
mod sort;
pub mod words;

use std::str::FromStr;

pub use sort::Sort;

use crate::danger::reply::{Answer, Keep};

/// What recognises the thing that was agreed to.
pub type Fingerprint = [u8; 32];

/// How far an agreement goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// This call.
    Once,
    /// The same command in this conversation.
    Conversation,
    /// The same command everywhere: for whoever agreed, or for all if it was an operator.
    Always,
}

impl Grant {
    /// The name used in rows and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Conversation => "conversation",
            Self::Always => "always",
        }
    }
}

/// What somebody says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Yes.
    Granted(Grant),
    /// No, perhaps for this reason.
    Denied(Option<String>),
    /// These words, to a question that wants some.
    Answered(String),
}

impl From<Keep> for Grant {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::Once => Self::Once,
            Keep::Session => Self::Conversation,
            Keep::Always => Self::Always,
        }
    }
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Approve(keep) => Self::Granted(keep.into()),
            Answer::Deny(reason) => Self::Denied(reason.as_deref().and_then(words::reason)),
            Answer::Words(words) => Self::Answered(words),
        }
    }
}

impl Verdict {
    /// What becomes of the question.
    pub const fn decision(&self) -> Decision {
        match self {
            Self::Granted(grant) => Decision::Granted(*grant),
            Self::Denied(_) => Decision::Denied,
            Self::Answered(_) => Decision::Answered,
        }
    }

    /// What was said besides: why not, or the answer.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Granted(_) => None,
            Self::Denied(reason) => reason.as_deref(),
            Self::Answered(words) => Some(words),
        }
    }
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Somebody agreed.
    Granted(Grant),
    /// Somebody said no.
    Denied,
    /// Somebody said what was wanted to be known.
    Answered,
    /// Nobody answered in time.
    Expired,
    /// The turn that asked ended first.
    Withdrawn,
}

impl Decision {
    /// The name used in rows and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Granted(grant) => grant.name(),
            Self::Denied => "denied",
            Self::Answered => "answered",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A name that stands for nothing here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no word for what becomes of a question")]
pub struct UnknownWord(String);

impl FromStr for Decision {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Ok(match text {
            "once" => Self::Granted(Grant::Once),
            "conversation" => Self::Granted(Grant::Conversation),
            "always" => Self::Granted(Grant::Always),
            "denied" => Self::Denied,
            "answered" => Self::Answered,
            "expired" => Self::Expired,
            "withdrawn" => Self::Withdrawn,
            other => return Err(UnknownWord(other.chars().take(64).collect())),
        })
    }
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decider {
    /// The person whose message led to the question.
    Asker,
    /// Whoever runs the gateway.
    Operator,
    /// Nobody anew: somebody had agreed to the same before.
    Grant,
    /// Nobody: time passed, or the turn ended.
    Nobody,
}

impl Decider {
    /// The name used in rows and the HTTP interface.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asker => "asker",
            Self::Operator => "operator",
            Self::Grant => "grant",
            Self::Nobody => "nobody",
        }
    }
}

impl FromStr for Decider {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Ok(match text {
            "asker" => Self::Asker,
            "operator" => Self::Operator,
            "grant" => Self::Grant,
            "nobody" => Self::Nobody,
            other => return Err(UnknownWord(other.chars().take(64).collect())),
        })
    }
}

#[cfg(test)]
#[path = "approval_tests.rs"]
mod tests;
