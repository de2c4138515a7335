//! What people chose for their chats, which of them is the home of its account, and which is another by now.

use angelia_core::address::{AccountId, Address, Moved};
use angelia_core::display::chat::{Choice, Choices};
use async_trait::async_trait;

use super::{intake, moves, rows};
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
            tx.also(sql, params![account, chat, name, value])
        })
        .await
    }

    async fn make_home(&self, address: &Address) -> Result<(), StoreError> {
        let address = address.clone();
        self.write(move |tx| {
            let sql = "INSERT INTO homes (account, address, chosen_at) VALUES (?1, ?2, ?3) \
                       ON CONFLICT (account) DO UPDATE SET address = excluded.address, \
                       chosen_at = excluded.chosen_at";
            let values = params![address.account.0, rows::json(&address)?, tx.now().ms()];
            tx.also(sql, values)
        })
        .await
    }

    async fn move_chat(
        &self,
        account: &AccountId,
        moved: &Moved,
        cursor: Option<String>,
    ) -> Result<usize, StoreError> {
        let (account, moved) = (account.clone(), moved.clone());
        self.write(move |tx| {
            intake::move_cursor(tx, &account, cursor.as_deref())?;
            moves::follow(tx, &account, &moved)
        })
        .await
    }

    async fn home_of(&self, account: &AccountId) -> Result<Option<Address>, StoreError> {
        let sql = "SELECT address FROM homes WHERE account = ?1";
        let account = account.0.clone();
        let home = self.read(move |tx| tx.one(sql, [&account], |row| rows::json_maybe(row, 0)));
        Ok(home.await?.flatten())
    }
}
