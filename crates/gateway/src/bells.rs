//! Bells: wake-ups without content.
//!
//! A bell says "look", never "do this". Rings coalesce: a loop that was busy while a bell rang ten
//! times looks once more. A lost ring costs at most one period.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::id::SessionId;

use crate::chat_bells::ChatBells;
use crate::keyed_bells::KeyedBells;
use crate::watched::Watched;

/// Something that can be rung.
#[derive(Debug, Clone)]
pub struct Bell {
    rings: Watched<u64>,
}

/// Someone who hears a bell.
#[derive(Debug)]
pub struct Ear {
    rings: Watched<u64>,
    heard: u64,
}

impl Default for Bell {
    fn default() -> Self {
        Self {
            rings: Watched::new(0),
        }
    }
}

impl Bell {
    /// Wakes everyone who listens.
    pub fn ring(&self) {
        self.rings.change(|count| *count = count.wrapping_add(1));
    }

    /// Listens from now on.
    pub fn listen(&self) -> Ear {
        Ear {
            rings: self.rings.clone(),
            heard: self.rings.get(),
        }
    }
}

impl Ear {
    /// Waits until the bell has rung since the last time.
    pub async fn heard(&mut self) {
        let heard = self.heard;
        self.heard = self.rings.until(|rings| *rings != heard).await;
    }
}

/// The bells of one node.
#[derive(Debug, Clone)]
pub struct Bells {
    /// A message was accepted, or a place became free.
    pub inbox: Bell,
    /// Something was said and written down, and can be indexed for search.
    pub transcript: Bell,
    /// A background process began or ended.
    pub processes: Bell,
    /// Somebody wants the gateway to begin anew.
    pub restarts: Bell,
    /// Something was delivered to a chat that somebody waits in.
    pub chats: ChatBells,
    /// A call to stop was accepted in a conversation that is being answered.
    pub stops: KeyedBells<SessionId>,
    /// A question of a conversation was answered, or may have been.
    pub approvals: KeyedBells<SessionId>,
    /// A question is over, and its message is to be changed.
    pub decided: Bell,
    outbox: Arc<BTreeMap<AccountId, Bell>>,
}

impl Bells {
    /// One outbox bell for each account.
    pub fn new<'a>(accounts: impl Iterator<Item = &'a AccountId>) -> Self {
        let outbox = accounts
            .map(|account| (account.clone(), Bell::default()))
            .collect();
        Self {
            inbox: Bell::default(),
            transcript: Bell::default(),
            processes: Bell::default(),
            restarts: Bell::default(),
            chats: ChatBells::default(),
            stops: KeyedBells::default(),
            approvals: KeyedBells::default(),
            decided: Bell::default(),
            outbox: Arc::new(outbox),
        }
    }

    /// The bell of an account's courier. An account that this node does not have has a bell that
    /// nobody hears.
    pub fn outbox(&self, account: &AccountId) -> Bell {
        self.outbox.get(account).cloned().unwrap_or_default()
    }
}
