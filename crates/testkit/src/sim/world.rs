//! The made-up chat world: who wrote what, what the platform still keeps, and what people see.
//!
//! It outlives every node, as a real platform does. It knows nothing of rows; the checkers compare it
//! with them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, Moved, Person, Platform};
use angelia_core::id::DeliveryId;
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::media::attached::{Attached, Sort};
use angelia_platforms::sink::Event;
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
    /// Its chat, by the id that it had first.
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

    /// As the gateway sees it, from the chat with this id.
    fn inbound(&self, chat: String) -> Inbound {
        Inbound {
            address: Address {
                platform: platform(&self.account),
                account: self.account.clone(),
                chat: Chat {
                    id: chat,
                    kind: marks::kind(&self.chat),
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
    /// Where: the chat by the id that it had first.
    pub chat: String,
    /// The id that the gateway knew it by.
    pub id: String,
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
    /// It stayed where its chat was before it became another: people may read it, and nobody can change it any more.
    Behind,
}

impl Shown {
    /// Whether it can be reached.
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
    /// Groups that have become others, each with the number under which that was told.
    pub moves: BTreeMap<String, u64>,
}

impl Side {
    /// What the gateway is told of something that was written: what stands there, or that the chat has another id now.
    /// What was written before that comes from where the chat was then, however late it comes.
    pub fn event(&self, written: &Written) -> Event {
        let chat = &written.chat;
        let moved = self.moves.get(chat);
        let id = match moved {
            Some(moved) if *moved < written.number => marks::became(chat),
            Some(_) | None => chat.clone(),
        };
        if moved == Some(&written.number) {
            return Event::Moved(Moved {
                from: chat.clone(),
                to: marks::became(chat),
            });
        }
        Event::Message(Box::new(written.inbound(id)))
    }

    /// Whether a message was written where its chat is now.
    pub fn is_there(&self, written: &Written) -> bool {
        let moved = self.moves.get(&written.chat);
        moved.is_some_and(|moved| *moved < written.number)
    }

    /// Whether a number tells that a chat has become another, and nothing else.
    pub fn is_move(&self, number: u64) -> bool {
        self.moves.values().any(|moved| *moved == number)
    }
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
    /// Chats in which many write at once.
    pub crowded: BTreeSet<(AccountId, String)>,
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

    /// A group becomes another one, once; what is written from now on comes from there.
    pub fn becomes(&self, account: &AccountId, chat: &str) {
        if self.lock().side(account).moves.contains_key(chat) {
            return;
        }
        let number = self.write(Written {
            account: account.clone(),
            chat: chat.to_owned(),
            number: 0,
            command: Some(format!("({chat} becomes another)")),
        });
        let mut world = self.lock();
        let side = world.side(account);
        side.moves.insert(chat.to_owned(), number);
        let here = side.shown.iter_mut().filter(|one| one.chat == chat);
        here.filter(|one| one.is_there())
            .for_each(|one| one.there = There::Behind);
    }

    /// Many people write in one chat. Whoever answers there next takes their time.
    pub fn crowds(&self, written: &Written, many: u64) {
        for _ in 0..many {
            self.write(written.clone());
        }
        let here = (written.account.clone(), written.chat.clone());
        self.lock().crowded.insert(here);
    }

    /// Whether to take one's time in this chat, because many write there now. Said once.
    pub fn is_crowded(&self, address: &Address) -> bool {
        let chat = marks::origin(&address.chat.id).to_owned();
        let here = (address.account.clone(), chat);
        self.lock().crowded.remove(&here)
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
