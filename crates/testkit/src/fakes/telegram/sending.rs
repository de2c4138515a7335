//! What makes new messages: texts, files, albums.
//!
//! The checks stand in the order of the real server: the chat, the words, the topic, the message that is
//! answered, the buttons.

use serde_json::{Value, json};

use super::Desk;
use super::call::{Call, Refused};
use super::files;
use super::markup::{self, Marked};
use super::world::{Chat, World, bot};

/// UTF-16 units of a message and of a caption.
pub(super) const TEXT_UNITS_MAX: usize = 4096;
const CAPTION_UNITS_MAX: usize = 1024;

/// Bytes of what a button says to the bot.
const DATA_BYTES_MAX: usize = 64;

/// `sendMessage`.
pub(super) fn text(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let mut world = desk.world();
    let chat = chat(call)?;
    world.open(chat)?;
    let marked = words(call, "text", "entities")?;
    let mut message = begin(&mut world, chat, call)?;
    put_words(&mut message, "text", "entities", marked);
    Ok(world.put(chat, message))
}

/// `sendPhoto` and its like.
pub(super) fn file(desk: &Desk, call: &Call, kind: &str) -> Result<Value, Refused> {
    let mut world = desk.world();
    let chat = chat(call)?;
    world.open(chat)?;
    let media = files::given(&mut world, call, kind, kind)?;
    let marked = caption(call)?;
    let mut message = begin(&mut world, chat, call)?;
    message[kind] = media;
    if let Some(marked) = marked {
        put_words(&mut message, "caption", "caption_entities", marked);
    }
    Ok(world.put(chat, message))
}

/// `sendMediaGroup`.
pub(super) fn album(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let mut world = desk.world();
    let chat = chat(call)?;
    world.open(chat)?;
    let list = call.object("media");
    let list = list.as_ref().and_then(Value::as_array);
    let list = list.ok_or_else(|| Refused::bad("media must be an Array of InputMedia"))?;
    if !(2..=10).contains(&list.len()) {
        return Err(Refused::bad(
            "there must be from 2 to 10 messages to send in an album",
        ));
    }
    let group = world.tick().to_string();
    let mut sent = Vec::new();
    for item in list {
        let kind = item["type"].as_str().unwrap_or("document");
        let place = item["media"].as_str().unwrap_or_default();
        let part = place.strip_prefix("attach://").unwrap_or(place);
        let media = files::given(&mut world, call, part, kind)?;
        let mut message = begin(&mut world, chat, call)?;
        message[kind] = media;
        message["media_group_id"] = json!(group);
        if let Some(caption) = item["caption"].as_str() {
            message["caption"] = json!(caption);
        }
        sent.push(world.put(chat, message));
    }
    Ok(json!(sent))
}

/// The chat that a call names.
pub(super) fn chat(call: &Call) -> Result<i64, Refused> {
    match call.text("chat_id") {
        None => Err(Refused::bad("chat_id is empty")),
        Some(_) => call
            .number("chat_id")
            .ok_or_else(|| Refused::bad("chat not found")),
    }
}

/// The words of a call, with their markup read.
pub(super) fn words(call: &Call, name: &str, entities: &str) -> Result<Marked, Refused> {
    let text = call.text(name).unwrap_or_default();
    let marked = match call.text("parse_mode") {
        Some(mode) => markup::read(&text, &mode)?,
        None => {
            let given = call.object(entities);
            let given = given.as_ref().and_then(Value::as_array).cloned();
            Marked {
                text,
                entities: given.unwrap_or_default(),
            }
        }
    };
    if marked.text.trim().is_empty() {
        return Err(Refused::bad("message text is empty"));
    }
    if marked.units() > TEXT_UNITS_MAX {
        return Err(Refused::bad("message is too long"));
    }
    Ok(marked)
}

fn caption(call: &Call) -> Result<Option<Marked>, Refused> {
    let Some(text) = call.text("caption").filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let marked = match call.text("parse_mode") {
        Some(mode) => markup::read(&text, &mode)?,
        None => Marked {
            text,
            entities: Vec::new(),
        },
    };
    if marked.units() > CAPTION_UNITS_MAX {
        return Err(Refused::bad("message caption is too long"));
    }
    Ok(Some(marked))
}

pub(super) fn put_words(message: &mut Value, text: &str, entities: &str, marked: Marked) {
    message[text] = json!(marked.text);
    if let Some(fields) = message.as_object_mut() {
        fields.remove(entities);
    }
    if !marked.entities.is_empty() {
        message[entities] = json!(marked.entities);
    }
}

/// A message of the bot before its content: topic, answer and buttons.
fn begin(world: &mut World, chat: i64, call: &Call) -> Result<Value, Refused> {
    let place = world.open(chat)?;
    let mut message = json!({ "from": bot() });
    if let Some(thread) = call.number("message_thread_id") {
        in_topic(place, thread, &mut message)?;
    }
    if let Some(answered) = answered(place, call)? {
        message["reply_to_message"] = answered;
    }
    if let Some(markup) = buttons(call)? {
        message["reply_markup"] = markup;
    }
    Ok(message)
}

fn in_topic(place: &Chat, thread: i64, message: &mut Value) -> Result<(), Refused> {
    // The general topic has no number of its own, and private chats have topics without a list.
    let is_private = place.object["type"] == json!("private");
    if !is_private && (thread == 1 || !place.topics.contains_key(&thread)) {
        return Err(Refused::bad("message thread not found"));
    }
    message["message_thread_id"] = json!(thread);
    message["is_topic_message"] = json!(true);
    Ok(())
}

/// The message that is answered.
fn answered(place: &Chat, call: &Call) -> Result<Option<Value>, Refused> {
    let new = call.object("reply_parameters");
    let id = match &new {
        Some(new) => new["message_id"].as_i64(),
        None => call.number("reply_to_message_id"),
    };
    let Some(id) = id else { return Ok(None) };
    let is_needed = match &new {
        Some(new) => new["allow_sending_without_reply"] != json!(true),
        None => !call.flag("allow_sending_without_reply"),
    };
    match place.messages.get(&id) {
        Some(found) => {
            let mut found = found.clone();
            if let Some(fields) = found.as_object_mut() {
                fields.remove("reply_to_message");
            }
            Ok(Some(found))
        }
        None if is_needed => Err(Refused::bad("message to be replied not found")),
        None => Ok(None),
    }
}

/// The buttons of a call.
pub(super) fn buttons(call: &Call) -> Result<Option<Value>, Refused> {
    let Some(markup) = call.object("reply_markup") else {
        return Ok(None);
    };
    let Some(rows) = markup["inline_keyboard"].as_array() else {
        return Ok(None);
    };
    for button in rows.iter().filter_map(Value::as_array).flatten() {
        if button["text"].as_str().unwrap_or_default().is_empty() {
            return Err(Refused::bad(
                "text buttons are unallowed in the inline keyboard",
            ));
        }
        let data = button["callback_data"].as_str();
        if data.is_some_and(|data| !(1..=DATA_BYTES_MAX).contains(&data.len())) {
            return Err(Refused::bad("BUTTON_DATA_INVALID"));
        }
    }
    Ok(Some(markup))
}
