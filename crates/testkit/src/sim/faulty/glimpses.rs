//! What nodes see of each other's growing replies, through the faults.

use angelia_core::id::{NodeId, TurnId};
use angelia_store::StoreError;
use angelia_store::glimpses::{Found, Glimpses, Left, Which};
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Glimpses for Faulty {
    async fn leave_glimpses(
        &self,
        node: NodeId,
        left: Vec<Left>,
        over: Vec<TurnId>,
    ) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.leave_glimpses(node, left, over).await?;
        self.after().await
    }

    async fn glimpses(&self, node: NodeId, which: Which) -> Result<Vec<Found>, StoreError> {
        self.before().await?;
        self.inner.glimpses(node, which).await
    }

    async fn sweep_glimpses(&self) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.sweep_glimpses().await?;
        self.after().await
    }
}
