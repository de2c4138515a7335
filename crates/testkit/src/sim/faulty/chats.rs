//! What people chose for their chats, through the faults.

use angelia_core::address::{AccountId, Address, Moved};
use angelia_core::display::chat::{Choice, Choices};
use angelia_store::StoreError;
use angelia_store::chats::Chats;
use async_trait::async_trait;

use super::Faulty;
use crate::sim::sabotage::Sabotage;

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

    async fn make_home(&self, address: &Address) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.make_home(address).await?;
        self.after().await
    }

    async fn move_chat(
        &self,
        account: &AccountId,
        moved: &Moved,
        cursor: Option<String>,
    ) -> Result<usize, StoreError> {
        self.before().await?;
        if self.sabotage == Sabotage::MoveForgotten {
            return Ok(0);
        }
        let followed = self.inner.move_chat(account, moved, cursor).await?;
        self.after().await?;
        Ok(followed)
    }

    async fn home_of(&self, account: &AccountId) -> Result<Option<Address>, StoreError> {
        self.before().await?;
        self.inner.home_of(account).await
    }
}
