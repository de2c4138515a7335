//! What other nodes may see of a reply while it grows on one: one row for a turn, the latest only.
//!
//! A row is a hint with an end: its node writes it anew every now and then, and what was not written anew for
//! `limits::GLIMPSE_TIME` is not believed. Where only one node uses the store, nobody leaves any.

use angelia_core::id::{NodeId, TurnId};
use angelia_core::lease::Fence;
use async_trait::async_trait;

use crate::StoreError;

/// What is left of a reply for others to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The turn.
    pub turn: TurnId,
    /// The fence of its lease.
    pub fence: Fence,
    /// What is seen of it, in its stored form.
    pub body: String,
}

/// What another node left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The turn.
    pub turn: TurnId,
    /// Whose it is.
    pub node: NodeId,
    /// What is seen of it, in its stored form.
    pub body: String,
}

/// Which replies are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// Those of these turns.
    Of(Vec<TurnId>),
    /// All.
    All,
}

/// Glimpses of growing replies.
#[async_trait]
pub trait Glimpses: Send + Sync {
    /// Leaves these in the place of what was there, each only while its turn is the caller's, and takes away those of
    /// turns that grow no more. All are a hint: what is lost is made up for by the next.
    async fn leave_glimpses(
        &self,
        node: NodeId,
        left: Vec<Left>,
        over: Vec<TurnId>,
    ) -> Result<(), StoreError>;

    /// What other nodes left of turns that are open, unless it is too old to be believed. At most
    /// `limits::GLIMPSES_MAX`.
    async fn glimpses(&self, node: NodeId, which: Which) -> Result<Vec<Found>, StoreError>;

    /// Forgets what is too old to be believed.
    async fn sweep_glimpses(&self) -> Result<(), StoreError>;
}
