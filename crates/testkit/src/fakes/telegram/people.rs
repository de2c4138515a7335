//! What people do: they write, correct, press buttons, block, put out, and turn groups into others.
//!
//! All of it becomes updates, as far as the bot is told of such things.

use serde_json::{Value, json};

use super::world::{Chat, Standing, World};
use super::{Desk, FakeTelegram, updates, webhook};

/// Where somebody writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Who.
    pub person: i64,
    /// In which chat; a private chat has the id of its person.
    pub chat: i64,
    /// In which topic.
    pub thread: Option<i64>,
}

impl Place {
    /// The private chat with somebody.
    pub fn dm(person: i64) -> Self {
        Self {
            person,
            chat: person,
            thread: None,
        }
    }

    /// Somebody in a group.
    pub fn group(person: i64, chat: i64) -> Self {
        Self {
            person,
            chat,
            thread: None,
        }
    }

    /// The same in a topic.
    pub fn topic(self, thread: i64) -> Self {
        Self {
            thread: Some(thread),
            ..self
        }
    }
}

/// A message besides where it is written.
#[derive(Debug, Clone, Default)]
pub struct Words {
    fields: serde_json::Map<String, Value>,
    reply_to: Option<i64>,
}

impl Words {
    /// A text, with the commands and mentions in it marked as Telegram marks them.
    pub fn text(text: &str) -> Self {
        let words = Self::default().with("text", json!(text));
        match marks(text) {
            marks if marks.is_empty() => words,
            marks => words.with("entities", json!(marks)),
        }
    }

    /// With a field of the message besides.
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.fields.insert(name.to_owned(), value);
        self
    }

    /// As an answer to a message of the same chat.
    pub fn reply_to(self, message: i64) -> Self {
        Self {
            reply_to: Some(message),
            ..self
        }
    }
}

/// Where commands and mentions stand, in UTF-16 units.
fn marks(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut units = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let length = bare.encode_utf16().count();
        let kind = match bare.chars().next() {
            Some('/') if length > 1 => Some("bot_command"),
            Some('@') if length > 4 => Some("mention"),
            Some(_) | None => None,
        };
        if let Some(kind) = kind {
            found.push(json!({ "type": kind, "offset": units, "length": length }));
        }
        units += word.encode_utf16().count();
    }
    found
}

impl FakeTelegram {
    /// Somebody who has opened the bot, and the private chat with them.
    pub fn meets(&self, person: i64, name: &str) {
        let mut world = self.desk.world();
        let user = json!({ "id": person, "is_bot": false, "first_name": name });
        world.people.insert(person, user);
        let chat = json!({ "id": person, "type": "private", "first_name": name });
        world.chats.entry(person).or_insert_with(|| Chat::new(chat));
    }

    /// A group that the bot is in. `kind` is `group` or `supergroup`.
    pub fn group(&self, chat: i64, kind: &str, title: &str) {
        let object = json!({ "id": chat, "type": kind, "title": title });
        self.desk.world().chats.insert(chat, Chat::new(object));
    }

    /// A topic of a group.
    pub fn topic(&self, chat: i64, thread: i64, name: &str) {
        let mut world = self.desk.world();
        if let Some(chat) = world.chats.get_mut(&chat) {
            chat.object["is_forum"] = json!(true);
            chat.topics.insert(thread, name.to_owned());
            chat.next = chat.next.max(thread + 1);
        }
    }

    /// Somebody writes a text. Returns the message's id in its chat.
    pub fn says(&self, place: Place, text: &str) -> i64 {
        self.writes(place, Words::text(text))
    }

    /// Somebody writes anything. Returns the message's id in its chat.
    pub fn writes(&self, place: Place, words: Words) -> i64 {
        self.written(place, words).0
    }

    /// Somebody writes a text. Returns the message's id in its chat, and the number of the update.
    pub fn writes_numbered(&self, place: Place, text: &str) -> (i64, i64) {
        self.written(place, Words::text(text))
    }

    fn written(&self, place: Place, words: Words) -> (i64, i64) {
        let message = self.desk.world().written(place, words);
        let id = message["message_id"].as_i64().unwrap_or_default();
        (id, self.pushes("message", message))
    }

    /// Somebody corrects what they wrote.
    pub fn corrects(&self, chat: i64, message: i64, text: &str) {
        let corrected = {
            let mut world = self.desk.world();
            let date = world.tick();
            let found = world.chats.get_mut(&chat);
            let found = found.and_then(|chat| chat.messages.get_mut(&message));
            found.map(|found| {
                found["text"] = json!(text);
                found["edit_date"] = json!(date);
                found.clone()
            })
        };
        if let Some(corrected) = corrected {
            self.pushes("edited_message", corrected);
        }
    }

    /// Somebody presses a button below a message of the bot. Returns the id of the query.
    pub fn presses(&self, place: Place, message: i64, data: &str) -> String {
        let (id, query) = {
            let mut world = self.desk.world();
            let id = format!("q{}", world.tick());
            world.pressed.insert(id.clone());
            let chat = world.chats.get(&place.chat);
            let shown = chat.and_then(|chat| chat.messages.get(&message)).cloned();
            let query = json!({
                "id": id,
                "from": world.people.get(&place.person).cloned(),
                "chat_instance": place.chat.to_string(),
                "message": shown,
                "data": data,
            });
            (id, query)
        };
        self.pushes("callback_query", query);
        id
    }

    /// Any update, whole but for its number. Returns the number.
    pub fn pushes(&self, kind: &str, body: Value) -> i64 {
        let number = self.desk.world().push(kind, body);
        self.told(number);
        number
    }

    /// Sends an update once more although it was confirmed, as the real server does now and then.
    pub fn repeats(&self, update: i64) {
        let mut world = self.desk.world();
        if let Some(again) = world.confirmed.get(&update).cloned() {
            world.updates.insert(update, again);
        }
        drop(world);
        self.told(update);
    }

    /// The person blocks the bot, or lets it in again.
    pub fn blocks(&self, person: i64) {
        self.stands(person, Standing::Blocked);
    }

    /// The group puts the bot out.
    pub fn kicks(&self, chat: i64) {
        self.stands(chat, Standing::Kicked);
    }

    /// The person or the group has the bot again.
    pub fn welcomes(&self, chat: i64) {
        self.stands(chat, Standing::Welcome);
    }

    /// A group becomes a supergroup with another id; the bot is told in both.
    pub fn becomes(&self, old: i64, new: i64, person: i64) {
        let title = {
            let world = self.desk.world();
            let chat = world.chats.get(&old);
            chat.map(|chat| chat.object["title"].clone())
                .unwrap_or_default()
        };
        self.group(new, "supergroup", title.as_str().unwrap_or_default());
        let moved = Words::default().with("migrate_to_chat_id", json!(new));
        self.writes(Place::group(person, old), moved);
        self.stands(old, Standing::Moved(new));
        let came = Words::default().with("migrate_from_chat_id", json!(old));
        self.writes(Place::group(person, new), came);
    }

    fn stands(&self, chat: i64, standing: Standing) {
        if let Some(chat) = self.desk.world().chats.get_mut(&chat) {
            chat.standing = standing;
        }
    }

    fn told(&self, number: i64) {
        told(&self.desk, number);
    }
}

/// Wakes the poller, or pushes the update where a webhook is set.
fn told(desk: &Desk, number: i64) {
    desk.bell.notify_waiters();
    webhook::push(desk, number);
}

impl World {
    fn written(&mut self, place: Place, words: Words) -> Value {
        let mut message = Value::Object(words.fields);
        message["from"] = self.people.get(&place.person).cloned().unwrap_or_default();
        if let Some(thread) = place.thread {
            message["message_thread_id"] = json!(thread);
            message["is_topic_message"] = json!(true);
        }
        if let Some(id) = words.reply_to {
            let chat = self.chats.get(&place.chat);
            let answered = chat.and_then(|chat| chat.messages.get(&id)).cloned();
            message["reply_to_message"] = answered.unwrap_or_default();
        }
        self.put(place.chat, message)
    }

    fn push(&mut self, kind: &str, body: Value) -> i64 {
        let number = self.next_update;
        self.next_update += 1;
        if updates::is_allowed(&self.allowed, kind) {
            let update = json!({ "update_id": number, kind: body });
            self.updates.insert(number, update);
        }
        number
    }
}
