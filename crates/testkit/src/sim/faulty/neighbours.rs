//! What nodes know of each other, through the faults. They hear no bells of each other: every one of them is lost.

use angelia_core::id::NodeId;
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::neighbours::Neighbours;
use async_trait::async_trait;
use tokio::sync::mpsc;

use super::Faulty;

#[async_trait]
impl Neighbours for Faulty {
    async fn neighbours(&self, node: NodeId) -> Result<usize, StoreError> {
        self.before().await?;
        self.inner.neighbours(node).await
    }

    async fn lease_left(&self, name: &str) -> Result<Option<Span>, StoreError> {
        self.before().await?;
        self.inner.lease_left(name).await
    }

    async fn next_orphan(&self) -> Result<Option<Span>, StoreError> {
        self.before().await?;
        self.inner.next_orphan().await
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn hear(&self) -> Option<mpsc::Receiver<String>> {
        None
    }

    async fn tell(&self, _words: &str) -> Result<(), StoreError> {
        self.before().await
    }
}
