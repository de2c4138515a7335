//! One call of the Bot API as it came: who, what, and its parameters in whichever form they were sent.
//!
//! All forms become one object. Words of a form stay words: `chat_id=5` and `"chat_id": 5` mean the same to the
//! methods, which read through `number`, `text`, `flag` and `object`. Files become objects with their name and
//! size; their bytes are kept beside.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use reqwest::Url;
use serde_json::{Map, Value, json};

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The method as it was written.
    pub method: String,
    /// Its parameters.
    pub params: Map<String, Value>,
    /// The bytes of files that came along, by the name of their part.
    pub files: BTreeMap<String, (String, Bytes)>,
    pub(super) token: String,
}

impl Call {
    /// Whether it is this method; case does not matter.
    pub fn is(&self, method: &str) -> bool {
        self.method.eq_ignore_ascii_case(method)
    }

    /// A parameter as words.
    pub fn text(&self, name: &str) -> Option<String> {
        match self.params.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Some(other.to_string())
            }
        }
    }

    /// A parameter as a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.params.get(name)? {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.parse().ok(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Whether a parameter says yes.
    pub fn flag(&self, name: &str) -> bool {
        match self.params.get(name) {
            Some(Value::Bool(yes)) => *yes,
            Some(Value::String(text)) => matches!(text.to_lowercase().as_str(), "true" | "1"),
            Some(_) | None => false,
        }
    }

    /// A parameter that is a list or an object, also if it came as JSON in words.
    pub fn object(&self, name: &str) -> Option<Value> {
        match self.params.get(name)? {
            Value::String(text) => serde_json::from_str(text).ok(),
            Value::Null => None,
            other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Some(other.clone())
            }
        }
    }
}

/// Why a call was refused.
#[derive(Debug, Clone)]
pub(super) struct Refused {
    code: u16,
    description: String,
    parameters: Option<Value>,
}

impl Refused {
    pub(super) fn new(code: u16, description: impl Into<String>) -> Self {
        Self {
            code,
            description: description.into(),
            parameters: None,
        }
    }

    /// What the caller did wrong.
    pub(super) fn bad(description: &str) -> Self {
        Self::new(400, format!("Bad Request: {description}"))
    }

    pub(super) fn with(mut self, name: &str, value: i64) -> Self {
        self.parameters = Some(json!({ name: value }));
        self
    }

    pub(super) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code).unwrap_or(StatusCode::BAD_GATEWAY)
    }

    pub(super) fn body(&self) -> Value {
        let mut body = json!({
            "ok": false,
            "error_code": self.code,
            "description": self.description,
        });
        if let Some(parameters) = &self.parameters {
            body["parameters"] = parameters.clone();
        }
        body
    }
}

/// Reads a request.
pub(super) fn read(head: &Parts, body: &Bytes) -> Result<Call, Refused> {
    let not_found = || Refused::new(404, "Not Found");
    let path = decoded(head.uri.path());
    let path = path.strip_prefix("/bot").ok_or_else(not_found)?;
    let (token, method) = path.split_once('/').ok_or_else(not_found)?;
    let mut call = Call {
        method: method.to_owned(),
        params: form(head.uri.query().unwrap_or_default()),
        files: BTreeMap::new(),
        token: token.to_owned(),
    };
    let kind = head.headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    // An empty body is legal whatever its kind: some libraries send one with every call.
    if body.is_empty() {
        return Ok(call);
    }
    if kind.starts_with("application/json") {
        let read = serde_json::from_slice(body);
        let read: Map<String, Value> =
            read.map_err(|_| Refused::bad("can't parse JSON object from request body"))?;
        call.params.extend(read);
    } else if let Some(boundary) = boundary(kind) {
        in_parts(&mut call, body, &boundary);
    } else {
        call.params.extend(form(&String::from_utf8_lossy(body)));
    }
    Ok(call)
}

fn form(text: &str) -> Map<String, Value> {
    let Ok(mut url) = Url::parse("http://form/") else {
        return Map::new();
    };
    url.set_query(Some(text));
    let pairs = url.query_pairs();
    pairs
        .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
        .collect()
}

/// A path without its escapes.
pub(super) fn decoded(path: &str) -> String {
    let pairs = form(&format!("path={}", path.replace('+', "%2B")));
    let decoded = pairs.get("path").and_then(Value::as_str);
    decoded.unwrap_or(path).to_owned()
}

fn boundary(kind: &str) -> Option<String> {
    let rest = kind.strip_prefix("multipart/form-data")?;
    let (_, boundary) = rest.split_once("boundary=")?;
    Some(format!("--{}", boundary.trim_matches('"')))
}

/// Reads a body in parts: fields into the parameters, files beside them.
fn in_parts(call: &mut Call, body: &Bytes, boundary: &str) {
    let mark = boundary.as_bytes();
    let mut begin = match find(body, mark, 0) {
        Some(at) => at + mark.len(),
        None => return,
    };
    while let Some(end) = find(body, mark, begin) {
        // A part stands between line breaks.
        let part = body.slice(begin..end);
        one_part(call, &part);
        begin = end + mark.len();
    }
}

fn one_part(call: &mut Call, part: &Bytes) {
    let Some(gap) = find(part, b"\r\n\r\n", 0) else {
        return;
    };
    let head = String::from_utf8_lossy(&part[..gap]).into_owned();
    let content = part.slice(gap + 4..part.len().saturating_sub(2).max(gap + 4));
    let Some(name) = quoted(&head, " name=\"") else {
        return;
    };
    match quoted(&head, "filename=\"") {
        Some(file) => {
            let size = content.len();
            call.params.insert(
                name.clone(),
                json!({ "file_name": file, "file_size": size }),
            );
            call.files.insert(name, (file, content));
        }
        None => {
            let text = String::from_utf8_lossy(&content).into_owned();
            call.params.insert(name, Value::String(text));
        }
    }
}

fn quoted(head: &str, before: &str) -> Option<String> {
    let (_, rest) = head.split_once(before)?;
    rest.split_once('"').map(|(name, _)| name.to_owned())
}

fn find(text: &[u8], part: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.windows(part.len())
        .position(|window| window == part)
        .map(|at| from + at)
}
