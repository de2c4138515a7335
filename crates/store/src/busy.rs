//! Messages that come while their conversation is being answered.
//!
//! Each is a row of the inbox that waits, and says itself what it does to the running turn
//! (`core::turn::busy`). A turn that is steered takes such messages along, together with the step that says
//! so, in one transaction: after a crash both are there or neither. What no turn took along is answered by a
//! turn of its own.

use angelia_core::id::{DeliveryId, InboxId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::turn::ack::Newcomer;
use angelia_core::turn::journal::Step;
use async_trait::async_trait;

use crate::turns::Waiting;
use crate::{Fenced, StoreError};

/// What became of a wish to take messages along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Along {
    /// They are the turn's, and so is the step. All that it answers now.
    Taken(Vec<Waiting>),
    /// One of them does not wait behind the turn any more: nothing was written.
    Gone,
}

/// The newest words behind a running turn of which nobody was told yet what becomes of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untold {
    /// The message.
    pub waiting: Waiting,
    /// What is known of it.
    pub newcomer: Newcomer,
}

/// Reads and verbs for conversations that are at work.
#[async_trait]
pub trait Busy: Send + Sync {
    /// The messages that steer the open turn, oldest first: words that say so, came since it was first
    /// claimed, and stand before any command that is still to be followed. So many as one step may have;
    /// none if the turn is not open or has taken as many along as it may.
    async fn steering(&self, turn: TurnId) -> Result<Vec<Waiting>, StoreError>;

    /// Writes a step that takes messages along, and lets the turn answer them: all or nothing, under the
    /// fence. The same step at the same place again is done.
    async fn take_along(
        &self,
        turn: TurnId,
        fence: Fence,
        seq: u32,
        step: Step,
    ) -> Result<Fenced<Along>, StoreError>;

    /// The commands behind the open turn that only tell something, oldest first, before any that is to be
    /// followed in its turn.
    async fn asides(&self, turn: TurnId) -> Result<Vec<Waiting>, StoreError>;

    /// Answers such a command in a message of its own before the reply, and lets the turn take it along. Nothing
    /// happens if it does not wait any more, or the turn has taken as many along as it may.
    async fn answer_aside(
        &self,
        turn: TurnId,
        fence: Fence,
        inbox: InboxId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<Option<Vec<Waiting>>>, StoreError>;

    /// The newest words behind the open turn, if it is time to tell their sender what becomes of them
    /// (`core::turn::ack`).
    async fn untold(&self, turn: TurnId) -> Result<Option<Untold>, StoreError>;

    /// Tells the sender of a message that waits behind the turn what becomes of it, in a message of its own
    /// before the reply, and notes that all who wrote until then were told. Nothing happens if it does not
    /// wait any more, or somebody was told meanwhile.
    async fn tell_waiting(
        &self,
        turn: TurnId,
        fence: Fence,
        inbox: InboxId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<()>, StoreError>;
}
