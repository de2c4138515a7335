//! Pictures: which are kept, and which conversations refer to them.
//!
//! The bytes are files of the home (`gateway::media`); here is what is known of them. A row says that the file
//! is there: it is written after the file and deleted before it. What a conversation refers to, in a message,
//! a step or a row of its transcript, is noted in the transaction that writes it, for as long as the
//! conversation exists; what nobody refers to is forgotten after a while.

use std::collections::BTreeSet;

use angelia_core::media::{MediaId, Picture};
use async_trait::async_trait;

use crate::StoreError;

/// What became of a picture that somebody brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a picture that was refused is not kept"]
pub enum Brought {
    /// It is kept, as if it was brought just now.
    Kept,
    /// There is no room for another.
    Full,
}

/// Pictures.
#[async_trait]
pub trait Media: Send + Sync {
    /// Notes that the picture's file is there. Bringing it again makes it young again.
    async fn keep_media(&self, picture: Picture) -> Result<Brought, StoreError>;

    /// What is known of a picture that is kept; not what somebody called it.
    async fn media(&self, id: MediaId) -> Result<Option<Picture>, StoreError>;

    /// Which of these are kept.
    async fn kept_media(&self, ids: Vec<MediaId>) -> Result<BTreeSet<MediaId>, StoreError>;

    /// Forgets pictures that no conversation refers to (`core::media::retention`), at most so many; returns
    /// them. Their files may go then.
    async fn forget_media(&self, limit: usize) -> Result<Vec<MediaId>, StoreError>;
}
