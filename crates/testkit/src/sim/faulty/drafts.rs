//! Messages that show replies while they grow, through the faults.

use angelia_core::address::AccountId;
use angelia_core::id::{DeliveryId, TurnId};
use angelia_core::outbound::Receipt;
use angelia_store::drafts::{Begun, Draft, Drafts, NewDraft, Stale};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::sabotage::Sabotage;

#[async_trait]
impl Drafts for Faulty {
    async fn begin_draft(&self, new: NewDraft) -> Result<Fenced<Begun>, StoreError> {
        self.before().await?;
        let begun = self.inner.begin_draft(new).await?;
        self.after().await?;
        Ok(begun)
    }

    async fn keep_draft(&self, id: DeliveryId, receipt: Receipt) -> Result<(), StoreError> {
        self.before().await?;
        if self.sabotage != Sabotage::DraftForgotten {
            self.inner.keep_draft(id, receipt).await?;
        }
        self.watch.kept_draft(id);
        self.after().await
    }

    async fn drafts(&self, turn: TurnId) -> Result<Vec<Draft>, StoreError> {
        self.before().await?;
        self.inner.drafts(turn).await
    }

    async fn stale_drafts(
        &self,
        account: &AccountId,
        limit: usize,
    ) -> Result<Vec<Stale>, StoreError> {
        self.before().await?;
        self.inner.stale_drafts(account, limit).await
    }

    async fn forget_draft(&self, id: DeliveryId) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.forget_draft(id).await?;
        self.after().await
    }
}
