//! What people chose for their chats.

use angelia_core::address::AccountId;
use angelia_core::display::chat::{Choice, Choices};
use async_trait::async_trait;

use crate::StoreError;
use crate::chats::Chats;
use crate::database::Database;
use crate::database::value::params;

#[async_trait]
impl Chats for Database {
    async fn chat_choices(&self, account: &AccountId, chat: &str) -> Result<Choices, StoreError> {
        let sql = "SELECT name, value FROM chat_choices WHERE account = ?1 AND chat = ?2";
        let (account, chat) = (account.0.clone(), chat.to_owned());
        self.read(move |tx| {
            let all = tx.all(sql, params![account, chat], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            Ok(all.into_iter().collect())
        })
        .await
    }

    async fn choose_for_chat(
        &self,
        account: &AccountId,
        chat: &str,
        choice: Choice,
    ) -> Result<(), StoreError> {
        let (account, chat) = (account.0.clone(), chat.to_owned());
        let (name, value) = choice.entry();
        self.write(move |tx| {
            let sql = "INSERT INTO chat_choices (account, chat, name, value) VALUES (?1, ?2, ?3, ?4) \
                       ON CONFLICT (account, chat, name) DO UPDATE SET value = excluded.value";
            tx.run(sql, params![account, chat, name, value]).map(drop)
        })
        .await
    }
}
