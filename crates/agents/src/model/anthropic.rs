//! The wire of Anthropic's messages.
//!
//! Its turns alternate strictly, tool results are said by the user, and blocks of thoughts go back with
//! their seals as they came. Three places are marked for the server's cache: the end of what never changes
//! (tools and system words), the end of what was said before the turn, and the end of the conversation so
//! far. The second one is found again by the next turn, whatever this one was told for itself alone.

use angelia_core::transcript::entry::{Content, Entry, Role, ToolCall};
use serde_json::{Map, Value, json};

use super::album::{self, Album};
use super::request::{Body, Request, Tool};
use super::spoken::{Answer, CallPiece, Spoken, Stop, Thought, Used};
use crate::tools::set::Schema;

/// Behind the base address.
pub(super) const PATH: &str = "messages";

/// The version of the wire that is spoken here.
pub(super) const VERSION: &str = "2023-06-01";

/// Where a transcript keeps what goes back as it came.
pub(super) const BLOCKS: &str = "anthropic_thinking";

/// The body of a call.
pub(super) fn body<'a>(request: &Request<'a>) -> Body<'a> {
    let shaped = json!({
        "model": request.model,
        "max_tokens": request.answer_tokens,
        "stream": true,
        "system": [{ "type": "text", "text": request.system, "cache_control": cached() }],
        "messages": messages(request),
    });
    Body {
        shaped,
        tools: request.tools.iter().map(tool).collect(),
    }
}

fn cached() -> Value {
    json!({ "type": "ephemeral" })
}

fn tool(tool: &Schema) -> Tool<'_> {
    Tool::Anthropic {
        name: &tool.name,
        description: &tool.description,
        input_schema: &tool.parameters,
    }
}

/// Neighbours that speak with one voice become one message, since turns must alternate.
fn messages(request: &Request<'_>) -> Vec<Value> {
    let mut turns: Vec<(&'static str, Vec<Value>)> = Vec::new();
    for (place, entry) in (1..).zip(request.messages) {
        let (role, mut blocks) = (voice(&entry.role), blocks(entry, request.album));
        if place == request.earlier {
            mark(&mut blocks);
        }
        match turns.last_mut() {
            Some((last, said)) if *last == role => said.extend(blocks),
            Some(_) | None => turns.push((role, blocks)),
        }
    }
    turns.retain(|(_, blocks)| !blocks.is_empty());
    if let Some((_, blocks)) = turns.last_mut() {
        mark(blocks);
    }
    let shape = |(role, content)| json!({ "role": role, "content": Value::Array(content) });
    turns.into_iter().map(shape).collect()
}

/// Marks the last block. Thoughts cannot be marked.
fn mark(blocks: &mut [Value]) {
    let may = |block: &&mut Value| {
        !matches!(
            block["type"].as_str(),
            Some("thinking" | "redacted_thinking")
        )
    };
    if let Some(last) = blocks.last_mut().filter(may) {
        last["cache_control"] = cached();
    }
}

fn voice(role: &Role) -> &'static str {
    match role {
        Role::Assistant => "assistant",
        Role::System | Role::User | Role::Tool | Role::Summary | Role::Other(_) => "user",
    }
}

fn blocks(entry: &Entry, album: &Album) -> Vec<Value> {
    if entry.role == Role::Tool {
        return vec![result(entry, album)];
    }
    let thoughts = entry.continuation.get(BLOCKS).and_then(Value::as_array);
    let mut blocks: Vec<Value> = thoughts.cloned().unwrap_or_default();
    blocks.extend(pictures(entry, album));
    blocks.extend(content(&entry.content));
    blocks.extend(entry.tool_calls.iter().filter_map(tool_use));
    blocks
}

/// The pictures of a row: they stand before its words, as those who made the wire advise.
fn pictures(entry: &Entry, album: &Album) -> impl Iterator<Item = Value> {
    album::once(entry).map(|picture| match album.data(picture) {
        Some(data) => {
            let media_type = picture.kind.media_type();
            let source = json!({ "type": "base64", "media_type": media_type, "data": data });
            json!({ "type": "image", "source": source })
        }
        None => json!({ "type": "text", "text": album::unseen(picture) }),
    })
}

fn result(entry: &Entry, album: &Album) -> Value {
    let id = entry.tool_call_id.as_deref().unwrap_or_default();
    let mut said = content(&entry.content);
    said.extend(pictures(entry, album));
    json!({ "type": "tool_result", "tool_use_id": id, "content": said })
}

/// Blocks of a row's content. An empty text is no block: the wire refuses it.
fn content(content: &Content) -> Vec<Value> {
    match content {
        Content::Nothing => Vec::new(),
        Content::Text(text) if text.trim().is_empty() => Vec::new(),
        Content::Text(text) => vec![json!({ "type": "text", "text": text })],
        Content::Structured(Value::Array(parts)) => parts.iter().filter_map(part).collect(),
        Content::Structured(other) => vec![json!({ "type": "text", "text": other.to_string() })],
    }
}

fn part(part: &Value) -> Option<Value> {
    match part["type"].as_str() {
        Some("text") => {
            let text = part["text"]
                .as_str()
                .filter(|text| !text.trim().is_empty())?;
            Some(json!({ "type": "text", "text": text }))
        }
        Some("image_url") => image(part["image_url"]["url"].as_str()?),
        Some(_) | None => Some(part.clone()),
    }
}

/// A picture in the other wire's shape: data in the address, or an address.
fn image(url: &str) -> Option<Value> {
    let source = match url.strip_prefix("data:") {
        Some(data) => {
            let (media_type, data) = data.split_once(";base64,")?;
            json!({ "type": "base64", "media_type": media_type, "data": data })
        }
        None => json!({ "type": "url", "url": url }),
    };
    Some(json!({ "type": "image", "source": source }))
}

fn tool_use(call: &ToolCall) -> Option<Value> {
    let (id, name) = (call.id()?, call.name()?);
    let input = call.arguments();
    Some(json!({ "type": "tool_use", "id": id, "name": name, "input": input }))
}

/// What this wire wants back with the next call.
pub(super) fn continuation(answer: &Answer) -> Map<String, Value> {
    let blocks: Vec<Value> = answer.thoughts.iter().filter_map(thought).collect();
    let mut kept = Map::new();
    if !blocks.is_empty() {
        kept.insert(BLOCKS.to_owned(), Value::Array(blocks));
    }
    kept
}

/// Thoughts without a seal are not taken back.
fn thought(thought: &Thought) -> Option<Value> {
    match thought {
        Thought::Opaque(block) => Some(block.clone()),
        Thought::Words { text, seal } => {
            let seal = seal.as_ref()?;
            Some(json!({ "type": "thinking", "thinking": text, "signature": seal }))
        }
    }
}

/// What one record says.
pub(super) fn read(record: &str) -> Vec<Spoken> {
    let Ok(event) = serde_json::from_str::<Value>(record) else {
        return Vec::new();
    };
    if let Some(why) = super::failure::words_of(&event) {
        return vec![Spoken::Failed(why)];
    }
    let at = event["index"].as_u64().unwrap_or(0);
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    match event["type"].as_str() {
        Some("message_start") => used(&event["message"]["usage"]).into_iter().collect(),
        Some("content_block_start") => begun(at, &event["content_block"]),
        Some("content_block_delta") => more(at, &event["delta"]).into_iter().collect(),
        Some("message_delta") => {
            let stopped = event["delta"]["stop_reason"].as_str().map(stop);
            let stopped = stopped.map(Spoken::Stopped);
            used(&event["usage"]).into_iter().chain(stopped).collect()
        }
        // A server that does not stream answers with the whole message.
        Some("message") => whole(&event),
        Some("message_stop") => vec![Spoken::Over],
        // Keep-alives, ends of blocks, and kinds that are not known yet.
        Some(_) | None => Vec::new(),
    }
}

fn whole(message: &Value) -> Vec<Spoken> {
    let mut spoken: Vec<Spoken> = used(&message["usage"]).into_iter().collect();
    let blocks = message["content"].as_array().into_iter().flatten();
    for (at, block) in blocks.enumerate() {
        spoken.extend(begun(at, block));
    }
    let stopped = message["stop_reason"].as_str().map(stop);
    spoken.push(stopped.map_or(Spoken::Over, Spoken::Stopped));
    spoken
}

fn begun(at: usize, block: &Value) -> Vec<Spoken> {
    let words = |field: &str| {
        let text = block[field].as_str().unwrap_or_default();
        (!text.is_empty()).then(|| text.to_owned())
    };
    match block["type"].as_str() {
        Some("text") => words("text").map(Spoken::Text).into_iter().collect(),
        Some("thinking") => {
            let thought = words("thinking").map(|text| Spoken::Thought(at, text));
            let seal = words("signature").map(|seal| Spoken::Sealed(at, seal));
            thought.into_iter().chain(seal).collect()
        }
        Some("redacted_thinking") => vec![Spoken::Opaque(at, block.clone())],
        Some("tool_use") => vec![Spoken::Call(at, call(block))],
        Some(_) | None => Vec::new(),
    }
}

fn call(block: &Value) -> CallPiece {
    let input = block["input"].as_object().filter(|input| !input.is_empty());
    CallPiece {
        id: block["id"].as_str().map(str::to_owned),
        name: block["name"].as_str().map(str::to_owned),
        // A stream begins with an empty object and sends the arguments in pieces.
        arguments: input.map_or_else(String::new, |input| json!(input).to_string()),
        extras: Map::new(),
    }
}

fn more(at: usize, delta: &Value) -> Option<Spoken> {
    let words = |field: &str| Some(delta[field].as_str()?.to_owned());
    match delta["type"].as_str()? {
        "text_delta" => words("text").map(Spoken::Text),
        "thinking_delta" => Some(Spoken::Thought(at, words("thinking")?)),
        "signature_delta" => Some(Spoken::Sealed(at, words("signature")?)),
        "input_json_delta" => {
            let arguments = words("partial_json")?;
            let piece = CallPiece {
                arguments,
                ..CallPiece::default()
            };
            Some(Spoken::Call(at, piece))
        }
        _ => None,
    }
}

fn stop(reason: &str) -> Stop {
    match reason {
        "tool_use" => Stop::Calls,
        "max_tokens" | "model_context_window_exceeded" => Stop::Length,
        "refusal" => Stop::Withheld,
        "pause_turn" => Stop::Paused,
        _ => Stop::Done,
    }
}

fn used(usage: &Value) -> Option<Spoken> {
    usage.as_object()?;
    Some(Spoken::Used(Used {
        input: usage["input_tokens"].as_u64(),
        output: usage["output_tokens"].as_u64(),
        cache_read: usage["cache_read_input_tokens"].as_u64(),
        cache_write: usage["cache_creation_input_tokens"].as_u64(),
        reasoning: None,
    }))
}

#[cfg(test)]
#[path = "anthropic_tests.rs"]
mod tests;
