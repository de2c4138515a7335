//! What an agent is there for in a turn, and the turn as it is told of it.

use angelia_core::command;
use angelia_store::turns::{ClaimedTurn, Waiting};

/// What an agent is there for in a turn.
#[derive(PartialEq, Eq)]
pub(crate) enum Errand {
    /// To answer.
    Answer,
    /// To make the conversation shorter, and not to lose this.
    Shorten(Option<String>),
}

impl Errand {
    /// The turn as the agent is told of it.
    pub(super) fn told(&self, claimed: &ClaimedTurn) -> ClaimedTurn {
        match self {
            Self::Answer => spoken(claimed),
            Self::Shorten(_) => claimed.clone(),
        }
    }
}

/// The turn with what was said to the agent alone: answers to its questions, which it took along, are not.
fn spoken(claimed: &ClaimedTurn) -> ClaimedTurn {
    let mut claimed = claimed.clone();
    let is_said = |one: &Waiting| command::read(&one.inbound).is_for_the_agent();
    // Words behind those were taken along: as answers to questions, or in the journal.
    claimed.batch.truncate(claimed.asked);
    claimed.batch.retain(is_said);
    claimed
}
