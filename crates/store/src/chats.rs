//! What people chose for their chats, and which of them is the home of its account.

use angelia_core::address::{AccountId, Address};
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

    /// Makes a chat, or the thread of it, the home of its account, in place of the one before.
    async fn make_home(&self, address: &Address) -> Result<(), StoreError>;

    /// The home of an account: where words come that nobody asked for.
    async fn home_of(&self, account: &AccountId) -> Result<Option<Address>, StoreError>;
}
