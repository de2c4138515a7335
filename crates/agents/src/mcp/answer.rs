//! What the answer of a server's tool becomes: JSON for whoever called.
//!
//! Words come as `output`, values as `structured`. A server that has values often says them once more
//! in words, which are left out then. Pictures go along; sounds are described: what they are and how long.
//! A tool that failed answers with `error`.

use angelia_core::limits;
use angelia_process::window::Window;
use serde_json::{Value, json};

use crate::tools::source::{Brought, Fetched};

/// Bytes of values in one answer; more are told as the words they would be, and cut as words are.
const STRUCTURED_BYTES_MAX: usize = limits::STEP_BYTES_MAX / 4;

/// What a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) pieces: Vec<Piece>,
    pub(super) structured: Option<Value>,
    pub(super) ending: Ending,
}

/// How a tool says it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Done,
    Failed,
}

/// One piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// Something that is not words: what it is, and its length in letters of base64.
    Data {
        kind: String,
        letters: usize,
    },
    /// A picture, or what claims to be one.
    Picture {
        kind: String,
        bytes: Vec<u8>,
    },
    /// Something that could be read elsewhere.
    Link(String),
}

/// The answer as JSON, and its pictures.
pub(super) fn fetched(mut answer: Answer) -> Fetched {
    let mut pictures = Vec::new();
    for piece in &mut answer.pieces {
        if let Piece::Picture { bytes, .. } = piece {
            let bytes = std::mem::take(bytes);
            pictures.push(Brought { bytes, name: None });
        }
    }
    Fetched {
        told: told(answer),
        pictures,
    }
}

fn told(answer: Answer) -> Value {
    let structured = answer.structured.filter(|value| !value.is_null());
    let words: Vec<String> = answer.pieces.iter().map(shown).collect();
    let words = words.join("\n");
    if answer.ending == Ending::Failed {
        let why = structured.map(|value| value.to_string());
        let why = Some(words).filter(|words| !words.is_empty()).or(why);
        let why = why.unwrap_or_else(|| "the tool failed and did not say why".to_owned());
        return json!({ "error": shortened(&why) });
    }
    match structured {
        None => json!({ "output": shortened(&words) }),
        Some(value) if value.to_string().len() > STRUCTURED_BYTES_MAX => {
            json!({ "output": shortened(&value.to_string()) })
        }
        Some(value) if says_the_same(&words, &value) => json!({ "structured": value }),
        Some(value) => json!({ "output": shortened(&words), "structured": value }),
    }
}

fn says_the_same(words: &str, value: &Value) -> bool {
    words.is_empty() || serde_json::from_str::<Value>(words).is_ok_and(|said| said == *value)
}

fn shown(piece: &Piece) -> String {
    match piece {
        Piece::Text(text) => text.clone(),
        Piece::Data { kind, letters } => {
            format!("[{kind}, {} bytes, not shown]", letters / 4 * 3)
        }
        Piece::Picture { kind, .. } => format!("[{kind}]"),
        Piece::Link(uri) => format!("[see {uri}]"),
    }
}

/// The beginning and the end of long words.
fn shortened(words: &str) -> String {
    let mut window = Window::new(limits::TOOL_OUTPUT_CHARS_MAX);
    window.push(words.as_bytes());
    window.into_text("")
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
