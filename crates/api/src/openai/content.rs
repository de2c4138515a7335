//! What a message of OpenAI's clients says: words, and pictures.
//!
//! Content is a text, or a list of parts of several generations of clients: `text`, `input_text` and
//! `output_text` are words, one part a line; `image_url` and `input_image` are pictures, in the address itself
//! (`data:image/png;base64,…`). A picture behind an address on the network is refused: nothing is fetched in
//! somebody's name. What claims to be a picture is looked at when it is kept. Pure.

use angelia_core::limits;
use angelia_core::media::base64;
use serde_json::Value;

use crate::error::{ApiError, Kind};

/// What one message says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    /// The words.
    pub(crate) text: String,
    /// The bytes of its pictures.
    pub(crate) images: Vec<Vec<u8>>,
}

/// Reads the content of a message.
pub(crate) fn read(content: &Value) -> Result<Content, ApiError> {
    match content {
        Value::Null => Ok(Content::default()),
        Value::String(text) => Ok(Content {
            text: text.clone(),
            images: Vec::new(),
        }),
        Value::Array(parts) => whole(parts),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Err(ApiError::bad_request(
            "the `content` of a message must be a text or a list of parts",
        )),
    }
}

fn whole(parts: &[Value]) -> Result<Content, ApiError> {
    let (mut lines, mut images) = (Vec::new(), Vec::new());
    for part in parts {
        match one(part)? {
            Part::Words(words) => lines.push(words),
            Part::Image(bytes) => images.push(bytes),
            Part::Nothing => (),
        }
    }
    lines.retain(|line| !line.is_empty());
    Ok(Content {
        text: lines.join("\n"),
        images,
    })
}

enum Part {
    Words(String),
    Image(Vec<u8>),
    Nothing,
}

fn one(part: &Value) -> Result<Part, ApiError> {
    let fields = match part {
        Value::String(words) => return Ok(Part::Words(words.clone())),
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            return Ok(Part::Nothing);
        }
    };
    let kind = fields
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match kind.trim().to_lowercase().as_str() {
        "text" | "input_text" | "output_text" => Ok(Part::Words(words(fields.get("text")))),
        "image_url" | "input_image" => image(fields.get("image_url")).map(Part::Image),
        _ => Err(unsupported(kind)),
    }
}

fn words(text: Option<&Value>) -> String {
    match text {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn image(given: Option<&Value>) -> Result<Vec<u8>, ApiError> {
    let (url, detail) = match given {
        Some(Value::String(url)) => (Some(url.as_str()), None),
        Some(Value::Object(fields)) => (
            fields.get("url").and_then(Value::as_str),
            fields.get("detail").filter(|detail| !detail.is_null()),
        ),
        _ => (None, None),
    };
    if detail.is_some_and(|detail| detail.as_str().is_none_or(|word| word.trim().is_empty())) {
        return Err(odd("its `detail` must be a word, or left out"));
    }
    bytes(url.map(str::trim).unwrap_or_default())
}

fn bytes(url: &str) -> Result<Vec<u8>, ApiError> {
    let (scheme, rest) = url.split_once(':').unwrap_or_default();
    match scheme.to_ascii_lowercase().as_str() {
        "data" => data(rest),
        "http" | "https" => Err(ApiError::new(
            Kind::BadImageUrl,
            "a picture is behind an address on the network, and nothing is fetched from there",
            "send the picture itself: `data:image/png;base64,…`",
        )),
        _ => Err(ApiError::new(
            Kind::BadImageUrl,
            "the `image_url` of a part is no address of a picture",
            "send the picture itself: `data:image/png;base64,…`",
        )),
    }
}

fn data(rest: &str) -> Result<Vec<u8>, ApiError> {
    let (claimed, text) = rest.split_once(',').unwrap_or_default();
    let claimed = claimed.to_ascii_lowercase();
    if !claimed.starts_with("image/") || !claimed.ends_with(";base64") {
        return Err(ApiError::new(
            Kind::UnsupportedContent,
            "a part holds data that is no picture",
            "send pictures as `data:image/png;base64,…`",
        ));
    }
    if base64::decoded_bytes_max(text.len()) > limits::PICTURE_BYTES_MAX + 3 {
        let most = limits::PICTURE_BYTES_MAX;
        return Err(ApiError::too_large(format!(
            "a picture has more than {most} bytes"
        )));
    }
    base64::decode(text).ok_or_else(|| odd("what follows `base64,` is no base64"))
}

fn odd(why: &str) -> ApiError {
    let said = format!("a picture of a message cannot be read: {why}");
    ApiError::new(
        Kind::BadPart,
        said,
        "send pictures as `data:image/png;base64,…`",
    )
}

fn unsupported(kind: &str) -> ApiError {
    let kind: String = kind.chars().take(64).collect();
    ApiError::new(
        Kind::UnsupportedContent,
        format!("a part of the type `{kind}` is not understood"),
        "use parts of the types `text` and `image_url`",
    )
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
