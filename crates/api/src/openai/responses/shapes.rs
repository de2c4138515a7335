//! The object that is answered, as far as it is known.

use angelia_core::transcript::usage::Tokens;
use serde_json::{Value, json};

use super::super::error::Failure;
use super::super::speech::Head;
use super::super::wait::Answered;

/// What a response repeats of its request.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// What all answers share; its id is that of the response.
    pub(crate) head: Head,
    /// What stands before the input.
    pub(crate) instructions: Option<String>,
    /// The response that it follows.
    pub(crate) previous: Option<String>,
}

/// How far a response has come.
#[derive(Debug, Clone, Copy)]
pub(crate) enum State<'a> {
    /// Somebody works on it.
    Begun,
    /// It is whole.
    Done(&'a Answered),
    /// There will be none.
    Failed(&'a Failure),
}

impl Frame {
    /// The whole object.
    pub(crate) fn response(&self, state: State<'_>) -> Value {
        let (status, output, usage, error) = match state {
            State::Begun => ("in_progress", json!([]), Value::Null, Value::Null),
            State::Done(answered) => {
                let output = json!([self.item(Some(&answered.text))]);
                ("completed", output, usage(answered.tokens), Value::Null)
            }
            State::Failed(failure) => {
                let error = json!({ "code": "server_error", "message": failure.words() });
                ("failed", json!([]), Value::Null, error)
            }
        };
        json!({
            "id": self.head.id, "object": "response", "created_at": self.head.created, "status": status,
            "model": self.head.model, "output": output, "usage": usage, "error": error,
            "instructions": self.instructions, "previous_response_id": self.previous,
            "incomplete_details": null, "metadata": {}, "store": true,
            "tools": [], "tool_choice": "auto", "parallel_tool_calls": true,
            "temperature": null, "top_p": null, "truncation": "disabled", "text": { "format": { "type": "text" } },
        })
    }

    /// The one message of it; without words, one that begins.
    pub(super) fn item(&self, text: Option<&str>) -> Value {
        let status = match text {
            Some(_) => "completed",
            None => "in_progress",
        };
        let content: Vec<Value> = text.map(part).into_iter().collect();
        json!({
            "id": self.item_id(), "type": "message", "role": "assistant", "status": status, "content": content,
        })
    }

    /// What that message is called.
    pub(super) fn item_id(&self) -> String {
        format!("msg_{}", self.head.id.trim_start_matches("resp_"))
    }
}

/// Words of an answer.
pub(super) fn part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}

fn usage(tokens: Tokens) -> Value {
    json!({
        "input_tokens": tokens.prompt(),
        "input_tokens_details": { "cached_tokens": tokens.cache_read },
        "output_tokens": tokens.output,
        "output_tokens_details": { "reasoning_tokens": tokens.reasoning },
        "total_tokens": tokens.all(),
    })
}
