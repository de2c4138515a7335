//! What is wanted of processes on other nodes, through the faults.

use angelia_core::id::{ErrandId, NodeId};
use angelia_core::process::errand::Outcome;
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::errands::{Answer, Asked, Errands, NewErrand};
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Errands for Faulty {
    async fn ask_errand(&self, new: NewErrand) -> Result<Asked, StoreError> {
        self.before().await?;
        let asked = self.inner.ask_errand(new).await?;
        self.after().await?;
        Ok(asked)
    }

    async fn take_errands(
        &self,
        home: &str,
        node: NodeId,
        limit: usize,
    ) -> Result<Vec<NewErrand>, StoreError> {
        self.before().await?;
        let taken = self.inner.take_errands(home, node, limit).await?;
        self.after().await?;
        Ok(taken)
    }

    async fn answer_errand(&self, id: ErrandId, outcome: Outcome) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.answer_errand(id, outcome).await?;
        self.after().await
    }

    async fn errand_answer(&self, id: ErrandId) -> Result<Answer, StoreError> {
        self.before().await?;
        let answer = self.inner.errand_answer(id).await?;
        self.after().await?;
        Ok(answer)
    }

    async fn withdraw_errand(&self, id: ErrandId) -> Result<bool, StoreError> {
        self.before().await?;
        let withdrawn = self.inner.withdraw_errand(id).await?;
        self.after().await?;
        Ok(withdrawn)
    }

    async fn sweep_errands(&self, kept: Span) -> Result<usize, StoreError> {
        self.before().await?;
        let swept = self.inner.sweep_errands(kept).await?;
        self.after().await?;
        Ok(swept)
    }
}
