//! Pictures and other files: which are kept, and which conversations refer to them.
//!
//! The bytes are files of the home (`gateway::media`), and those of pictures also rows where several nodes share the
//! store; here is what is known of them. A row says that the file
//! is there: it is written after the file and deleted before it. What a conversation refers to, in a message,
//! a step or a row of its transcript, is noted in the transaction that writes it, for as long as the
//! conversation exists; what nobody refers to is forgotten after a while.

use std::collections::BTreeSet;
use std::sync::Arc;

use angelia_core::id::{InboxId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::lease::Fence;
use angelia_core::media::file::Kept;
use angelia_core::media::{MediaId, Picture};
use async_trait::async_trait;

use crate::{Fenced, StoreError};

/// What became of a picture that somebody brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a picture that was refused is not kept"]
pub enum Brought {
    /// It is kept, as if it was brought just now.
    Kept,
    /// There is no room for another.
    Full,
}

/// A message whose attachments were opened.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Its row.
    pub inbox: InboxId,
    /// What it says now.
    pub inbound: Inbound,
    /// The files that are kept of it, besides its pictures.
    pub files: Vec<MediaId>,
}

/// Pictures and other files.
#[async_trait]
pub trait Media: Send + Sync {
    /// Notes that the picture's file is there. Bringing it again makes it young again.
    async fn keep_media(&self, picture: Picture) -> Result<Brought, StoreError>;

    /// Notes the same of a file that is no picture.
    async fn keep_file(&self, file: Kept) -> Result<Brought, StoreError>;

    /// Keeps the bytes of a picture that is kept, for nodes that have not its file; where nobody else shares the
    /// store, the file is enough.
    async fn keep_bytes(&self, id: MediaId, bytes: Arc<[u8]>) -> Result<(), StoreError>;

    /// The bytes of a picture, if they are kept here.
    async fn media_bytes(&self, id: MediaId) -> Result<Option<Vec<u8>>, StoreError>;

    /// What is known of a picture that is kept; not what somebody called it.
    async fn media(&self, id: MediaId) -> Result<Option<Picture>, StoreError>;

    /// Which of these are kept.
    async fn kept_media(&self, ids: Vec<MediaId>) -> Result<BTreeSet<MediaId>, StoreError>;

    /// Writes a message of the turn down as it is once everything that came with it was opened. From then on the
    /// conversation refers to what was kept of it. The same again is the same.
    async fn open_message(
        &self,
        turn: TurnId,
        fence: Fence,
        opened: Opened,
    ) -> Result<Fenced<()>, StoreError>;

    /// Forgets pictures that no conversation refers to (`core::media::retention`), at most so many; returns
    /// them. Their files may go then.
    async fn forget_media(&self, limit: usize) -> Result<Vec<MediaId>, StoreError>;
}
