//! Pictures and files, through the faults.

use std::collections::BTreeSet;
use std::sync::Arc;

use angelia_core::id::TurnId;
use angelia_core::lease::Fence;
use angelia_core::media::file::Kept;
use angelia_core::media::{MediaId, Picture};
use angelia_store::media::{Brought, Media, Opened};
use angelia_store::{Fenced, StoreError};
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

    async fn keep_bytes(&self, id: MediaId, bytes: Arc<[u8]>) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.keep_bytes(id, bytes).await?;
        self.after().await
    }

    async fn media_bytes(&self, id: MediaId) -> Result<Option<Vec<u8>>, StoreError> {
        self.before().await?;
        self.inner.media_bytes(id).await
    }

    async fn keep_file(&self, file: Kept) -> Result<Brought, StoreError> {
        self.before().await?;
        let done = self.inner.keep_file(file).await?;
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

    async fn open_message(
        &self,
        turn: TurnId,
        fence: Fence,
        opened: Opened,
    ) -> Result<Fenced<()>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let done = self.inner.open_message(turn, named, opened).await?;
        if done == Fenced::Done(()) {
            self.watch.wrote(turn, fence, "what came with a message");
        }
        self.after().await?;
        Ok(done)
    }

    async fn forget_media(&self, limit: usize) -> Result<Vec<MediaId>, StoreError> {
        self.before().await?;
        let done = self.inner.forget_media(limit).await?;
        self.after().await?;
        Ok(done)
    }
}
