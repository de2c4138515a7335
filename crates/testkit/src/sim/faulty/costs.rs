//! The books, through the faults.

use angelia_core::address::AccountId;
use angelia_core::cost::Amount;
use angelia_core::id::{SessionId, TurnId};
use angelia_core::lease::Fence;
use angelia_store::costs::{Costs, Keep, Reserve, Reserved, Spent};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::sabotage::Sabotage;

#[async_trait]
impl Costs for Faulty {
    async fn reserve(&self, reserve: Reserve) -> Result<Fenced<Reserved>, StoreError> {
        self.before().await?;
        let (turn, fence) = (reserve.turn, reserve.fence);
        let done = self.inner.reserve(reserve).await?;
        if self.sabotage == Sabotage::Unreserved {
            // Whoever has lost the turn has reserved nothing.
            let _fenced = self.inner.give_back(turn, fence).await?;
        }
        self.after().await?;
        Ok(done)
    }

    async fn give_back(&self, turn: TurnId, fence: Fence) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let done = self.inner.give_back(turn, fence).await?;
        self.after().await?;
        Ok(done)
    }

    async fn keep(&self, keep: Keep) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let done = self.inner.keep(keep).await?;
        self.after().await?;
        Ok(done)
    }

    async fn cut_off(&self, turn: TurnId, fence: Fence) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let done = self.inner.cut_off(turn, fence).await?;
        self.after().await?;
        Ok(done)
    }

    async fn spent_today(&self, account: &AccountId, person: &str) -> Result<Amount, StoreError> {
        self.inner.spent_today(account, person).await
    }

    async fn spent(&self, days: usize) -> Result<Vec<Spent>, StoreError> {
        self.inner.spent(days).await
    }

    async fn reserved(&self) -> Result<Amount, StoreError> {
        self.inner.reserved().await
    }

    async fn reserved_in(&self, session: SessionId) -> Result<Amount, StoreError> {
        self.inner.reserved_in(session).await
    }

    async fn reserved_today(
        &self,
        account: &AccountId,
        person: &str,
    ) -> Result<Amount, StoreError> {
        self.inner.reserved_today(account, person).await
    }

    async fn today(&self) -> Result<String, StoreError> {
        self.inner.today().await
    }
}
