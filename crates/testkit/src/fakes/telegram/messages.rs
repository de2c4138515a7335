//! What happens to messages that are there, and the small calls besides.

use serde_json::{Value, json};

use super::call::{Call, Refused};
use super::sending::{self, put_words};
use super::{BOT_ID, Desk};

/// `editMessageText`.
pub(super) fn edit(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let mut world = desk.world();
    let chat = sending::chat(call)?;
    world.open(chat)?;
    let marked = sending::words(call, "text", "entities")?;
    let markup = sending::buttons(call)?;
    let date = world.tick();
    let place = world.open(chat)?;
    let id = call.number("message_id").unwrap_or_default();
    let found = place.messages.get_mut(&id);
    let found = found.ok_or_else(|| Refused::bad("message to edit not found"))?;
    if found["from"]["id"] != json!(BOT_ID) {
        return Err(Refused::bad("message can't be edited"));
    }
    let mut edited = found.clone();
    put_words(&mut edited, "text", "entities", marked);
    put_markup(&mut edited, markup);
    if edited == *found {
        return Err(Refused::bad(
            "message is not modified: specified new message content and reply markup are exactly the same \
             as a current content and reply markup of the message",
        ));
    }
    edited["edit_date"] = json!(date);
    *found = edited.clone();
    Ok(edited)
}

/// `editMessageReplyMarkup`.
pub(super) fn edit_markup(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let mut world = desk.world();
    let markup = sending::buttons(call)?;
    let place = world.open(sending::chat(call)?)?;
    let id = call.number("message_id").unwrap_or_default();
    let found = place.messages.get_mut(&id);
    let found = found.ok_or_else(|| Refused::bad("message to edit not found"))?;
    put_markup(found, markup);
    Ok(found.clone())
}

fn put_markup(message: &mut Value, markup: Option<Value>) {
    let Some(fields) = message.as_object_mut() else {
        return;
    };
    match markup {
        Some(markup) => fields.insert("reply_markup".to_owned(), markup),
        None => fields.remove("reply_markup"),
    };
}

/// What the buttons below a message say.
pub(super) fn buttons(message: &Value) -> Vec<String> {
    let rows = message["reply_markup"]["inline_keyboard"].as_array();
    let keys = rows
        .into_iter()
        .flatten()
        .filter_map(Value::as_array)
        .flatten();
    let says = keys.filter_map(|key| key["callback_data"].as_str());
    says.map(str::to_owned).collect()
}

/// `deleteMessage`.
pub(super) fn delete(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let mut world = desk.world();
    let place = world.open(sending::chat(call)?)?;
    let id = call.number("message_id").unwrap_or_default();
    match place.messages.remove(&id) {
        Some(_) => Ok(json!(true)),
        None => Err(Refused::bad("message to delete not found")),
    }
}

/// `sendChatAction`.
pub(super) fn action(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    desk.world().open(sending::chat(call)?)?;
    let known = [
        "typing",
        "upload_photo",
        "upload_document",
        "record_voice",
        "upload_voice",
    ];
    let action = call.text("action").unwrap_or_default();
    if !known.contains(&action.as_str()) {
        return Err(Refused::bad("wrong parameter action in request"));
    }
    Ok(json!(true))
}

/// `setMessageReaction`.
pub(super) fn react(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let mut world = desk.world();
    let place = world.open(sending::chat(call)?)?;
    let id = call.number("message_id").unwrap_or_default();
    let found = place.messages.get_mut(&id);
    let found = found.ok_or_else(|| Refused::bad("message to react not found"))?;
    // No field of the real object: what the bot's reaction is now, for tests.
    found["reaction"] = call.object("reaction").unwrap_or_else(|| json!([]));
    Ok(json!(true))
}

/// `answerCallbackQuery`: once for each press.
pub(super) fn answer(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let id = call.text("callback_query_id").unwrap_or_default();
    if desk.world().pressed.remove(&id) {
        Ok(json!(true))
    } else {
        Err(Refused::bad(
            "query is too old and response timeout expired or query ID is invalid",
        ))
    }
}

/// `createForumTopic`.
pub(super) fn topic(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let mut world = desk.world();
    let name = call.text("name").unwrap_or_default();
    let place = world.open(sending::chat(call)?)?;
    if place.object["is_forum"] != json!(true) {
        return Err(Refused::bad("the chat is not a forum"));
    }
    if name.is_empty() {
        return Err(Refused::bad("TOPIC_NAME_INVALID"));
    }
    // The first number is that of the general topic.
    let thread = place.next.max(2);
    place.next = thread + 1;
    place.topics.insert(thread, name.clone());
    Ok(json!({ "message_thread_id": thread, "name": name, "icon_color": 7_322_096 }))
}

/// `getChat`.
pub(super) fn chat(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let mut world = desk.world();
    let place = world.open(sending::chat(call)?)?;
    let mut object = place.object.clone();
    object["accent_color_id"] = json!(0);
    object["max_reaction_count"] = json!(11);
    object["accepted_gift_types"] = json!({
        "unlimited_gifts": true, "limited_gifts": true, "unique_gifts": true,
        "premium_subscription": true, "gifts_from_channels": true,
    });
    Ok(object)
}

/// `setMyCommands`.
pub(super) fn set_commands(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let commands = call.object("commands").unwrap_or_else(|| json!([]));
    let list = commands.as_array().cloned().unwrap_or_default();
    let fits = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '_';
    let is_one = |command: &Value| {
        let name = command["command"].as_str().unwrap_or_default();
        let says = command["description"].as_str().unwrap_or_default();
        (1..=32).contains(&name.len())
            && name.chars().all(fits)
            && (1..=256).contains(&says.chars().count())
    };
    if list.len() > 100 {
        return Err(Refused::bad("BOT_COMMANDS_TOO_MUCH"));
    }
    if !list.iter().all(is_one) {
        return Err(Refused::bad("BOT_COMMAND_INVALID"));
    }
    let scope = scope(desk, call)?;
    desk.world().commands.insert(scope, commands);
    Ok(json!(true))
}

/// `getMyCommands`: those of exactly this scope.
pub(super) fn commands(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let scope = scope(desk, call)?;
    let found = desk.world().commands.get(&scope).cloned();
    Ok(found.unwrap_or_else(|| json!([])))
}

/// `deleteMyCommands`.
pub(super) fn delete_commands(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let scope = scope(desk, call)?;
    desk.world().commands.remove(&scope);
    Ok(json!(true))
}

/// The scope of a menu, by a name. One chat must be there.
fn scope(desk: &Desk, call: &Call) -> Result<String, Refused> {
    let scope = call
        .object("scope")
        .unwrap_or_else(|| json!({ "type": "default" }));
    let kind = scope["type"].as_str().unwrap_or_default();
    match kind {
        "default" | "all_private_chats" | "all_group_chats" | "all_chat_administrators" => {
            Ok(kind.to_owned())
        }
        "chat" | "chat_administrators" => {
            let written = &scope["chat_id"];
            let id = written.as_i64();
            let id = id
                .or_else(|| written.as_str()?.parse().ok())
                .unwrap_or_default();
            desk.world().open(id)?;
            Ok(format!("{kind} {id}"))
        }
        _ => Err(Refused::bad(
            "can't parse BotCommandScope: unsupported type specified",
        )),
    }
}
