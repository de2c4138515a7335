//! What is spent by day and by person, and what calls under way have reserved.
//!
//! What a step used is counted with it (`turns::record_step`): for the conversation, for the person whose
//! message the turn answers, and for everybody, on the day by the store's clock and calendar. A reservation
//! belongs to a turn, which makes one call at a time: a newer one takes its place, and it goes with the
//! step that the call becomes, with the end of the turn, and when somebody else takes the turn over.
//!
//! Whether a call is allowed is decided in `core::cost::caps`, in the transaction that reserves.

use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::cost::Amount;
use angelia_core::cost::caps::{Caps, Reached};
use angelia_core::id::TurnId;
use angelia_core::lease::Fence;
use async_trait::async_trait;

use crate::{Fenced, StoreError};

/// A call that is about to be made.
#[derive(Debug, Clone)]
pub struct Reserve {
    /// The turn that makes it.
    pub turn: TurnId,
    /// The number under which it was claimed.
    pub fence: Fence,
    /// The most that it can use.
    pub most: Amount,
    /// What may be used.
    pub caps: Arc<Caps>,
}

/// Whether a call may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reserved {
    /// It may, and the most that it can use is reserved.
    Granted,
    /// It may not, and nothing is reserved.
    Refused(Reached),
}

/// What was spent on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// The day, as `2026-11-16`.
    pub day: String,
    /// By whom, with the account of ours that they spoke to; nothing for everybody together.
    pub who: Option<(AccountId, String)>,
    /// In how many calls.
    pub calls: u64,
    /// How much.
    pub used: Amount,
}

/// The books.
#[async_trait]
pub trait Costs: Send + Sync {
    /// Reserves what a call can use at most, if all caps leave room for it. What the turn had reserved
    /// before is given back first.
    async fn reserve(&self, reserve: Reserve) -> Result<Fenced<Reserved>, StoreError>;

    /// Gives back what a turn has reserved: its call came to nothing.
    async fn give_back(&self, turn: TurnId, fence: Fence) -> Result<Fenced<()>, StoreError>;

    /// What somebody has spent today.
    async fn spent_today(&self, account: &AccountId, person: &str) -> Result<Amount, StoreError>;

    /// What was spent, newest days first, on each day everybody first; at most `limit` rows.
    async fn spent(&self, limit: usize) -> Result<Vec<Spent>, StoreError>;

    /// What calls under way have reserved in all.
    async fn reserved(&self) -> Result<Amount, StoreError>;
}
