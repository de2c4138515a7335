//! What people chose for their chats, through the faults.

use angelia_core::address::AccountId;
use angelia_core::display::chat::{Choice, Choices};
use angelia_store::StoreError;
use angelia_store::chats::Chats;
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Chats for Faulty {
    async fn chat_choices(&self, account: &AccountId, chat: &str) -> Result<Choices, StoreError> {
        self.before().await?;
        self.inner.chat_choices(account, chat).await
    }

    async fn choose_for_chat(
        &self,
        account: &AccountId,
        chat: &str,
        choice: Choice,
    ) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.choose_for_chat(account, chat, choice).await?;
        self.after().await
    }
}
