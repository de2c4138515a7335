//! Watched processes, through the faults. What they say is said by `holders`, which look at it too.

use angelia_core::id::ProcessId;
use angelia_store::StoreError;
use angelia_store::processes::Moved;
use angelia_store::watches::{Checked, DueCheck, Look, Looked, Untold, Watches};
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Watches for Faulty {
    async fn looked(&self, id: ProcessId) -> Result<Option<Looked>, StoreError> {
        self.inner.looked(id).await
    }

    async fn look(&self, id: ProcessId, look: Look) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.look(id, look).await?;
        self.after().await?;
        Ok(done)
    }

    async fn due_checks(&self, _home: &str) -> Result<Vec<DueCheck>, StoreError> {
        Ok(Vec::new())
    }

    async fn checked(&self, id: ProcessId, checked: Checked) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.checked(id, checked).await?;
        self.after().await?;
        Ok(done)
    }

    async fn untold_news(&self, home: &str, limit: usize) -> Result<Vec<Untold>, StoreError> {
        self.before().await?;
        let untold = self.inner.untold_news(home, limit).await?;
        self.pause().await;
        Ok(untold)
    }

    async fn news_told(&self, id: ProcessId, number: u32) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.news_told(id, number).await?;
        self.after().await
    }
}
