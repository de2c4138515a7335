//! What people chose for their chats, which of them is the home of its account, and which is another by now.

use angelia_core::address::{AccountId, Address, Moved};
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

    /// Lets everything of a chat go on where it is now: its conversations with their numbers, what was chosen for it,
    /// and whether it is the home; with the cursor, all or none. What still comes under the old id is led along. Where
    /// people were faster and wrote in the new place, that goes on, and what was before is reached by resuming it.
    /// Returns how many conversations went along; told again, none.
    async fn move_chat(
        &self,
        account: &AccountId,
        moved: &Moved,
        cursor: Option<String>,
    ) -> Result<usize, StoreError>;

    /// The home of an account: where words come that nobody asked for.
    async fn home_of(&self, account: &AccountId) -> Result<Option<Address>, StoreError>;
}
