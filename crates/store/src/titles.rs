//! What conversations are called, how they are found by it, and which came from which.

use angelia_core::id::SessionId;
use angelia_core::transcript::lineage::Lineage;
use angelia_core::transcript::title::{Claim, Giver, Title};
use async_trait::async_trait;

use crate::StoreError;

/// What a text that somebody typed stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// This conversation.
    One(SessionId),
    /// Several, by the beginning of their ids; more letters tell them apart.
    Several,
    /// None.
    Nothing,
}

/// Names and links.
#[async_trait]
pub trait Titles: Send + Sync {
    /// Calls a conversation so, or nothing any more. Titles are unique; one moves along when the
    /// conversation that has it goes on in this one. The gateway's own titles never replace another.
    /// Nothing if there is no such conversation.
    async fn set_title(
        &self,
        session: SessionId,
        title: Option<Title>,
        giver: Giver,
    ) -> Result<Option<Claim>, StoreError>;

    /// The title for the next conversation that is to be called like this; it is not in use.
    async fn next_title(&self, wish: Title) -> Result<Title, StoreError>;

    /// Finds a conversation by its id, the beginning of its id, or its title.
    async fn find(&self, text: &str) -> Result<Found, StoreError>;

    /// Everything that is linked with the conversation in any way. Nothing if there is no such
    /// conversation.
    async fn family(&self, session: SessionId) -> Result<Option<Lineage>, StoreError>;

    /// All conversations and their links.
    async fn lineage(&self) -> Result<Lineage, StoreError>;
}
