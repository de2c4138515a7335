//! The methods by their names.

use serde_json::{Value, json};

use super::call::{Call, Refused};
use super::world::bot;
use super::{Desk, files, messages, sending, updates, webhook};

/// Does what a call asks for.
pub(super) async fn perform(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    match call.method.to_lowercase().as_str() {
        "getupdates" => updates::get(desk, call).await,
        "getme" => Ok(me()),
        "logout" | "close" => Ok(json!(true)),
        "setwebhook" => webhook::set(desk, call),
        "deletewebhook" => Ok(webhook::delete(desk, call)),
        "getwebhookinfo" => Ok(webhook::info(desk)),
        "getfile" => files::get(desk, call),
        "sendmessage" => sending::text(desk, call),
        "sendphoto" => sending::file(desk, call, "photo"),
        "senddocument" => sending::file(desk, call, "document"),
        "sendvoice" => sending::file(desk, call, "voice"),
        "sendaudio" => sending::file(desk, call, "audio"),
        "sendvideo" => sending::file(desk, call, "video"),
        "sendanimation" => sending::file(desk, call, "animation"),
        "sendmediagroup" => sending::album(desk, call),
        "sendchataction" => messages::action(desk, call),
        "editmessagetext" => messages::edit(desk, call),
        "editmessagereplymarkup" => messages::edit_markup(desk, call),
        "deletemessage" => messages::delete(desk, call),
        "setmessagereaction" => messages::react(desk, call),
        "answercallbackquery" => messages::answer(desk, call),
        "createforumtopic" => messages::topic(desk, call),
        "getchat" => messages::chat(desk, call),
        "setmycommands" => messages::set_commands(desk, call),
        "getmycommands" => messages::commands(desk, call),
        "deletemycommands" => messages::delete_commands(desk, call),
        _ => Err(Refused::new(404, "Not Found: method not found")),
    }
}

fn me() -> Value {
    let mut me = bot();
    for (name, value) in [
        ("can_join_groups", true),
        ("can_read_all_group_messages", false),
        ("supports_inline_queries", false),
        ("can_connect_to_business", false),
        ("has_main_web_app", false),
    ] {
        me[name] = json!(value);
    }
    me
}
