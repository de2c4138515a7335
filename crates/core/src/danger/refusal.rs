//! Why a command did not run, in words for the agent that wanted it.
//!
//! An agent that is told "no" looks for another way. Each text therefore says what happened and whether
//! another way is wanted; a refusal by a person says plainly that it is not.

use std::fmt;

use super::gate::Question;
use super::reason::Reason;
use super::reply::Answer;

/// Why a command did not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is never run.
    Blocked(Reason),
    /// It hands sudo a password that nobody configured.
    SudoPassword,
    /// It matches this rule of the operator.
    Ruled(String),
    /// A schedule wanted it, and the operator does not let schedules run such commands.
    Scheduled(Question),
    /// It had to be asked about, and nobody was there to be asked.
    NobodyThere(Question),
    /// Somebody said no, perhaps for a reason.
    Denied(Option<String>),
    /// Nobody answered in time.
    Unanswered,
    /// The question could not be sent.
    Unsent,
}

impl Refusal {
    /// The refusal that an answer makes, if it is a no.
    pub fn of(answer: &Answer) -> Option<Self> {
        match answer {
            Answer::Approve(_) | Answer::Words(_) => None,
            Answer::Deny(reason) => Some(Self::Denied(reason.clone())),
        }
    }

    /// The name used in rows and on the wire.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Blocked(_) => "blocked",
            Self::SudoPassword => "sudo_password",
            Self::Ruled(_) => "ruled",
            Self::Scheduled(_) => "scheduled",
            Self::NobodyThere(_) => "nobody_there",
            Self::Denied(_) => "denied",
            Self::Unanswered => "unanswered",
            Self::Unsent => "unsent",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocked(reason) => write!(
                out,
                "Not run: this command {}. No setting and no approval lifts that; do not try to reach \
                 the same in another way.",
                reason.words()
            ),
            Self::SudoPassword => out.write_str(
                "Not run: this command hands sudo a password, and none is configured. Do not guess \
                 passwords; say that the operator has to run it or configure one.",
            ),
            Self::Ruled(pattern) => write!(
                out,
                "Not run: the operator's rule `{pattern}` forbids this command. Do not try to reach the \
                 same in another way."
            ),
            Self::Scheduled(question) => write!(
                out,
                "Not run: this command {question}, and schedules may not do that here. Find a way without \
                 it, or say that the operator has to allow it."
            ),
            Self::NobodyThere(question) => write!(
                out,
                "Not run: this command {question}, and nobody is there to agree. Find a way without it, \
                 or say that a person has to run it."
            ),
            Self::Denied(reason) => denied(out, reason.as_deref()),
            Self::Unanswered => out.write_str(
                "Not run: nobody answered the question in time, which is no consent. Stop here and do not \
                 try to reach the same in another way; say what you wanted to do.",
            ),
            Self::Unsent => out.write_str(
                "Not run: the question about this command could not be sent, so nobody could agree. Stop \
                 here and say what you wanted to do.",
            ),
        }
    }
}

fn denied(out: &mut fmt::Formatter<'_>, reason: Option<&str>) -> fmt::Result {
    out.write_str("Not run: the person who was asked said no. Stop here and do not try to reach the same in another way.")?;
    match reason {
        Some(reason) => write!(out, " Their reason: \"{reason}\""),
        None => Ok(()),
    }
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.categories.iter().map(|category| category.words());
        let found: Vec<&str> = words.chain(self.scan.iter().map(String::as_str)).collect();
        out.write_str(&found.join("; "))
    }
}

#[cfg(test)]
#[path = "refusal_tests.rs"]
mod tests;
