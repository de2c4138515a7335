//! What the calls of one turn may cost: caps and prices of the operator, sums and reservations of the store.
//!
//! Whether a call is allowed is decided in the transaction that reserves, so that turns which run at the same
//! time cannot pass a cap together. A call that is hung up counts with what it can have used until then: its
//! prompt, and as many tokens as a model can write in that time. One whose turn dies counts in full, since
//! nobody can say how far it came.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use angelia_agents::events::Ended;
use angelia_agents::spending::{Allowance, Limited, Most, Spending};
use angelia_core::cost::Amount;
use angelia_core::cost::caps::{Call, Caps, Grant};
use angelia_core::cost::prices::Prices;
use angelia_core::cost::words;
use angelia_core::limits;
use angelia_core::transcript::usage::{Cost, Tokens};
use angelia_store::Fenced;
use angelia_store::costs::{Keep, Kept, Reserve, Reserved};
use angelia_store::turns::ClaimedTurn;
use async_trait::async_trait;
use tokio::time::Instant;

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
    ground: Ground,
    budget: Budget,
    claimed: ClaimedTurn,
    /// The call under way. A turn makes one at a time.
    under_way: Mutex<Option<UnderWay>>,
}

/// A call under way.
#[derive(Debug, Clone, Copy)]
struct UnderWay {
    call: Call,
    answer: u64,
    since: Instant,
}

impl UnderWay {
    /// The most that it can have used until now.
    fn until_now(&self) -> Amount {
        let ms = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let written = ms.saturating_mul(limits::ANSWER_TOKENS_PER_SECOND) / 1000 + 1;
        self.call.most(self.answer.min(written))
    }
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
        let call = Call {
            prompt: most.prompt,
            answer: most.answer.into(),
            least: limits::ANSWER_TOKENS_LEAST,
            price: self.budget.prices.find(model).copied(),
        };
        let wanted = Reserve {
            turn: self.claimed.turn,
            fence: self.claimed.fence,
            call,
            caps: Arc::clone(&self.budget.caps),
        };
        let store = &self.ground.store;
        let reserve = || store.reserve(wanted.clone());
        match self.ground.insist("spending", reserve).await {
            Fenced::Done(Reserved::Granted(Grant { answer, .. })) => {
                let since = Instant::now();
                self.begin(Some(UnderWay {
                    call,
                    answer,
                    since,
                }));
                Ok(Allowance::Granted(
                    u32::try_from(answer).unwrap_or(u32::MAX),
                ))
            }
            Fenced::Done(Reserved::Refused(why)) => {
                Ok(Allowance::Refused(words::reached(why, model)))
            }
            Fenced::Lost => Err(Ended),
        }
    }

    async fn give_back(&self) -> Result<(), Ended> {
        self.begin(None);
        let (store, turn, fence) = (&self.ground.store, self.claimed.turn, self.claimed.fence);
        let give_back = || store.give_back(turn, fence);
        match self.ground.insist("spending", give_back).await {
            Fenced::Done(()) => Ok(()),
            Fenced::Lost => Err(Ended),
        }
    }

    /// Tried once: whoever stops does not wait for the store, and without this the call counts in full.
    async fn hang_up(&self) -> Result<(), Ended> {
        let Some(call) = self.begin(None) else {
            return Ok(());
        };
        let kept = self
            .ground
            .store
            .keep(self.used(call.until_now(), Kept::Cut));
        match kept.await {
            Ok(Fenced::Lost) => Err(Ended),
            Ok(Fenced::Done(())) | Err(_) => Ok(()),
        }
    }

    async fn keep(&self, model: &str, tokens: &Tokens) -> Result<(), Ended> {
        self.note(model, tokens, Kept::Known).await
    }

    async fn cut_off(&self) -> Result<(), Ended> {
        let (store, turn, fence) = (&self.ground.store, self.claimed.turn, self.claimed.fence);
        let cut_off = || store.cut_off(turn, fence);
        match self.ground.insist("spending", cut_off).await {
            Fenced::Done(()) => Ok(()),
            Fenced::Lost => Err(Ended),
        }
    }

    async fn beside(&self, model: &str, tokens: &Tokens) -> Result<(), Ended> {
        self.note(model, tokens, Kept::Cut).await
    }

    fn cost(&self, model: &str, tokens: &Tokens) -> Cost {
        self.budget.prices.cost(model, tokens)
    }
}

impl TurnSpending {
    pub(crate) fn of(ground: Ground, budget: Budget, claimed: ClaimedTurn) -> Self {
        Self {
            ground,
            budget,
            claimed,
            under_way: Mutex::default(),
        }
    }

    /// What the call under way used, as its server told.
    async fn note(&self, model: &str, tokens: &Tokens, how: Kept) -> Result<(), Ended> {
        if self.begin(None).is_none() {
            return Ok(());
        }
        let used = Amount {
            tokens: tokens.all(),
            micros: self.budget.prices.find(model).map(|price| price.of(tokens)),
        };
        let keep = self.used(used, how);
        let store = &self.ground.store;
        match self.ground.insist("spending", || store.keep(keep)).await {
            Fenced::Done(()) => Ok(()),
            Fenced::Lost => Err(Ended),
        }
    }

    /// Another call is under way, or none; the one before.
    fn begin(&self, call: Option<UnderWay>) -> Option<UnderWay> {
        let mut now = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut now, call)
    }

    fn used(&self, used: Amount, how: Kept) -> Keep {
        Keep {
            turn: self.claimed.turn,
            fence: self.claimed.fence,
            used,
            how,
        }
    }
}
