//! Search, through the faults.

use angelia_store::StoreError;
use angelia_store::search::{Hit, Indexed, Query, Search};
use angelia_store::views::Page;
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Search for Faulty {
    async fn index_more(&self, limit: usize) -> Result<Indexed, StoreError> {
        self.before().await?;
        let done = self.inner.index_more(limit).await?;
        self.after().await?;
        Ok(done)
    }

    async fn search(&self, query: Query) -> Result<Page<Hit>, StoreError> {
        self.inner.search(query).await
    }
}
