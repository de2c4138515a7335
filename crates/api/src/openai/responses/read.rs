//! A request for a response becomes one for a completion.
//!
//! `input` is a text, or a list of messages as `messages` has them; thoughts that a client brings back are passed over.
//! What would change the meaning and cannot be done is refused: items of other kinds, work in the background, and
//! conversations that are kept elsewhere. All else that steers a model is accepted and not used. Pure.

use angelia_core::id::InboxId;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::shapes::{List, Request, Said};
use crate::error::{ApiError, Kind};

/// What an id of a response begins with.
const PREFIX: &str = "resp_";

/// And that of a message.
const INBOX: &str = "inb_";

/// A request.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    pub(crate) model: Option<String>,
    pub(crate) input: Value,
    #[serde(default)]
    pub(crate) instructions: Option<String>,
    #[serde(default)]
    pub(crate) previous_response_id: Option<String>,
    #[serde(default)]
    pub(crate) stream: Option<bool>,
    #[serde(default)]
    pub(crate) user: Option<String>,
    #[serde(default)]
    pub(crate) background: Option<bool>,
    #[serde(default)]
    pub(crate) conversation: Option<Value>,
}

/// The same as a request for a completion.
pub(crate) fn request(asked: &Asked) -> Result<Request, ApiError> {
    if asked.background == Some(true) {
        let said = "`background` is not offered: the answer is waited for here";
        return Err(ApiError::bad_request(said).of_field("background".to_owned()));
    }
    if asked
        .conversation
        .as_ref()
        .is_some_and(|one| !one.is_null())
    {
        let said = "`conversation` names one that is kept elsewhere";
        let hint = "name yours in the header `X-Angelia-Session`, or use `previous_response_id`";
        let refused = ApiError::new(Kind::BadRequest, said, hint);
        return Err(refused.of_field("conversation".to_owned()));
    }
    let instructions = asked.instructions.as_deref().map(|words| Said {
        role: "system".to_owned(),
        content: words.into(),
        name: None,
    });
    let list = List {
        name: "input",
        ahead: usize::from(instructions.is_some()),
    };
    let messages = instructions.into_iter().map(Ok).chain(input(&asked.input)?);
    Ok(Request {
        model: asked.model.clone(),
        messages: messages.collect::<Result<_, _>>()?,
        stream: asked.stream,
        stream_options: None,
        n: None,
        user: asked.user.clone(),
        list,
    })
}

fn input(input: &Value) -> Result<Vec<Result<Said, ApiError>>, ApiError> {
    match input {
        Value::String(text) => Ok(vec![Ok(Said {
            role: "user".to_owned(),
            content: text.as_str().into(),
            name: None,
        })]),
        Value::Array(items) => Ok(items.iter().enumerate().map(item).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            let said = "`input` must be a text or a list of messages";
            Err(ApiError::bad_request(said).of_field("input".to_owned()))
        }
    }
}

/// One item of a list. One that is passed over stays in its place, without words.
fn item((place, item): (usize, &Value)) -> Result<Said, ApiError> {
    let of = |error: ApiError, field| error.of_field(format!("input[{place}]{field}"));
    let Value::Object(fields) = item else {
        let odd = ApiError::bad_request("an item of `input` must be an object");
        return Err(of(odd, ""));
    };
    match word(fields, "type").unwrap_or("message") {
        "message" => message(fields).map_err(|error| of(error, ".role")),
        "reasoning" => Ok(Said {
            role: "assistant".to_owned(),
            content: Value::Null,
            name: None,
        }),
        other => {
            let other: String = other.chars().take(64).collect();
            let said = format!("an item of the type `{other}` is not understood");
            let hint = "use items of the type `message`: the agent here has its own tools";
            let odd = ApiError::new(Kind::UnsupportedContent, said, hint);
            Err(of(odd, ".type"))
        }
    }
}

fn message(fields: &Map<String, Value>) -> Result<Said, ApiError> {
    let role = word(fields, "role");
    let role = role.ok_or_else(|| ApiError::bad_request("a message of `input` has no `role`"))?;
    Ok(Said {
        role: role.to_owned(),
        content: fields.get("content").cloned().unwrap_or_default(),
        name: None,
    })
}

fn word<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str)
}

/// The id of the response to a message.
pub(crate) fn id(inbox: InboxId) -> String {
    let inbox = inbox.to_string();
    format!("{PREFIX}{}", inbox.trim_start_matches(INBOX))
}

/// The message that a response answers, if it can be one of ours.
pub(crate) fn answers(id: &str) -> Option<InboxId> {
    let own = id.strip_prefix(PREFIX)?;
    format!("{INBOX}{own}").parse().ok()
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
