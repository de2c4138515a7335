//! What people answer when they are asked about a command, or for words.
//!
//! ```text
//! /approve [all|apr_…] [session|always]     yes: once, for this conversation, or from now on
//! /deny    [all|apr_…] [reason…]            no, and why
//! /answer  [apr_…]     number or words      what was wanted to be known
//! ```
//!
//! An answer goes to the request that waits longest, to the one that it names, or to all that wait. Nothing here knows who may
//! answer, or keeps the requests; that is a row's work.

use crate::id::ApprovalId;
use crate::limits;
use crate::text::preview;

/// How long a yes holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keep {
    /// For this one time.
    Once,
    /// For the same command in this conversation.
    Session,
    /// For the same command from now on.
    Always,
}

impl Keep {
    /// The name used in rows and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Session => "session",
            Self::Always => "always",
        }
    }
}

/// What somebody says to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It may run.
    Approve(Keep),
    /// It may not, perhaps for a reason.
    Deny(Option<String>),
    /// What was wanted to be known: words, or the number of a choice.
    Words(String),
}

impl Answer {
    /// Whether it is for a question that wants words and no yes.
    pub const fn is_words(&self) -> bool {
        matches!(self, Self::Words(_))
    }
}

/// Which of the waiting requests an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The one that waits longest.
    Oldest,
    /// All of them.
    All,
    /// This one.
    This(ApprovalId),
}

/// An answer and whom it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// What is said.
    pub answer: Answer,
    /// To which requests.
    pub reach: Reach,
}

/// A word behind `/approve` that means nothing there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no way to approve, so nothing was approved. Send /approve for the oldest request, and \
     add `session` or `always` to keep the answer, or `all` for every request that waits."
)]
pub struct NoSuchWay(String);

/// Reads what stands behind `/approve`. What is not understood approves nothing.
pub fn approve(arguments: &str) -> Result<Reply, NoSuchWay> {
    let (reach, rest) = reach(arguments);
    let keep = match rest.to_lowercase().as_str() {
        "" | "once" => Keep::Once,
        "session" => Keep::Session,
        "always" => Keep::Always,
        _ => {
            return Err(NoSuchWay(
                preview(rest, limits::QUOTE_CHARS).replace('`', "'"),
            ));
        }
    };
    let answer = Answer::Approve(keep);
    Ok(Reply { answer, reach })
}

/// Reads what stands behind `/deny`. Everything there is a reason, so it always denies.
pub fn deny(arguments: &str) -> Reply {
    let (reach, rest) = reach(arguments);
    let reason: String = rest.chars().take(limits::DENY_REASON_CHARS_MAX).collect();
    let reason = Some(reason.trim_end().to_owned()).filter(|reason| !reason.is_empty());
    let answer = Answer::Deny(reason);
    Reply { answer, reach }
}

/// Reads what stands behind `/answer`; nothing if that is nothing. There is no answer to all questions at once.
pub fn words(arguments: &str) -> Option<Reply> {
    let (reach, words) = match reach(arguments) {
        (Reach::This(this), rest) => (Reach::This(this), rest),
        (Reach::Oldest | Reach::All, _) => (Reach::Oldest, arguments.trim()),
    };
    let answer = Answer::Words(words.to_owned());
    (!words.is_empty()).then_some(Reply { answer, reach })
}

/// Those of the waiting requests, oldest first, that an answer is for.
pub fn reached<T>(waiting: Vec<T>, reach: Reach, id: impl Fn(&T) -> ApprovalId) -> Vec<T> {
    let meant = |one: &T| match reach {
        Reach::Oldest | Reach::All => true,
        Reach::This(this) => id(one) == this,
    };
    let most = match reach {
        Reach::Oldest | Reach::This(_) => 1,
        Reach::All => usize::MAX,
    };
    waiting.into_iter().filter(meant).take(most).collect()
}

fn reach(arguments: &str) -> (Reach, &str) {
    let arguments = arguments.trim();
    let (first, rest) = arguments
        .split_once(char::is_whitespace)
        .unwrap_or((arguments, ""));
    match (first.eq_ignore_ascii_case("all"), first.parse()) {
        (true, _) => (Reach::All, rest.trim()),
        (false, Ok(this)) => (Reach::This(this), rest.trim()),
        (false, Err(_)) => (Reach::Oldest, arguments),
    }
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
