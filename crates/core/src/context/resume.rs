//! What an agent is told that goes on after an interruption.
//!
//! ```text
//! the turn itself was cut off                  go on with it; what has a result is not done again
//! the conversation was, and this is a new turn answer this first; what was under way then is not done again
//! otherwise                                    nothing
//! ```
//!
//! It stands before the words of the turn and is no part of the conversation: nothing of it is kept, so nothing has to be
//! found and taken out again later. A conversation whose interruption is too long ago does not come here: it begins anew
//! (`session::lifecycle`), or its turn is given up (`recovery`).

use crate::session::lifecycle::Interrupted;

/// What goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoesOn {
    /// The turn that was cut off, over its journal.
    Turn,
    /// The conversation, with a new message.
    Conversation,
}

/// The note for an agent.
pub fn note(why: Interrupted, what: GoesOn) -> String {
    let (what_happened, then) = (happened(why), what.then());
    format!(
        "{what_happened} {then} If the conversation asks for a restart of the gateway, that has happened: do not ask for \
         it again."
    )
}

const fn happened(why: Interrupted) -> &'static str {
    match why {
        Interrupted::RestartTimeout => "The gateway was restarted while an answer was being made.",
        Interrupted::ShutdownTimeout => {
            "The gateway was shut down while an answer was being made, and is running again."
        }
        Interrupted::RestartInterrupted => {
            "The gateway ended without notice while an answer was being made, and is running again."
        }
    }
}

impl GoesOn {
    const fn then(self) -> &'static str {
        match self {
            Self::Turn => {
                "It is this answer: go on with it. What had been finished by then is recorded and is not done again; \
                 where the outcome of something is not known, that is said."
            }
            Self::Conversation => {
                "That answer was not completed. Answer the new message first, and do nothing again that was done or \
                 begun before it unless you are asked to."
            }
        }
    }
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;
