//! Pictures, through the faults.

use std::collections::BTreeSet;

use angelia_core::media::{MediaId, Picture};
use angelia_store::StoreError;
use angelia_store::media::{Brought, Media};
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Media for Faulty {
    async fn keep_media(&self, picture: Picture) -> Result<Brought, StoreError> {
        self.before().await?;
        let done = self.inner.keep_media(picture).await?;
        self.after().await?;
        Ok(done)
    }

    async fn media(&self, id: MediaId) -> Result<Option<Picture>, StoreError> {
        self.before().await?;
        self.inner.media(id).await
    }

    async fn kept_media(&self, ids: Vec<MediaId>) -> Result<BTreeSet<MediaId>, StoreError> {
        self.before().await?;
        self.inner.kept_media(ids).await
    }

    async fn forget_media(&self, limit: usize) -> Result<Vec<MediaId>, StoreError> {
        self.before().await?;
        let done = self.inner.forget_media(limit).await?;
        self.after().await?;
        Ok(done)
    }
}
