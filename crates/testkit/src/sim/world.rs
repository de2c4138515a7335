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

/// The account whose platform recognises repeated sends.
pub const KEYED: &str = "keyed";

/// The account whose platform shows every send.
pub const BLIND: &str = "blind";

/// A message that someone wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The account it was written to.
    pub account: AccountId,
    /// Its chat.
    pub chat: String,
    /// Its number on the account, from 1.
    pub number: u64,
}

impl Written {
    /// Its words: they name their chat, so that a mix-up shows.
    pub fn text(&self) -> String {
        format!("{}/{}/{}", self.account, self.chat, self.number)
    }

    /// As the gateway sees it.
    pub fn inbound(&self) -> Inbound {
        Inbound {
            address: Address {
                platform: Platform::Api,
                account: self.account.clone(),
                chat: Chat {
                    id: self.chat.clone(),
                    kind: ChatKind::Dm,
                },
                thread: None,
            },
            person: Person {
                id: format!("person-{}", self.chat),
                name: None,
            },
            event_key: EventKey::of_update(&self.number.to_string()),
            message_id: self.number.to_string(),
            text: self.text(),
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
    /// The delivery it came from.
    pub key: DeliveryId,
    /// The words.
    pub text: String,
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
    /// How often each tool call had its effect, by the message's words and the call.
    pub effects: BTreeMap<(String, String), u32>,
    /// What happened, for comparing two runs of a seed.
    pub history: Vec<String>,
}

/// Everyone's view of the world.
#[derive(Debug, Clone, Default)]
pub struct Shared(Arc<Mutex<World>>);

impl Shared {
    /// A world with both accounts and nothing in it.
    pub fn new() -> Self {
        let world = Self::default();
        for account in accounts() {
            world.lock().sides.insert(account, Side::default());
        }
        world
    }

    /// Looks at the world. Never held across an await.
    pub fn lock(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes something in the history.
    pub fn note(&self, what: impl Into<String>) {
        self.lock().history.push(what.into());
    }
}

/// Both accounts.
pub fn accounts() -> [AccountId; 2] {
    [AccountId(KEYED.to_owned()), AccountId(BLIND.to_owned())]
}

impl World {
    /// One account's side.
    pub fn side(&mut self, account: &AccountId) -> &mut Side {
        self.sides.entry(account.clone()).or_default()
    }
}
