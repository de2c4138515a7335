//! The wire of OpenAI's chat completions, as many servers speak it.
//!
//! Requests are built as plain JSON. Chunks are read tolerantly: numbers may be missing, calls may come
//! without their number, thoughts have three names, usage comes in its own chunk or not at all, and a server
//! may answer with one whole message although a stream was asked for. Thoughts that led to calls go back under
//! the name they came with, and so does what a server put beside a call: some models lose their thread without
//! them, and some servers refuse the conversation.

use angelia_core::media::Picture;
use angelia_core::transcript::entry::{Content, Entry, Role};
use serde_json::{Map, Value, json};

use super::album::{self, Album};
use super::request::{Body, Function, Request, Tool};
use super::spoken::{Answer, CallPiece, Spoken, Stop, Thought, Used};
use crate::tools::set::Schema;

/// Behind the base address.
pub(super) const PATH: &str = "chat/completions";

/// The names that servers have for what a model thinks.
const THOUGHTS: [&str; 3] = ["reasoning_content", "reasoning", "thinking"];

/// Before the pictures that tools brought.
const BROUGHT: &str = "[The pictures that came with the results above.]";

/// The fields of a call that are read here; what stands beside them is its server's own, and goes back as it came.
const CALL: [&str; 4] = ["index", "id", "type", "function"];

/// Reasons to end an answer that are none of the model's: somebody did not like it.
const WITHHELD: [&str; 9] = [
    "content_filter",
    "safety",
    "prohibited_content",
    "blocklist",
    "spii",
    "recitation",
    "image_safety",
    "sensitive",
    "refusal",
];

/// Reasons that are failures of the server, or of what the model tried to say. Asking again may help.
const BROKEN: [&str; 8] = [
    "malformed_function_call",
    "unexpected_tool_call",
    "insufficient_system_resource",
    "network_error",
    "abort",
    "aborted",
    "cancelled",
    "error",
];

/// What a provider wants back beside the words.
const DETAILS: &str = "reasoning_details";

/// Under this name stand arguments that are no JSON, as far as they are kept.
const NO_JSON: &str = "arguments_that_are_no_json";
const NO_JSON_CHARS_MAX: usize = 2000;

/// The body of a call.
pub(super) fn body<'a>(request: &Request<'a>) -> Body<'a> {
    let system = json!({ "role": "system", "content": request.system });
    let said = messages(request.messages, request.album);
    let messages: Vec<Value> = [system].into_iter().chain(said).collect();
    let shaped = json!({
        "model": request.model,
        "messages": messages,
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    Body {
        shaped,
        tools: request.tools.iter().map(tool).collect(),
    }
}

fn tool(tool: &Schema) -> Tool<'_> {
    Tool::OpenAi {
        r#type: "function",
        function: Function {
            name: &tool.name,
            description: &tool.description,
            parameters: &tool.parameters,
        },
    }
}

/// All rows. The results of tools have no pictures on this wire, so those stand behind them as if the person
/// had shown them.
fn messages(rows: &[Entry], album: &Album) -> Vec<Value> {
    let (mut messages, mut brought) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        if row.role == Role::Tool {
            brought.extend(album::once(row).filter_map(|picture| shown(picture, album)));
        } else {
            messages.extend(beside(&mut brought));
        }
        messages.push(message(row, album));
    }
    messages.extend(beside(&mut brought));
    messages
}

/// The message with the pictures that tools brought.
fn beside(brought: &mut Vec<Value>) -> Option<Value> {
    if brought.is_empty() {
        return None;
    }
    let words = [json!({ "type": "text", "text": BROUGHT })].into_iter();
    let parts: Vec<Value> = words.chain(brought.drain(..)).collect();
    Some(json!({ "role": "user", "content": parts }))
}

/// A picture as a part of a message, if it is shown.
fn shown(picture: &Picture, album: &Album) -> Option<Value> {
    let data = album.data(picture)?;
    let url = format!("data:{};base64,{data}", picture.kind.media_type());
    Some(json!({ "type": "image_url", "image_url": { "url": url } }))
}

/// What a row says, in parts if there are pictures with it.
fn content(row: &Entry, album: &Album) -> Value {
    if row.role == Role::Tool || row.pictures.is_empty() {
        return row.content.clone().into();
    }
    let mut parts = match &row.content {
        Content::Structured(Value::Array(parts)) => parts.clone(),
        Content::Nothing | Content::Text(_) | Content::Structured(_) => {
            let words = row.content.plain_text();
            let words = Some(words).filter(|words| !words.trim().is_empty());
            words
                .into_iter()
                .map(|text| json!({ "type": "text", "text": text }))
                .collect()
        }
    };
    let told = |picture| json!({ "type": "text", "text": album::unseen(picture) });
    let part = |picture| shown(picture, album).unwrap_or_else(|| told(picture));
    parts.extend(album::once(row).map(part));
    Value::Array(parts)
}

fn message(entry: &Entry, album: &Album) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), role(&entry.role).into());
    message.insert("content".into(), content(entry, album));
    if !entry.tool_calls.is_empty() {
        message.insert("tool_calls".into(), json!(entry.tool_calls));
    }
    if let Some(id) = &entry.tool_call_id {
        message.insert("tool_call_id".into(), id.as_str().into());
    }
    // What a provider wants back word for word stands under the names it gave.
    for (name, value) in &entry.continuation {
        if name == DETAILS || THOUGHTS.contains(&name.as_str()) {
            message.insert(name.clone(), value.clone());
        }
    }
    if entry.role == Role::Tool && entry.content == Content::Nothing {
        message.insert("content".into(), "".into());
    }
    Value::Object(message)
}

fn role(role: &Role) -> &str {
    match role {
        Role::System | Role::User | Role::Assistant | Role::Tool => role.as_str(),
        Role::Summary | Role::Other(_) => "user",
    }
}

/// An answer's calls in the shape in which transcripts keep them: this wire's.
pub(super) fn calls(answer: &Answer) -> Vec<Value> {
    let shape = |call: &super::spoken::Asked| {
        let function = json!({ "name": call.name, "arguments": arguments(&call.arguments) });
        let mut shaped = json!({ "id": call.id, "type": "function", "function": function });
        for (name, extra) in &call.extras {
            shaped[name] = extra.clone();
        }
        shaped
    };
    answer.calls.iter().map(shape).collect()
}

/// Servers refuse a conversation with arguments that are no JSON, though a model wrote them. They are kept
/// under a name that no tool has, so that the tool's refusal tells the model what it did.
fn arguments(written: &str) -> String {
    if written.trim().is_empty() {
        return "{}".to_owned();
    }
    if serde_json::from_str::<Map<String, Value>>(written).is_ok() {
        return written.to_owned();
    }
    let kept: String = written.chars().take(NO_JSON_CHARS_MAX).collect();
    json!({ NO_JSON: kept }).to_string()
}

/// What this wire wants back with the next call.
pub(super) fn continuation(answer: &Answer) -> Map<String, Value> {
    let mut kept = Map::new();
    for thought in &answer.thoughts {
        match thought {
            Thought::Words {
                text,
                seal: Some(name),
            } if !answer.calls.is_empty() => {
                kept.insert(name.clone(), text.as_str().into());
            }
            Thought::Opaque(_) | Thought::Words { .. } => (),
        }
    }
    if !answer.details.is_empty() {
        kept.insert(DETAILS.to_owned(), Value::Array(answer.details.clone()));
    }
    kept
}

/// Reads chunks. It remembers the calls that began, for servers that do not number them or number them alike, and
/// under which name thoughts come: that is their seal here, because they go back under it.
#[derive(Debug, Default)]
pub(super) struct Reader {
    calls: Vec<Known>,
    /// What the server calls thoughts, once it has told some.
    thoughts: Option<&'static str>,
}

/// What tells a call from the others.
#[derive(Debug)]
struct Known {
    index: Option<u64>,
    id: Option<String>,
}

impl Reader {
    /// What one record says.
    pub(super) fn read(&mut self, record: &str) -> Vec<Spoken> {
        if record.trim() == "[DONE]" {
            return vec![Spoken::Over];
        }
        // What is no JSON is a remark of some proxy.
        match serde_json::from_str::<Value>(record) {
            Ok(chunk) => self.chunk(&chunk),
            Err(_) => Vec::new(),
        }
    }

    fn chunk(&mut self, chunk: &Value) -> Vec<Spoken> {
        if let Some(why) = super::failure::words_of(chunk) {
            return vec![Spoken::Failed(why)];
        }
        let mut spoken = Vec::new();
        let choice = &chunk["choices"][0];
        let (part, end) = match (&choice["delta"], &choice["message"]) {
            // Some servers repeat the message so far beside each piece of it.
            (delta @ Value::Object(_), _) => (delta, None),
            (_, message @ Value::Object(_)) => (message, Some(Spoken::Over)),
            (delta, _) => (delta, None),
        };
        self.part(part, &mut spoken);
        spoken.extend(used(chunk).map(Spoken::Used));
        let reason = told(&choice["finish_reason"]);
        spoken.extend(reason.map(stopped).or(end));
        spoken
    }

    fn part(&mut self, part: &Value, spoken: &mut Vec<Spoken>) {
        let mut thoughts = THOUGHTS
            .iter()
            .filter_map(|name| Some((*name, text(&part[*name])?)));
        if let Some((name, thought)) = thoughts.next() {
            spoken.push(Spoken::Thought(0, thought));
            if self.thoughts.is_none() {
                self.thoughts = Some(name);
                spoken.push(Spoken::Sealed(0, name.to_owned()));
            }
        }
        let details = part[DETAILS].as_array().into_iter().flatten();
        let details = details.filter_map(|detail| detail.as_object().cloned());
        spoken.extend(details.map(Spoken::Detail));
        spoken.extend(text(&part["content"]).map(Spoken::Text));
        spoken.extend(text(&part["refusal"]).map(Spoken::Text));
        for call in part["tool_calls"].as_array().into_iter().flatten() {
            let place = self.place(call);
            spoken.push(Spoken::Call(place, piece(call)));
        }
    }

    /// Which call a piece belongs to, in the order in which they began.
    fn place(&mut self, call: &Value) -> usize {
        let (index, id) = (call["index"].as_u64(), told(&call["id"]));
        let place = self.known(index, id, told(&call["function"]["name"]));
        let place = place.unwrap_or_else(|| {
            self.calls.push(Known { index, id: None });
            self.calls.len() - 1
        });
        let known = &mut self.calls[place];
        known.id = known.id.take().or_else(|| id.map(str::to_owned));
        place
    }

    /// A call that began before: by its id and its number, else by its number, else the last one. Some servers
    /// send each of several calls with the number 0, so another id with a name is another call; and some draw
    /// another id for each piece, so an id alone is not.
    fn known(&self, index: Option<u64>, id: Option<&str>, name: Option<&str>) -> Option<usize> {
        let last = |is_it: &dyn Fn(&Known) -> bool| self.calls.iter().rposition(is_it);
        match (index, id) {
            (None, None) => self.calls.len().checked_sub(1),
            (None, Some(_)) => last(&|one| one.id.as_deref() == id),
            (Some(_), None) => last(&|one| one.index == index),
            (Some(_), Some(_)) => last(&|one| one.index == index && one.id.as_deref() == id)
                .or_else(|| {
                    last(&|one| one.index == index && (one.id.is_none() || name.is_none()))
                }),
        }
    }
}

/// A text that is there and not empty.
fn told(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

/// What stands beside the fields of a call that every server has.
fn extras(call: &Value) -> Map<String, Value> {
    let fields = call.as_object().into_iter().flatten();
    let fields = fields.filter(|(name, value)| !CALL.contains(&name.as_str()) && !value.is_null());
    fields
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn piece(call: &Value) -> CallPiece {
    let function = &call["function"];
    CallPiece {
        extras: extras(call),
        id: call["id"].as_str().map(str::to_owned),
        name: function["name"].as_str().map(str::to_owned),
        arguments: match &function["arguments"] {
            Value::String(part) => part.clone(),
            // Some servers send the finished object.
            whole @ Value::Object(_) => whole.to_string(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => String::new(),
        },
    }
}

/// Words, in whichever of two shapes they come.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Why a server says that an answer ended.
fn stopped(reason: &str) -> Spoken {
    let low = reason.to_ascii_lowercase();
    let is_in = |reasons: &[&str]| reasons.contains(&&*low);
    match &*low {
        "tool_calls" | "function_call" => Spoken::Stopped(Stop::Calls),
        "length" | "max_tokens" => Spoken::Stopped(Stop::Length),
        _ if is_in(&WITHHELD) => Spoken::Stopped(Stop::Withheld),
        _ if is_in(&BROKEN) => Spoken::Failed(format!("the answer ended with `{reason}`")),
        // Servers have more words for having said everything than can be listed.
        _ => Spoken::Stopped(Stop::Done),
    }
}

fn used(chunk: &Value) -> Option<Used> {
    let places = [&chunk["usage"], &chunk["x_groq"]["usage"]];
    let usage = places.into_iter().find(|usage| usage.is_object())?;
    let cached = usage["prompt_tokens_details"]["cached_tokens"]
        .as_u64()
        .or_else(|| usage["prompt_cache_hit_tokens"].as_u64());
    // This wire counts what came from a cache among what was read.
    let input = usage["prompt_tokens"].as_u64();
    // Some servers count thoughts in the total alone.
    let all = usage["total_tokens"].as_u64().zip(input);
    let beside = all.map(|(total, read)| total.saturating_sub(read));
    Some(Used {
        input: input.map(|all| all.saturating_sub(cached.unwrap_or(0))),
        output: usage["completion_tokens"].as_u64().max(beside),
        cache_read: cached,
        cache_write: None,
        reasoning: usage["completion_tokens_details"]["reasoning_tokens"].as_u64(),
    })
}

#[cfg(test)]
#[path = "openai_tests.rs"]
mod tests;
