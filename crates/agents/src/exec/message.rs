//! What a command is told on its input: plain words, or one JSON object.
//!
//! Both are bounded: messages are at the door, and of the conversation so far the newest part is told that fits.
//! The shape of the object is documented in docs/agents.md; keys are added, never changed.

use angelia_core::context::day::Day;
use angelia_core::context::variables::{Ambient, Variable};
use angelia_core::limits;
use angelia_core::media::Picture;
use angelia_core::transcript::entry::{Entry, Role};
use serde_json::{Value, json};

use crate::{AgentError, Input};

/// How the message is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// The words of the people alone.
    #[default]
    Text,
    /// One object with everything that is known.
    Json,
}

/// What stands on the command's input.
pub(super) async fn told(form: Form, input: &Input) -> Result<String, AgentError> {
    let mut told = match form {
        Form::Text => words(input),
        Form::Json => object(input, &input.past.conversation().await?).to_string(),
    };
    told.push('\n');
    Ok(told)
}

/// What the people said, and before it what is true for this turn alone.
fn words(input: &Input) -> String {
    let context = &input.context;
    let said = context.said.iter().map(String::as_str);
    let files = attachments(input);
    let files = files.iter().map(|(_, told)| told.as_str());
    let parts = context.note.as_deref().into_iter().chain(said).chain(files);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// The pictures of the messages: as values, and as words that say where each is.
fn attachments(input: &Input) -> Vec<(Value, String)> {
    let pictures = input.messages.iter().flat_map(|message| &message.pictures);
    let told = |picture: &Picture| {
        let path = input.pictures.file(picture)?;
        let value = json!({
            "path": path,
            "type": picture.kind,
            "name": picture.name,
            "bytes": picture.bytes,
        });
        Some((value, format!("{} {}", picture.note(), path.display())))
    };
    pictures.filter_map(told).collect()
}

fn object(input: &Input, past: &[Entry]) -> Value {
    let context = &input.context;
    let known = |variable| {
        let value = context.variables.read(variable, Ambient::Ignored);
        value.filter(|value| !value.is_empty())
    };
    json!({
        "v": 1,
        "text": words(input),
        "messages": context.said,
        "attachments": attachments(input).into_iter().map(|(value, _)| value).collect::<Value>(),
        "date": context.day.as_ref().map(Day::line),
        "note": context.note,
        "context": context.prompt,
        "sender": { "id": known(Variable::UserId), "name": known(Variable::UserName) },
        "session": {
            "key": known(Variable::Key),
            "id": known(Variable::Id),
            "platform": known(Variable::Platform),
            "chat_id": known(Variable::ChatId),
            "chat_name": known(Variable::ChatName),
            "thread_id": known(Variable::ThreadId),
            "message_id": known(Variable::MessageId),
        },
        "conversation": conversation(past),
    })
}

/// The newest words of both sides that fit, oldest first. Rows without words are left out.
fn conversation(past: &[Entry]) -> Vec<Value> {
    let mut room = limits::COMMAND_PAST_BYTES_MAX;
    let mut told = Vec::new();
    for entry in past.iter().rev() {
        let text = entry.in_words();
        if !matches!(entry.role, Role::User | Role::Assistant) || text.is_empty() {
            continue;
        }
        let Some(left) = room.checked_sub(text.len()) else {
            break;
        };
        room = left;
        told.push(json!({ "role": entry.role.as_str(), "text": text }));
    }
    told.reverse();
    told
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
