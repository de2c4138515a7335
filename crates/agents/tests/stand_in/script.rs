//! What the server of the tests answers: by its mode, and by the names of its tools.
//!
//! | mode | what is odd about it |
//! |---|---|
//! | `well` | nothing |
//! | `garbage` | it says things that are no messages first |
//! | `complaining` | it never stops complaining |
//! | `mute` | it answers nothing |
//! | `dead` | it ends before it says anything |
//! | `many` | it lists ten thousand tools |
//! | `endless` | its list has no end |
//! | `modern` | it knows no handshake |

use serde_json::{Value, json};

/// The versions of the protocol.
const OLD: &str = "2025-11-25";
const NEW: &str = "2026-07-28";

/// A pixel, in base64.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB";

/// What a server does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    Say(Value),
    /// It dies without a word.
    Die,
}

/// A server.
#[derive(Debug)]
pub(crate) struct Script {
    mode: String,
    /// How often it grew a tool.
    grown: usize,
}

impl Script {
    pub(crate) fn new(mode: &str) -> Self {
        Self {
            mode: mode.to_owned(),
            grown: 0,
        }
    }

    /// What it notes about a message, and what it does about it.
    pub(crate) fn hear(&mut self, message: &Value) -> (Option<String>, Vec<Reply>) {
        let method = message["method"].as_str().unwrap_or_default();
        if self.mode == "mute" {
            return (None, vec![]);
        }
        let Some(id) = message.get("id").cloned() else {
            let noted = (method == "notifications/cancelled").then(|| "cancelled".to_owned());
            return (noted, vec![]);
        };
        let result = |result: Value| {
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
            vec![Reply::Say(answer)]
        };
        match method {
            "initialize" if self.mode == "modern" => (None, refused(&id, "no handshake here")),
            "initialize" => (None, result(self.greeted())),
            "server/discover" if self.mode == "modern" => (None, result(discovered())),
            "tools/list" => (None, result(self.listed(&message["params"]["cursor"]))),
            "tools/call" => {
                let name = message["params"]["name"].as_str().unwrap_or_default();
                let replies = self.called(&id, name, &message["params"]["arguments"]);
                (Some(format!("called {name}")), replies)
            }
            _ => (None, refused(&id, "there is no such method")),
        }
    }

    fn greeted(&self) -> Value {
        json!({
            "protocolVersion": OLD,
            "capabilities": { "tools": { "listChanged": true } },
            "serverInfo": { "name": "stand-in", "version": "1" },
        })
    }

    fn listed(&self, cursor: &Value) -> Value {
        match self.mode.as_str() {
            "many" => json!({ "tools": numbered(0, 10_000) }),
            "endless" => {
                let from: usize = cursor.as_str().and_then(|at| at.parse().ok()).unwrap_or(0);
                json!({ "tools": numbered(from, 10), "nextCursor": (from + 10).to_string() })
            }
            "modern" => json!({
                "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": usual(0),
            }),
            _ => json!({ "tools": usual(self.grown) }),
        }
    }

    fn called(&mut self, id: &Value, name: &str, arguments: &Value) -> Vec<Reply> {
        let say = |result: Value| {
            vec![Reply::Say(
                json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            )]
        };
        let text = |text: &str| {
            let content = json!([{ "type": "text", "text": text }]);
            say(json!({ "resultType": "complete", "content": content }))
        };
        match name {
            "echo" => text(arguments["text"].as_str().unwrap_or_default()),
            "add" => {
                let sum =
                    arguments["a"].as_i64().unwrap_or(0) + arguments["b"].as_i64().unwrap_or(0);
                let said = json!({ "sum": sum });
                let content = json!([{ "type": "text", "text": said.to_string() }]);
                say(json!({ "content": content, "structuredContent": said }))
            }
            "picture" => {
                let image = json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" });
                say(json!({ "content": [{ "type": "text", "text": "look" }, image] }))
            }
            "fail" => {
                let content = json!([{ "type": "text", "text": "the disk is full" }]);
                say(json!({ "content": content, "isError": true }))
            }
            "variable" => {
                let name = arguments["name"].as_str().unwrap_or_default();
                let value = std::env::var_os(name).unwrap_or_default();
                text(&value.to_string_lossy())
            }
            "long" => text(&"long ".repeat(100_000)),
            "hang" => vec![],
            "die" | "die_reading" => vec![Reply::Die],
            "grow" => {
                self.grown += 1;
                let changed =
                    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
                let mut replies = vec![Reply::Say(changed)];
                replies.extend(text("grown"));
                replies
            }
            _ => refused(id, "there is no such tool"),
        }
    }
}

fn refused(id: &Value, why: &str) -> Vec<Reply> {
    let error = json!({ "code": -32601, "message": why });
    vec![Reply::Say(
        json!({ "jsonrpc": "2.0", "id": id, "error": error }),
    )]
}

fn discovered() -> Value {
    json!({
        "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
        "supportedVersions": [NEW],
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "stand-in", "version": "1" },
    })
}

fn usual(grown: usize) -> Vec<Value> {
    let names = [
        "echo", "add", "picture", "fail", "variable", "long", "hang", "die", "grow",
    ];
    let mut tools: Vec<Value> = names
        .into_iter()
        .map(|name| tool(name, json!({})))
        .collect();
    tools.push(tool("die_reading", json!({ "readOnlyHint": true })));
    tools.extend((0..grown).map(|number| tool(&format!("grown_{number}"), json!({}))));
    tools
}

fn numbered(from: usize, count: usize) -> Vec<Value> {
    let names = (from..from + count).map(|number| format!("tool_{number:05}"));
    names.map(|name| tool(&name, json!({}))).collect()
}

fn tool(name: &str, annotations: Value) -> Value {
    json!({
        "name": name,
        "description": format!("What {name} does."),
        "inputSchema": { "type": "object" },
        "annotations": annotations,
    })
}
