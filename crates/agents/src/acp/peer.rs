//! What is said between us and an agent: JSON-RPC, one message a line.
//!
//! Reading is tolerant, since agents change faster than we do: what is no JSON, or no message, is noise;
//! unknown methods and fields pass. Writing is exact. There is no state here: which requests are open, and
//! under which numbers, is the business of whoever asks.

use serde_json::{Value, json};

/// A request is not known here.
pub(super) const NO_METHOD: i64 = -32_601;
/// A request is known, and says something that is not allowed.
pub(super) const BAD_PARAMS: i64 = -32_602;
/// A request was understood and could not be done.
pub(super) const FAILED: i64 = -32_603;
/// What is asked for is not there.
pub(super) const NOT_FOUND: i64 = -32_002;
/// The agent wants somebody to sign in first.
pub(super) const SIGN_IN: i64 = -32_000;

/// One message of an agent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// The answer to a request of ours.
    Response {
        /// Our number for the request.
        id: u64,
        /// What came of it.
        outcome: Result<Value, Failure>,
    },
    /// It wants something, and waits for an answer.
    Request {
        /// Its own name for the request, given back as it is.
        id: Value,
        /// What it wants.
        method: String,
        /// With what.
        params: Value,
    },
    /// It tells something.
    Notice {
        /// What kind of thing.
        method: String,
        /// What.
        params: Value,
    },
    /// Nothing that could be meant for us.
    Noise,
}

/// Why a request was not fulfilled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// The kind, by its number.
    pub(super) code: i64,
    /// Why, in words.
    pub(super) message: String,
}

impl Failure {
    /// A failure of our own.
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message }
    }
}

/// Reads one line.
pub(super) fn read(line: &[u8]) -> Message {
    let Ok(Value::Object(mut message)) = serde_json::from_slice(line) else {
        return Message::Noise;
    };
    let id = message.remove("id").filter(|id| !id.is_null());
    let params = message.remove("params").unwrap_or_default();
    match (message.remove("method"), id) {
        (Some(Value::String(method)), Some(id)) => Message::Request { id, method, params },
        (Some(Value::String(method)), None) => Message::Notice { method, params },
        (None, Some(id)) => {
            let error = message.remove("error").filter(|error| !error.is_null());
            let result = message.remove("result").unwrap_or_default();
            response(&id, result, error)
        }
        (Some(_), _) | (None, None) => Message::Noise,
    }
}

/// Our numbers come back as numbers, or as text from those who keep all names as text.
fn response(id: &Value, result: Value, error: Option<Value>) -> Message {
    let number = id.as_u64().or_else(|| id.as_str()?.parse().ok());
    let Some(id) = number else {
        return Message::Noise;
    };
    let outcome = match error {
        None => Ok(result),
        Some(error) => Err(failure(&error)),
    };
    Message::Response { id, outcome }
}

/// Many put the true reason beside the message, as `data`, or within it.
fn failure(error: &Value) -> Failure {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let message = text(&error["message"]).unwrap_or_else(|| "it did not say why".to_owned());
    let data = &error["data"];
    let detail = ["message", "details", "error"];
    let detail = detail.into_iter().find_map(|name| text(&data[name]));
    let detail = detail.or_else(|| text(data)).filter(|it| *it != message);
    Failure {
        code: error["code"].as_i64().unwrap_or(FAILED),
        message: detail.map_or(message.clone(), |detail| format!("{message}: {detail}")),
    }
}

/// A request of ours, as a line.
pub(super) fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

/// Something that we tell, as a line.
pub(super) fn notice(method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

/// Our answer to a request of the agent, as a line.
pub(super) fn answer(id: &Value, outcome: &Result<Value, Failure>) -> Vec<u8> {
    line(&match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Failure { code, message }) => json!({
            "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message },
        }),
    })
}

/// JSON has no line's end of its own: those within texts are written as two letters.
fn line(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

#[cfg(test)]
#[path = "peer_tests.rs"]
mod tests;
