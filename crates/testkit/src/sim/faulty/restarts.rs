//! Restarts that people wish for, through the faults.

use angelia_core::address::AccountId;
use angelia_core::id::{DeliveryId, NodeId, TurnId};
use angelia_core::lease::Fence;
use angelia_core::time::Timestamp;
use angelia_store::restarts::{NewWish, Restarts, Wished};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::sabotage::Sabotage;

#[async_trait]
impl Restarts for Faulty {
    async fn wish_restart(&self, wish: NewWish) -> Result<Wished, StoreError> {
        self.before().await?;
        let wished = self.inner.wish_restart(wish).await?;
        self.after().await?;
        Ok(wished)
    }

    async fn restart_wished(&self, node: NodeId) -> Result<Option<Timestamp>, StoreError> {
        self.before().await?;
        self.inner.restart_wished(node).await
    }

    async fn call_off_restart(
        &self,
        node: NodeId,
        why: &str,
    ) -> Result<Vec<AccountId>, StoreError> {
        self.before().await?;
        let told = self.inner.call_off_restart(node, why).await?;
        self.after().await?;
        Ok(told)
    }

    async fn come_back(&self, node: NodeId, text: &str) -> Result<Vec<AccountId>, StoreError> {
        self.before().await?;
        let told = self.inner.come_back(node, text).await?;
        self.after().await?;
        Ok(told)
    }

    async fn tell_going(
        &self,
        turn: TurnId,
        fence: Fence,
        node: NodeId,
        notice: (DeliveryId, String),
    ) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let node = match self.sabotage == Sabotage::BannerTwice {
            true => NodeId::from_bits(self.throw(|dice| dice.bits()).into()),
            false => node,
        };
        let told = self.inner.tell_going(turn, named, node, notice).await?;
        if told == Fenced::Done(()) {
            self.watch.wrote(turn, fence, "that it goes");
        }
        self.after().await?;
        Ok(told)
    }
}
