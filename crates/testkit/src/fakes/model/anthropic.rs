//! Replies as Anthropic's messages say them.

use axum::body::Bytes;
use serde_json::{Value, json};

use super::script::{Farewell, LINGERING, Piece, Reply, Stop};
use super::{Heard, Out};

/// The seal under every thought.
const SEAL: &str = "ZmFrZQ==";

pub(super) fn whole(heard: &Heard, reply: &Reply) -> Value {
    let blocks: Vec<Value> = reply.pieces.iter().filter_map(block).collect();
    let mut message = envelope(heard, reply);
    message["content"] = blocks.into();
    message["stop_reason"] = reason(reply).into();
    message
}

fn block(piece: &Piece) -> Option<Value> {
    match piece {
        Piece::Say(words) => Some(json!({ "type": "text", "text": words })),
        Piece::Think(words) => {
            Some(json!({ "type": "thinking", "thinking": words, "signature": SEAL }))
        }
        Piece::Call {
            id,
            name,
            arguments,
        } => Some(json!({ "type": "tool_use", "id": id, "name": name, "input": arguments })),
        Piece::Pause(_) | Piece::KeepAlive | Piece::HangUp | Piece::Raw(_) => None,
    }
}

pub(super) fn stream(heard: &Heard, reply: &Reply) -> Vec<Out> {
    let begun = json!({ "type": "message_start", "message": envelope(heard, reply) });
    let mut writing = Writing {
        outs: vec![record(&begun)],
        open: None,
        blocks: 0,
    };
    for piece in &reply.pieces {
        match piece {
            Piece::Say(words) => writing.say(words),
            Piece::Think(words) => writing.think(words),
            Piece::Call {
                id,
                name,
                arguments,
            } => writing.call((id, name), &arguments.to_string()),
            Piece::Pause(pause) => writing.outs.push(Out::Pause(*pause)),
            Piece::KeepAlive => writing.outs.push(record(&json!({ "type": "ping" }))),
            Piece::Raw(raw) => writing.outs.push(Out::Bytes(Bytes::from(raw.clone()))),
            Piece::HangUp => {
                writing.outs.push(Out::HangUp);
                return writing.outs;
            }
        }
    }
    writing.close();
    let written = reply.used.map_or(0, |(_, written)| written);
    writing.outs.push(record(&json!({
        "type": "message_delta",
        "delta": { "stop_reason": reason(reply), "stop_sequence": null },
        "usage": { "output_tokens": written },
    })));
    writing
        .outs
        .push(record(&json!({ "type": "message_stop" })));
    if reply.farewell == Farewell::Lingering {
        writing.outs.push(Out::Pause(LINGERING));
    }
    writing.outs
}

/// A stream being written: words that follow each other are one block.
struct Writing {
    outs: Vec<Out>,
    open: Option<Kind>,
    blocks: usize,
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Kind {
    Text,
    Thinking,
    Call,
}

impl Writing {
    fn say(&mut self, words: &str) {
        self.open(Kind::Text, &json!({ "type": "text", "text": "" }));
        self.more(&json!({ "type": "text_delta", "text": words }));
    }

    fn think(&mut self, words: &str) {
        self.open(
            Kind::Thinking,
            &json!({ "type": "thinking", "thinking": "", "signature": "" }),
        );
        self.more(&json!({ "type": "thinking_delta", "thinking": words }));
    }

    fn call(&mut self, (id, name): (&str, &str), arguments: &str) {
        self.close();
        self.open(
            Kind::Call,
            &json!({ "type": "tool_use", "id": id, "name": name, "input": {} }),
        );
        let middle = arguments.floor_char_boundary(arguments.len() / 2);
        for part in [&arguments[..middle], &arguments[middle..]] {
            self.more(&json!({ "type": "input_json_delta", "partial_json": part }));
        }
        self.close();
    }

    fn open(&mut self, kind: Kind, block: &Value) {
        if self.open == Some(kind) {
            return;
        }
        self.close();
        let begun =
            json!({ "type": "content_block_start", "index": self.blocks, "content_block": block });
        self.outs.push(record(&begun));
        self.open = Some(kind);
    }

    fn more(&mut self, delta: &Value) {
        let more = json!({ "type": "content_block_delta", "index": self.blocks, "delta": delta });
        self.outs.push(record(&more));
    }

    fn close(&mut self) {
        let Some(kind) = self.open.take() else {
            return;
        };
        if kind == Kind::Thinking {
            self.more(&json!({ "type": "signature_delta", "signature": SEAL }));
        }
        let ended = json!({ "type": "content_block_stop", "index": self.blocks });
        self.outs.push(record(&ended));
        self.blocks += 1;
    }
}

fn reason(reply: &Reply) -> Option<&'static str> {
    match reply.stop {
        Stop::Length => Some("max_tokens"),
        Stop::Usual if reply.asks_for_tools() => Some("tool_use"),
        Stop::Usual => Some("end_turn"),
        Stop::Untold => None,
    }
}

fn envelope(heard: &Heard, reply: &Reply) -> Value {
    let (read, written) = reply.used.unwrap_or_default();
    let fresh = read.saturating_sub(reply.cached);
    json!({
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": heard.body["model"],
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {
            "input_tokens": fresh,
            "output_tokens": written,
            "cache_read_input_tokens": reply.cached,
            "cache_creation_input_tokens": 0,
        },
    })
}

/// A record names its event, as the wire's own clients want it.
fn record(value: &Value) -> Out {
    let event = value["type"].as_str().unwrap_or_default();
    Out::Bytes(Bytes::from(format!("event: {event}\ndata: {value}\n\n")))
}
