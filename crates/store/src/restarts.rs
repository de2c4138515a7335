//! Restarts that people wish for, and what those are told who wait for an answer meanwhile.
//!
//! A wish is a row, written down before it is answered, for the boot that shall go. It is over when a later boot of the
//! same home is there, however the first one ended: a gateway that is killed on the way has restarted, too.
//! Whoever wished it is told so once. The message for that has its id from the beginning.

use angelia_core::address::{AccountId, Address};
use angelia_core::id::{DeliveryId, InboxId, NodeId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::time::Timestamp;
use async_trait::async_trait;

use crate::{Fenced, StoreError};

/// A wish that the gateway begins anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWish {
    /// The boot that shall go.
    pub node: NodeId,
    /// The message that says so, and where it was written; nothing for a wish without one.
    pub said: Option<(InboxId, Address)>,
    /// The message that tells that it is over.
    pub delivery: DeliveryId,
}

/// How a wish stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wished {
    /// The boot is to go.
    Open,
    /// Another one is there by now. Whoever answers the wish says so.
    Fulfilled,
}

/// Reads and verbs for restarts.
#[async_trait]
pub trait Restarts: Send + Sync {
    /// Writes a wish down. For a message that wished it before nothing is written; if it was meant for another boot, the
    /// wish is over.
    async fn wish_restart(&self, wish: NewWish) -> Result<Wished, StoreError>;

    /// Since when somebody wishes that the boot goes; only wishes that were answered count.
    async fn restart_wished(&self, node: NodeId) -> Result<Option<Timestamp>, StoreError>;

    /// Ends the wishes for this boot, which stays, and tells those who were answered why. Returns the accounts on
    /// which somebody is told.
    async fn call_off_restart(&self, node: NodeId, why: &str)
    -> Result<Vec<AccountId>, StoreError>;

    /// Ends the wishes for earlier boots of the same home, and tells those who were answered that the gateway is back.
    /// Returns the accounts on which somebody is told.
    async fn come_back(&self, node: NodeId, text: &str) -> Result<Vec<AccountId>, StoreError>;

    /// Tells the place that the turn answers that the gateway goes, in a message of its own before the reply, unless
    /// this boot has told it there.
    async fn tell_going(
        &self,
        turn: TurnId,
        fence: Fence,
        node: NodeId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<()>, StoreError>;
}
