//! A bell for each chat that somebody waits for a reply in.
//!
//! Many callers may wait at once, each for its own chat. If all of them heard of every delivery, each
//! reply would wake everyone; so each hears only of its own chat. A chat that nobody waits in has no
//! bell and costs nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::address::AccountId;

use crate::bells::{Bell, Ear};

type Chat = (AccountId, String);

/// The bells of the chats that somebody waits in.
#[derive(Debug, Clone, Default)]
pub struct ChatBells {
    bells: Arc<Mutex<BTreeMap<Chat, (Bell, usize)>>>,
}

/// Someone who waits for a reply in a chat. The bell goes with the last one.
#[derive(Debug)]
pub struct ChatEar {
    ear: Ear,
    chat: Chat,
    bells: ChatBells,
}

impl ChatBells {
    /// Something was delivered to the chat.
    pub fn ring(&self, account: &AccountId, chat: &str) {
        let bells = self.lock();
        // Most chats have nobody waiting; then there is no key to be made either.
        if !bells.is_empty()
            && let Some((bell, _)) = bells.get(&(account.clone(), chat.to_owned()))
        {
            bell.ring();
        }
    }

    /// Listens from now on.
    pub fn listen(&self, account: &AccountId, chat: &str) -> ChatEar {
        let chat = (account.clone(), chat.to_owned());
        let mut bells = self.lock();
        let (bell, ears) = bells.entry(chat.clone()).or_default();
        *ears += 1;
        let ear = bell.listen();
        ChatEar {
            ear,
            chat,
            bells: self.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Chat, (Bell, usize)>> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatEar {
    /// Waits until something was delivered since the last time.
    pub async fn heard(&mut self) {
        self.ear.heard().await;
    }
}

impl Drop for ChatEar {
    fn drop(&mut self) {
        let mut bells = self.bells.lock();
        if let Some((_, ears)) = bells.get_mut(&self.chat) {
            *ears -= 1;
            if *ears == 0 {
                bells.remove(&self.chat);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use angelia_core::address::Platform;
    use futures_util::FutureExt;

    #[test]
    fn only_those_who_wait_in_the_chat_hear_it_and_the_last_takes_the_bell_along() {
        let (bells, account) = (ChatBells::default(), AccountId::of(Platform::Api));
        let (mut one, mut two) = (bells.listen(&account, "a"), bells.listen(&account, "a"));
        let mut other = bells.listen(&account, "b");
        bells.ring(&account, "a");
        assert!(one.heard().now_or_never().is_some());
        assert!(two.heard().now_or_never().is_some());
        assert!(other.heard().now_or_never().is_none());
        drop((one, two, other));
        assert!(bells.lock().is_empty());
    }
}
