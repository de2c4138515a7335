//! A bell for each chat that somebody waits for a reply in.

use angelia_core::address::AccountId;
use angelia_core::ring::Ring;

use crate::far::Far;
use crate::keyed_bells::{KeyedBells, KeyedEar};

type Chat = (AccountId, String);

/// The bells of the chats that somebody waits in.
#[derive(Debug, Clone, Default)]
pub struct ChatBells(KeyedBells<Chat>);

/// Someone who waits for a reply in a chat.
pub type ChatEar = KeyedEar<Chat>;

impl ChatBells {
    /// Bells that ring on other nodes too.
    pub(crate) fn heard_far(far: &Far) -> Self {
        let ring = |(account, chat): &Chat| Ring::Chat(account.clone(), chat.clone());
        Self(KeyedBells::heard_far(ring, far))
    }

    /// Wakes those on this node who wait in the chat.
    pub(crate) fn ring_here(&self, account: &AccountId, chat: &str) {
        self.0.ring_here(&(account.clone(), chat.to_owned()));
    }

    /// Something was delivered to the chat.
    pub fn ring(&self, account: &AccountId, chat: &str) {
        self.0.ring(|| (account.clone(), chat.to_owned()));
    }

    /// Listens from now on.
    pub fn listen(&self, account: &AccountId, chat: &str) -> ChatEar {
        self.0.listen((account.clone(), chat.to_owned()))
    }
}
