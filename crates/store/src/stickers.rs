//! What stickers show, in words: one row for each that somebody looked at.
//!
//! A row is found by the platform and the id that it gives a sticker everywhere, so whoever sends it, in whichever
//! chat, nobody looks again. There are at most so many (`limits::STICKERS_MAX`): a new one takes the place of the one
//! that was looked at longest ago. Looking is not the store's business.

use angelia_core::address::Platform;
use angelia_core::media::sticker::Described;
use async_trait::async_trait;

use crate::StoreError;

/// Stickers that somebody looked at.
#[async_trait]
pub trait Stickers: Send + Sync {
    /// What a sticker shows, if somebody looked at it.
    async fn sticker(&self, platform: Platform, id: &str) -> Result<Option<Described>, StoreError>;

    /// Remembers what a sticker shows. What was said of it first stays.
    async fn keep_sticker(&self, described: Described) -> Result<(), StoreError>;
}
