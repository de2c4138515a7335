//! What a turn may spend on a model.
//!
//! ```text
//! reserve ─▶ call ─┬─▶ answer: counted with the step that it becomes
//!                  ├─▶ answer without a step of its own: kept until the step that several become
//!                  │     └─▶ they become none: cut off
//!                  ├─▶ answer that no step will tell of: counted on its own
//!                  ├─▶ refused before it began: given back
//!                  └─▶ broken off, stopped: hung up; counted as the most it can have used until then
//! ```
//!
//! Before each call the agent says the most that it can use, and is told how long an answer may be. A call that
//! is not allowed is no failure: the agent says the words that it is given, and the turn is complete.
//!
//! What a call did cost is an estimate from known prices, and unknown where there is none.

use std::fmt;

use angelia_core::transcript::usage::{Cost, Tokens};
use async_trait::async_trait;

use crate::events::Ended;

/// The most that a call can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Tokens that the model is given.
    pub prompt: u64,
    /// Tokens that it may answer with. Fewer may be allowed.
    pub answer: u32,
}

/// Whether a call may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowance {
    /// It may, with an answer of so many tokens.
    Granted(u32),
    /// It may not; this is what people are told.
    Refused(String),
}

/// Whether anything limits what is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// There are caps: every call is reserved.
    Yes,
    /// There are none: nothing needs to be asked.
    No,
}

/// What limits and prices the calls of one turn.
#[async_trait]
pub trait Spending: fmt::Debug + Send + Sync {
    /// Whether calls have to be reserved.
    fn limited(&self) -> Limited;

    /// Reserves the most that a call of the model can use.
    async fn reserve(&self, model: &str, most: Most) -> Result<Allowance, Ended>;

    /// Gives back what was reserved: the call did not begin.
    async fn give_back(&self) -> Result<(), Ended>;

    /// The call that was reserved is over and its answer will never be whole. Without one, nothing.
    async fn hang_up(&self) -> Result<(), Ended>;

    /// What the call that was reserved used; other calls come before the step that tells of it.
    async fn keep(&self, model: &str, tokens: &Tokens) -> Result<(), Ended>;

    /// The calls that were kept until now become no step. They stay counted.
    async fn cut_off(&self) -> Result<(), Ended>;

    /// What the call that was reserved used; it is no part of an answer, and no step will tell of it.
    async fn beside(&self, model: &str, tokens: &Tokens) -> Result<(), Ended>;

    /// What a call of the model cost.
    fn cost(&self, model: &str, tokens: &Tokens) -> Cost;
}

/// A place without caps and without prices.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unlimited;

#[async_trait]
impl Spending for Unlimited {
    fn limited(&self) -> Limited {
        Limited::No
    }

    async fn reserve(&self, _model: &str, most: Most) -> Result<Allowance, Ended> {
        Ok(Allowance::Granted(most.answer))
    }

    async fn give_back(&self) -> Result<(), Ended> {
        Ok(())
    }

    async fn hang_up(&self) -> Result<(), Ended> {
        Ok(())
    }

    async fn keep(&self, _model: &str, _tokens: &Tokens) -> Result<(), Ended> {
        Ok(())
    }

    async fn cut_off(&self) -> Result<(), Ended> {
        Ok(())
    }

    async fn beside(&self, _model: &str, _tokens: &Tokens) -> Result<(), Ended> {
        Ok(())
    }

    fn cost(&self, _model: &str, _tokens: &Tokens) -> Cost {
        Cost::default()
    }
}
