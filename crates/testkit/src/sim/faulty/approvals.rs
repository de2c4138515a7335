//! Approvals, through the faults.

use angelia_core::approval::Verdict;
use angelia_core::id::{ApprovalId, DeliveryId, TurnId};
use angelia_core::lease::Fence;
use angelia_store::approvals::{
    Agreement, Approval, ApprovalFilter, Approvals, Asked, NewApproval, Replies, Ruled,
};
use angelia_store::views::{Page, Range};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Approvals for Faulty {
    async fn ask_for_approval(&self, new: NewApproval) -> Result<Fenced<Asked>, StoreError> {
        self.before().await?;
        let done = self.inner.ask_for_approval(new).await?;
        self.after().await?;
        Ok(done)
    }

    async fn decide_approval(&self, id: ApprovalId, verdict: Verdict) -> Result<Ruled, StoreError> {
        self.before().await?;
        let done = self.inner.decide_approval(id, verdict).await?;
        self.after().await?;
        Ok(done)
    }

    async fn take_replies(
        &self,
        turn: TurnId,
        fence: Fence,
        notice: DeliveryId,
    ) -> Result<Fenced<Replies>, StoreError> {
        self.before().await?;
        let done = self.inner.take_replies(turn, fence, notice).await?;
        self.after().await?;
        Ok(done)
    }

    async fn expire_approvals(&self) -> Result<Vec<Approval>, StoreError> {
        self.before().await?;
        let done = self.inner.expire_approvals().await?;
        self.after().await?;
        Ok(done)
    }

    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
        self.before().await?;
        self.inner.approval(id).await
    }

    async fn approvals(
        &self,
        filter: ApprovalFilter,
        range: Range,
    ) -> Result<Page<Approval>, StoreError> {
        self.inner.approvals(filter, range).await
    }

    async fn agreements(&self, range: Range) -> Result<Page<Agreement>, StoreError> {
        self.inner.agreements(range).await
    }

    async fn revoke_agreement(&self, id: ApprovalId) -> Result<Option<Agreement>, StoreError> {
        self.before().await?;
        let done = self.inner.revoke_agreement(id).await?;
        self.after().await?;
        Ok(done)
    }
}
