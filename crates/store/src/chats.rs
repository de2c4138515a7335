//! What people chose for their chats.

use angelia_core::address::AccountId;
use angelia_core::display::chat::{Choice, Choices};
use async_trait::async_trait;

use crate::StoreError;

/// Choices of chats.
#[async_trait]
pub trait Chats: Send + Sync {
    /// What was chosen for a chat.
    async fn chat_choices(&self, account: &AccountId, chat: &str) -> Result<Choices, StoreError>;

    /// Chooses something for a chat, in place of what was chosen before.
    async fn choose_for_chat(
        &self,
        account: &AccountId,
        chat: &str,
        choice: Choice,
    ) -> Result<(), StoreError>;
}
