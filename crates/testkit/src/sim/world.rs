//! The made-up chat world: who wrote what, what the platform still keeps, and what people see.
//!
//! It outlives every node, as a real platform does. It knows nothing of rows; the checkers compare it
//! with them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::DeliveryId;
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::media::attached::{Attached, Sort};
use tokio::sync::Notify;

use crate::sim::marks;
use crate::sim::programs::Programs;

/// The account whose platform recognises repeated sends.
pub const KEYED: &str = "keyed";

/// The account whose platform shows every send.
pub const BLIND: &str = "blind";

/// The account to which strangers write; its platform shows every send.
pub const PORCH: &str = "porch";

/// A message that someone wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The account it was written to.
    pub account: AccountId,
    /// Its chat.
    pub chat: String,
    /// Its number on the account, from 1.
    pub number: u64,
    /// The command that it is; nothing for words.
    pub command: Option<String>,
}

impl Written {
    /// Its words: they name their chat, so that a mix-up shows, and end with a word that only they have.
    pub fn text(&self) -> String {
        let own = marks::mark(&self.account, &self.chat, self.number);
        let words = || format!("{}/{}/{} {own}", self.account, self.chat, self.number);
        self.command.clone().unwrap_or_else(words)
    }

    /// What comes with every fifth message of words: a file whose words are also what it is asked for by.
    fn enclosed(&self) -> Vec<Attached> {
        let has_one = self.number.is_multiple_of(5) && !self.text().starts_with('/');
        let enclosed = has_one.then(|| Attached::new(Sort::File, marks::enclosed(self.number)));
        enclosed.into_iter().collect()
    }

    /// As the gateway sees it.
    pub fn inbound(&self) -> Inbound {
        Inbound {
            address: Address {
                platform: platform(&self.account),
                account: self.account.clone(),
                chat: Chat {
                    id: self.chat.clone(),
                    kind: ChatKind::Dm,
                },
                thread: None,
            },
            person: Person {
                id: marks::person(&self.account, &self.chat),
                name: None,
            },
            event_key: EventKey::of_update(&self.number.to_string()),
            message_id: self.number.to_string(),
            text: self.text(),
            pictures: Vec::new(),
            attached: self.enclosed(),
            context: Vec::new(),
            about: About::default(),
        }
    }
}

/// Something that people see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Where.
    pub chat: String,
    /// The delivery it came from, or the draft.
    pub key: DeliveryId,
    /// What the platform knows it by.
    pub receipt: String,
    /// The words, as they are now.
    pub text: String,
    /// Whether it is still there.
    pub there: There,
}

/// Whether a message is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum There {
    /// People see it.
    Yes,
    /// Somebody took it away.
    Gone,
}

impl Shown {
    /// Whether people see it.
    pub fn is_there(&self) -> bool {
        self.there == There::Yes
    }
}

/// One account's side of the world.
#[derive(Debug, Default)]
pub struct Side {
    /// Everything written, by number.
    pub written: BTreeMap<u64, Written>,
    /// What the gateway was told to have: the platform has forgotten it.
    pub told: BTreeSet<u64>,
    /// What people see, in order.
    pub shown: Vec<Shown>,
    /// Sends that the platform refused for good.
    pub refused: BTreeSet<DeliveryId>,
}

/// The world.
#[derive(Debug, Default)]
pub struct World {
    /// The accounts.
    pub sides: BTreeMap<AccountId, Side>,
    /// How often each tool call had its effect, by the message and the call.
    pub effects: BTreeMap<(String, String), u32>,
    /// Programs that answer for agents.
    pub programs: Programs,
    /// Tokens that the agent's model was paid for, by day.
    pub billed: BTreeMap<String, u64>,
    /// How often the message that ends nodes was taken up.
    pub menaced: u32,
    /// Nodes that it has just ended.
    pub dying: BTreeSet<usize>,
    /// What happened, for comparing two runs of a seed.
    pub history: Vec<String>,
}

/// Everyone's view of the world.
#[derive(Debug, Clone, Default)]
pub struct Shared {
    world: Arc<Mutex<World>>,
    death: Arc<Notify>,
}

impl Shared {
    /// A world with all accounts and nothing in it.
    pub fn new() -> Self {
        let world = Self::default();
        for account in accounts() {
            world.lock().sides.insert(account, Side::default());
        }
        world
    }

    /// Looks at the world. Never held across an await.
    pub fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message ends a node.
    pub fn dies(&self, node: usize) {
        let mut world = self.lock();
        world.menaced += 1;
        world.dying.insert(node);
        self.death.notify_one();
    }

    /// Waits until a node is ended by a message.
    pub async fn death(&self) {
        self.death.notified().await;
    }

    /// Somebody writes. Messages of an account are numbered as they are written; returns the number.
    pub fn write(&self, written: Written) -> u64 {
        let mut world = self.lock();
        let side = world.side(&written.account);
        let last = side.written.last_key_value();
        let number = last.map_or(1, |(number, _)| number + 1);
        let written = Written { number, ..written };
        let text = written.text();
        side.written.insert(number, written);
        world.history.push(format!("written {text}"));
        number
    }

    /// Notes something in the history.
    pub fn note(&self, what: impl Into<String>) {
        self.lock().history.push(what.into());
    }
}

/// All accounts: the two of people who may speak, and that of strangers.
pub fn accounts() -> [AccountId; 3] {
    [KEYED, BLIND, PORCH].map(|name| AccountId(name.to_owned()))
}

/// The platform of an account: the door of strangers is not guarded by a token.
pub fn platform(account: &AccountId) -> Platform {
    if account.0 == PORCH {
        Platform::Telegram
    } else {
        Platform::Api
    }
}

impl World {
    /// One account's side.
    pub fn side(&mut self, account: &AccountId) -> &mut Side {
        self.sides.entry(account.clone()).or_default()
    }
}
