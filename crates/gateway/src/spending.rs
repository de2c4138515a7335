//! What the calls of one turn may cost: caps and prices of the operator, sums and reservations of the store.
//!
//! Whether a call is allowed is decided in the transaction that reserves, so that turns which run at the same
//! time cannot pass a cap together. A reservation whose turn dies goes when the turn is taken up again.

use std::fmt;
use std::sync::Arc;

use angelia_agents::events::Ended;
use angelia_agents::spending::{Allowance, Limited, Most, Spending};
use angelia_core::cost::caps::Caps;
use angelia_core::cost::prices::Prices;
use angelia_core::cost::words;
use angelia_core::transcript::usage::{Cost, Tokens};
use angelia_store::Fenced;
use angelia_store::costs::{Reserve, Reserved};
use angelia_store::turns::ClaimedTurn;
use async_trait::async_trait;

use crate::ground::Ground;

/// What the operator chose about costs.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// How much may be spent.
    pub caps: Arc<Caps>,
    /// What models cost.
    pub prices: Arc<Prices>,
}

/// What one turn may spend.
pub(crate) struct TurnSpending {
    pub(crate) ground: Ground,
    pub(crate) budget: Budget,
    pub(crate) claimed: ClaimedTurn,
}

impl fmt::Debug for TurnSpending {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "TurnSpending({})", self.claimed.turn)
    }
}

#[async_trait]
impl Spending for TurnSpending {
    fn limited(&self) -> Limited {
        match self.budget.caps.is_none() {
            true => Limited::No,
            false => Limited::Yes,
        }
    }

    async fn reserve(&self, model: &str, most: Most) -> Result<Allowance, Ended> {
        let wanted = Reserve {
            turn: self.claimed.turn,
            fence: self.claimed.fence,
            most: self.budget.prices.most(model, most.prompt, most.answer),
            caps: Arc::clone(&self.budget.caps),
        };
        let store = &self.ground.store;
        let reserve = || store.reserve(wanted.clone());
        match self.ground.insist("spending", reserve).await {
            Fenced::Done(Reserved::Granted) => Ok(Allowance::Granted),
            Fenced::Done(Reserved::Refused(why)) => {
                Ok(Allowance::Refused(words::reached(why, model)))
            }
            Fenced::Lost => Err(Ended),
        }
    }

    async fn give_back(&self) -> Result<(), Ended> {
        let (store, turn, fence) = (&self.ground.store, self.claimed.turn, self.claimed.fence);
        let give_back = || store.give_back(turn, fence);
        match self.ground.insist("spending", give_back).await {
            Fenced::Done(()) => Ok(()),
            Fenced::Lost => Err(Ended),
        }
    }

    fn cost(&self, model: &str, tokens: &Tokens) -> Cost {
        self.budget.prices.cost(model, tokens)
    }
}
