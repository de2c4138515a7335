//! What Telegram knows: people, chats with what they show, updates that wait, files.
//!
//! Objects are kept in the shape in which they are told, so that what a bot reads is what stands here. Ids of
//! messages count from one in every chat: the harsher of the two ways in which the real server numbers them.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Bytes;
use serde_json::{Value, json};

use super::call::{Call, Refused};
use super::webhook::Hook;
use super::{BOT_ID, BOT_NAME};

/// The moment of the first message; each later one is a second younger.
const BEGIN: i64 = 1_790_000_000;

/// The first update has some number, never one.
const FIRST_UPDATE: i64 = 880_100;

/// Everything.
pub(super) struct World {
    pub(super) calls: Vec<Call>,
    pub(super) is_revoked: bool,
    pub(super) people: BTreeMap<i64, Value>,
    pub(super) chats: BTreeMap<i64, Chat>,
    pub(super) updates: BTreeMap<i64, Value>,
    pub(super) confirmed: BTreeMap<i64, Value>,
    pub(super) next_update: i64,
    pub(super) poller: u64,
    /// How many pollers were told that there is another.
    pub(super) conflicts: usize,
    pub(super) allowed: Vec<String>,
    pub(super) webhook: Option<Hook>,
    pub(super) files: BTreeMap<String, File>,
    pub(super) pressed: BTreeSet<String>,
    /// Menus by the scope that they are for.
    pub(super) commands: BTreeMap<String, Value>,
    seconds: i64,
}

/// A file that can be fetched.
pub(super) struct File {
    pub(super) path: String,
    pub(super) bytes: Bytes,
}

/// One chat.
pub(super) struct Chat {
    pub(super) object: Value,
    pub(super) messages: BTreeMap<i64, Value>,
    pub(super) next: i64,
    pub(super) topics: BTreeMap<i64, String>,
    pub(super) standing: Standing,
}

/// How the bot stands to a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Standing {
    /// It may write there.
    Welcome,
    /// The person has blocked it.
    Blocked,
    /// It was put out of the group.
    Kicked,
    /// The group is another one by now.
    Moved(i64),
}

/// A message of the bot as a chat shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Its id in the chat.
    pub id: i64,
    /// Its words, without markup, or its caption.
    pub text: String,
    /// The topic that it is in.
    pub thread: Option<i64>,
    /// The message that it answers.
    pub reply_to: Option<i64>,
    /// The whole object.
    pub message: Value,
}

impl Default for World {
    fn default() -> Self {
        Self {
            calls: Vec::new(),
            is_revoked: false,
            people: BTreeMap::new(),
            chats: BTreeMap::new(),
            updates: BTreeMap::new(),
            confirmed: BTreeMap::new(),
            next_update: FIRST_UPDATE,
            poller: 0,
            conflicts: 0,
            allowed: Vec::new(),
            webhook: None,
            files: BTreeMap::new(),
            pressed: BTreeSet::new(),
            commands: BTreeMap::new(),
            seconds: 0,
        }
    }
}

/// The bot as others see it.
pub(super) fn bot() -> Value {
    json!({ "id": BOT_ID, "is_bot": true, "first_name": "Angelia", "username": BOT_NAME })
}

impl World {
    /// The next moment.
    pub(super) fn tick(&mut self) -> i64 {
        self.seconds += 1;
        BEGIN + self.seconds
    }

    /// The chat if the bot may write there.
    pub(super) fn open(&mut self, chat: i64) -> Result<&mut Chat, Refused> {
        let Some(found) = self.chats.get_mut(&chat) else {
            return Err(Refused::bad("chat not found"));
        };
        match found.standing {
            Standing::Welcome => Ok(found),
            Standing::Blocked => Err(Refused::new(403, "Forbidden: bot was blocked by the user")),
            Standing::Kicked => {
                let kind = found.object["type"].as_str().unwrap_or("group");
                let words = format!("Forbidden: bot was kicked from the {kind} chat");
                Err(Refused::new(403, words))
            }
            Standing::Moved(to) => {
                let refused = Refused::bad("group chat was upgraded to a supergroup chat");
                Err(refused.with("migrate_to_chat_id", to))
            }
        }
    }

    /// Puts a new message into a chat and returns it whole. The chat must be there.
    pub(super) fn put(&mut self, chat: i64, mut message: Value) -> Value {
        let date = self.tick();
        let Some(place) = self.chats.get_mut(&chat) else {
            return message;
        };
        let id = place.next;
        place.next += 1;
        message["message_id"] = json!(id);
        message["date"] = json!(date);
        message["chat"] = place.object.clone();
        place.messages.insert(id, message.clone());
        message
    }

    pub(super) fn shown(&self, chat: i64) -> Vec<Shown> {
        let Some(chat) = self.chats.get(&chat) else {
            return Vec::new();
        };
        let of_bot = |message: &&Value| message["from"]["id"] == json!(BOT_ID);
        let shown = chat.messages.values().filter(of_bot);
        shown.map(Shown::of).collect()
    }

    pub(super) fn waiting(&self) -> usize {
        self.updates.len()
    }
}

impl Chat {
    pub(super) fn new(object: Value) -> Self {
        Self {
            object,
            messages: BTreeMap::new(),
            next: 1,
            topics: BTreeMap::new(),
            standing: Standing::Welcome,
        }
    }
}

impl Shown {
    fn of(message: &Value) -> Self {
        let words = message["text"].as_str();
        let words = words.or_else(|| message["caption"].as_str());
        Self {
            id: message["message_id"].as_i64().unwrap_or_default(),
            text: words.unwrap_or_default().to_owned(),
            thread: message["message_thread_id"].as_i64(),
            reply_to: message["reply_to_message"]["message_id"].as_i64(),
            message: message.clone(),
        }
    }
}
