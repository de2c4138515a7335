//! What is spent by day and by person, and what calls under way have reserved.
//!
//! What a step used is counted with it (`turns::record_step`): for the conversation, for the person whose
//! message the turn answers, and for everybody, on the day by the store's clock and calendar.
//!
//! ```text
//! reserve ─▶ open ─┬─▶ counted with its step, or given back: the row goes
//!                  ├─▶ keep: known, until the step that several calls become
//!                  └─▶ keep, cut_off, a crash, the end of the turn: cut off, and counted as the most it can have been
//! ```
//!
//! Whether a call is allowed is decided in `core::cost::caps`, in the transaction that reserves.

use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::cost::Amount;
use angelia_core::cost::caps::{Call, Caps, Grant, Reached};
use angelia_core::id::{SessionId, TurnId};
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
    /// What it wants.
    pub call: Call,
    /// What may be used.
    pub caps: Arc<Caps>,
}

/// What is known of the call that a turn has reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// The turn that makes it.
    pub turn: TurnId,
    /// The number under which it was claimed.
    pub fence: Fence,
    /// How much it used.
    pub used: Amount,
    /// How that is known.
    pub how: Kept,
}

/// How it is known what a call used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The server told. The step that the call becomes is still to come.
    Known,
    /// No step will tell: it was cut off and this is the most that it can have been, or it is no part of an answer.
    Cut,
}

/// Whether a call may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reserved {
    /// It may, and the most that it can use is reserved.
    Granted(Grant),
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
    /// Reserves what a call can use at most, if all caps leave room for it. A reservation that the turn has
    /// open is replaced: it makes one call at a time, and may say twice that it begins one.
    async fn reserve(&self, reserve: Reserve) -> Result<Fenced<Reserved>, StoreError>;

    /// Gives back what a turn has reserved: its call used nothing.
    async fn give_back(&self, turn: TurnId, fence: Fence) -> Result<Fenced<()>, StoreError>;

    /// Puts what a call used in the place of what was reserved for it.
    async fn keep(&self, keep: Keep) -> Result<Fenced<()>, StoreError>;

    /// No step will tell of the calls of a turn that are known until now: they stay counted, whatever the turn does.
    async fn cut_off(&self, turn: TurnId, fence: Fence) -> Result<Fenced<()>, StoreError>;

    /// What somebody has spent today.
    async fn spent_today(&self, account: &AccountId, person: &str) -> Result<Amount, StoreError>;

    /// What was spent in the last days, newest first, on each day everybody first and then those who spent
    /// most; as many days and people as the limits allow.
    async fn spent(&self, days: usize) -> Result<Vec<Spent>, StoreError>;

    /// What calls have reserved of which no step tells: those under way, and those that were cut off.
    async fn reserved(&self) -> Result<Amount, StoreError>;

    /// The same of one conversation.
    async fn reserved_in(&self, session: SessionId) -> Result<Amount, StoreError>;

    /// The same of one person, today.
    async fn reserved_today(&self, account: &AccountId, person: &str)
    -> Result<Amount, StoreError>;

    /// The day that it is now, as `2026-11-16`.
    async fn today(&self) -> Result<String, StoreError>;
}
