//! What an agent is told with a prompt besides the words of the people.
//!
//! An agent keeps its own history, so most prompts are nothing but what was said. The first prompt of a
//! history says where the conversation takes place, and what was said before if there was anything. The day, and what
//! is true for one turn alone, stand before its words.

use angelia_core::context::day::Day;
use angelia_core::link::{Before, Memory, Sight};
use angelia_core::media::{Picture, base64};
use angelia_core::transcript::entry::{Entry, Role};
use serde_json::{Value, json};

use crate::Input;
use crate::context::Context;

/// What is told of a conversation that the agent does not know, in letters: its newest part.
const PAST_CHARS_MAX: usize = 24_000;

/// Bytes of the pictures that go along with one prompt: its line is bounded at the other end too.
const PICTURES_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// What an agent is told that takes a prompt up which another process of it left.
const LEFT: &str = "You were stopped in the middle of answering the message below. What you had begun by \
    then may or may not have been done: look before you do anything a second time.";

/// The blocks of a prompt.
pub(super) fn prompt(
    context: &Context,
    past: Option<&[Entry]>,
    (memory, before): (Memory, Before),
) -> Vec<Value> {
    let mut parts = Vec::new();
    if memory == Memory::Ours {
        parts.extend(Some(context.prompt.trim().to_owned()));
        parts.extend(past.and_then(told));
    }
    parts.extend(context.day.as_ref().map(Day::line));
    parts.extend(context.note.clone());
    if before == Before::Left {
        parts.push(LEFT.to_owned());
    }
    parts.retain(|part| !part.is_empty());
    let told = (!parts.is_empty()).then(|| parts.join("\n\n"));
    let said = Some(context.said.join("\n\n")).filter(|said| !said.is_empty());
    let blocks = told.into_iter().chain(said);
    blocks.map(|text| block(&text)).collect()
}

/// The blocks of a prompt that is a command of the agent's own. Agents know it for one by its beginning, so nothing
/// stands before it, unless the agent would do without what it has to be told.
pub(super) fn command(
    command: &str,
    context: &Context,
    past: Option<&[Entry]>,
    (memory, before): (Memory, Before),
) -> Vec<Value> {
    match (memory, before) {
        (Memory::Its, Before::Unasked) => vec![block(command)],
        (Memory::Its | Memory::Ours, _) => {
            let context = Context {
                said: vec![command.to_owned()],
                ..context.clone()
            };
            prompt(&context, past, (memory, before))
        }
    }
}

fn block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// The pictures of the messages, as blocks. Who looks at pictures is given them, as many as fit; every other agent
/// takes links, and reads files of this machine.
pub(super) async fn pictures(input: &Input, sight: Sight) -> Vec<Value> {
    let pictures = input.messages.iter().flat_map(|message| &message.pictures);
    let mut room = PICTURES_BYTES_MAX;
    let mut blocks = Vec::new();
    for picture in pictures {
        let left = room.checked_sub(picture.bytes);
        let shown = match (sight, left) {
            (Sight::Pictures, Some(_)) => shown(input, picture).await,
            (Sight::Pictures, None) | (Sight::Links, _) => None,
        };
        if shown.is_some() {
            room = left.unwrap_or_default();
        }
        blocks.extend(shown.or_else(|| linked(input, picture)));
    }
    blocks
}

/// A picture itself.
async fn shown(input: &Input, picture: &Picture) -> Option<Value> {
    let bytes = input.pictures.look(picture).await?;
    Some(json!({
        "type": "image", "mimeType": picture.kind.media_type(), "data": base64::encode(&bytes),
    }))
}

/// Where a picture is.
fn linked(input: &Input, picture: &Picture) -> Option<Value> {
    let path = input.pictures.file(picture)?;
    let name = picture.name.clone().unwrap_or_else(|| picture.note());
    Some(json!({
        "type": "resource_link",
        "uri": format!("file://{}", path.display()),
        "name": name,
        "mimeType": picture.kind,
        "size": picture.bytes,
    }))
}

/// What was said before, the newest part of it.
fn told(past: &[Entry]) -> Option<String> {
    let mut lines = Vec::new();
    let mut room = PAST_CHARS_MAX;
    for entry in past.iter().rev() {
        let Some(line) = said(entry) else {
            continue;
        };
        let length = line.chars().count();
        if length > room {
            lines.push("(What was said before is left out.)".to_owned());
            break;
        }
        room -= length;
        lines.push(line);
    }
    lines.reverse();
    let all = lines.join("\n\n");
    let before = "This conversation began before you joined it. What was said until now:";
    (!all.is_empty()).then(|| format!("{before}\n\n{all}\n\n(End of what was said before.)"))
}

fn said(entry: &Entry) -> Option<String> {
    let words = entry.in_words();
    let who = match entry.role {
        Role::User => "They",
        Role::Assistant => "You",
        Role::Summary => "Summary",
        Role::System | Role::Tool | Role::Other(_) => return None,
    };
    (!words.trim().is_empty()).then(|| format!("{who}: {}", words.trim()))
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
