//! Replies as OpenAI's chat completions say them.

use axum::body::Bytes;
use serde_json::{Value, json};

use super::script::{Farewell, LINGERING, Piece, Reply, Stop};
use super::{Heard, Out};

pub(super) fn whole(heard: &Heard, reply: &Reply) -> Value {
    let mut message = json!({ "role": "assistant", "content": null });
    let mut text = String::new();
    let mut calls = Vec::new();
    for piece in &reply.pieces {
        match piece {
            Piece::Say(words) => text.push_str(words),
            Piece::Think(words) => message["reasoning_content"] = words.as_str().into(),
            Piece::Call {
                id,
                name,
                arguments,
            } => calls.push(call(id, name, &arguments.to_string())),
            Piece::Pause(_) | Piece::KeepAlive | Piece::HangUp | Piece::Raw(_) => (),
        }
    }
    if !text.is_empty() {
        message["content"] = text.into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let choice = json!({ "index": 0, "message": message, "finish_reason": reason(reply) });
    let mut body = envelope(heard, "chat.completion", &choice);
    body["usage"] = usage(reply);
    body
}

pub(super) fn stream(heard: &Heard, reply: &Reply) -> Vec<Out> {
    let mut outs = vec![chunk(
        heard,
        &json!({ "role": "assistant", "content": "" }),
        None,
    )];
    let mut calls = 0;
    for piece in &reply.pieces {
        match piece {
            Piece::Say(words) => outs.push(chunk(heard, &json!({ "content": words }), None)),
            Piece::Think(words) => {
                outs.push(chunk(heard, &json!({ "reasoning_content": words }), None));
            }
            Piece::Call {
                id,
                name,
                arguments,
            } => {
                outs.extend(call_chunks(
                    heard,
                    calls,
                    (id, name),
                    &arguments.to_string(),
                ));
                calls += 1;
            }
            Piece::Pause(pause) => outs.push(Out::Pause(*pause)),
            Piece::KeepAlive => outs.push(text(": keep-alive\n\n")),
            Piece::Raw(raw) => outs.push(text(raw)),
            Piece::HangUp => {
                outs.push(Out::HangUp);
                return outs;
            }
        }
    }
    outs.push(chunk(heard, &json!({}), reason(reply)));
    let is_told = heard.body["stream_options"]["include_usage"] == true;
    if is_told && reply.used.is_some() {
        let mut last = envelope(heard, "chat.completion.chunk", &Value::Null);
        last["choices"] = json!([]);
        last["usage"] = usage(reply);
        outs.push(record(&last));
    }
    if reply.farewell != Farewell::Forgotten {
        outs.push(text("data: [DONE]\n\n"));
    }
    if reply.farewell == Farewell::Lingering {
        outs.push(Out::Pause(LINGERING));
    }
    outs
}

fn call_chunks(heard: &Heard, at: usize, (id, name): (&str, &str), arguments: &str) -> [Out; 3] {
    let middle = arguments.floor_char_boundary(arguments.len() / 2);
    let begun = json!({ "index": at, "id": id, "type": "function", "function": { "name": name, "arguments": "" } });
    let more = |part: &str| json!({ "index": at, "function": { "arguments": part } });
    let out = |call: Value| chunk(heard, &json!({ "tool_calls": [call] }), None);
    [
        out(begun),
        out(more(&arguments[..middle])),
        out(more(&arguments[middle..])),
    ]
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
}

fn reason(reply: &Reply) -> Option<&'static str> {
    match reply.stop {
        Stop::Length => Some("length"),
        Stop::Usual if reply.asks_for_tools() => Some("tool_calls"),
        Stop::Usual => Some("stop"),
        Stop::Untold => None,
    }
}

fn usage(reply: &Reply) -> Value {
    match reply.used {
        Some((read, written)) => json!({
            "prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written,
            "prompt_tokens_details": { "cached_tokens": reply.cached },
        }),
        None => Value::Null,
    }
}

fn envelope(heard: &Heard, object: &str, choice: &Value) -> Value {
    json!({
        "id": "chatcmpl-fake",
        "object": object,
        "created": 1,
        "model": heard.body["model"],
        "choices": [choice],
    })
}

fn chunk(heard: &Heard, delta: &Value, reason: Option<&str>) -> Out {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
    record(&envelope(heard, "chat.completion.chunk", &choice))
}

fn record(value: &Value) -> Out {
    text(&format!("data: {value}\n\n"))
}

fn text(words: &str) -> Out {
    Out::Bytes(Bytes::from(words.to_owned()))
}
