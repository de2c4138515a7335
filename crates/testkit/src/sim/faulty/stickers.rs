//! What stickers show, through the faults.

use angelia_core::address::Platform;
use angelia_core::media::sticker::Described;
use angelia_store::StoreError;
use angelia_store::stickers::Stickers;
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Stickers for Faulty {
    async fn sticker(&self, platform: Platform, id: &str) -> Result<Option<Described>, StoreError> {
        self.before().await?;
        self.inner.sticker(platform, id).await
    }

    async fn keep_sticker(&self, described: Described) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.keep_sticker(described).await?;
        self.after().await
    }
}
