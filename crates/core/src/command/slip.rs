//! What is wrong with a command, in words for people.
//!
//! Each says what happened and what to write instead. Words that a person wrote come back bounded and on
//! one line.

use super::table::{self, Spec};
use crate::danger::reply::NoSuchWay;
use crate::nearest::nearest;
use crate::text::preview;
use crate::transcript::title;

/// Letters of somebody's own words that an answer repeats.
const QUOTED_CHARS: usize = 40;

/// A command that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Slip {
    /// There is no such command, and none is near.
    #[error("There is no command /{name}. Send /help to see those there are.")]
    Unknown {
        /// What was written.
        name: String,
    },
    /// There is no such command, but one that is nearly called so.
    #[error("There is no command /{name}. Did you mean /{near}? Send /help to see all of them.")]
    Nearly {
        /// What was written.
        name: String,
        /// What was probably meant.
        near: &'static str,
    },
    /// Something stands behind a command that takes nothing.
    #[error("/{name} takes nothing behind it, so I left everything as it is. Send /{name} alone.")]
    Unexpected {
        /// The command.
        name: &'static str,
    },
    /// Nothing stands behind a command that says something.
    #[error(
        "There are no words behind /{name}. Send them in the same message: /{name} and what you want to say."
    )]
    NoWords {
        /// The command.
        name: &'static str,
    },
    /// A command stands behind a command that says something.
    #[error(
        "Behind /{name} stand words for the agent, not a command, so I left everything as it is. \
         Send the command by itself."
    )]
    CommandWithin {
        /// The command.
        name: &'static str,
    },
    /// It is no number from one.
    #[error(
        "`{written}` is no number of turns. Send /undo for the last one, or /undo 3 for three."
    )]
    NoCount {
        /// What was written.
        written: String,
    },
    /// It is longer than a title may be.
    #[error("That title is too long: {0}.")]
    TitleTooLong(#[from] title::TooLong),
    /// It cannot be the name of a model.
    #[error(
        "`{written}` is no name of a model. Send /model and one name, as in /model gpt-5, \
         or /model clear for the usual one."
    )]
    NoModel {
        /// What was written.
        written: String,
    },
    /// It is not written as the command wants it.
    #[error("I did not understand that, so I left everything as it is. Send it as {usage}")]
    Usage {
        /// How it is written.
        usage: String,
    },
    /// It is not theirs to use.
    #[error("/{name} is not yours to use here. Send /whoami to see what you may do.")]
    NotYours {
        /// The command.
        name: &'static str,
    },
    /// It is no way to approve.
    #[error(transparent)]
    NoAnswer(#[from] NoSuchWay),
}

impl Slip {
    /// The slip of whoever wrote the name of no command.
    pub(super) fn unknown(name: &str) -> Self {
        let written = quoted(name);
        match nearest(name, table::names()) {
            Some(near) => Self::Nearly {
                name: written,
                near,
            },
            None => Self::Unknown { name: written },
        }
    }

    pub(super) fn unexpected(spec: &Spec) -> Self {
        Self::Unexpected { name: spec.name }
    }
}

/// Somebody's words, as an answer may repeat them.
pub(super) fn quoted(written: &str) -> String {
    preview(written, QUOTED_CHARS).replace('`', "'")
}
