//! Files that go over the Bot API: given by the bot or by people, fetched by their path.

use angelia_core::media::Kind;
use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::call::{self, Call, Refused};
use super::world::{File, World};
use super::{Desk, FakeTelegram, TOKEN, plain};

/// Bytes of a file that a bot may fetch.
const FETCH_BYTES_MAX: usize = 20 * 1024 * 1024;

/// Bytes of a file that a bot may send, and of a picture.
const SEND_BYTES_MAX: usize = 50 * 1024 * 1024;
const PHOTO_BYTES_MAX: usize = 10 * 1024 * 1024;

/// As what files are sent.
const KINDS: [&str; 6] = ["photo", "animation", "video", "audio", "voice", "document"];

impl FakeTelegram {
    /// A file that somebody sends; its id goes into the message.
    pub fn keeps(&self, name: &str, bytes: impl Into<Bytes>) -> String {
        self.desk.world().keep(name, bytes.into())
    }

    /// The files that the chat shows of the bot, each with its kind.
    pub fn files(&self, chat: i64) -> Vec<(&'static str, Bytes)> {
        let shown = self.shown(chat);
        let world = self.desk.world();
        let file = |message: &Value| {
            let kind = KINDS.into_iter().find(|kind| !message[*kind].is_null())?;
            let object = &message[kind];
            let id = object[0]["file_id"]
                .as_str()
                .or(object["file_id"].as_str())?;
            Some((kind, world.files.get(id)?.bytes.clone()))
        };
        shown.iter().filter_map(|one| file(&one.message)).collect()
    }
}

impl World {
    fn keep(&mut self, name: &str, bytes: Bytes) -> String {
        let number = self.files.len() + 1;
        let id = format!("file-{number}");
        let path = format!("documents/{number}_{name}");
        self.files.insert(id.clone(), File { path, bytes });
        id
    }
}

/// `getFile`.
pub(super) fn get(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let world = desk.world();
    let id = call.text("file_id").unwrap_or_default();
    let file = world.files.get(&id);
    let file =
        file.ok_or_else(|| Refused::bad("wrong file_id or the file is temporarily unavailable"))?;
    if file.bytes.len() > FETCH_BYTES_MAX {
        return Err(Refused::bad("file is too big"));
    }
    Ok(json!({
        "file_id": id,
        "file_unique_id": format!("u-{id}"),
        "file_size": file.bytes.len(),
        "file_path": file.path,
    }))
}

/// The bytes of a file, below `/file/bot`.
pub(super) fn download(desk: &Desk, path: &str) -> Response {
    let world = desk.world();
    let missing = || {
        let body = json!({ "ok": false, "error_code": 404, "description": "Not Found" });
        plain(StatusCode::NOT_FOUND, Bytes::from(body.to_string()))
    };
    // Some libraries write the colon of the token as `%3A`.
    let path = call::decoded(path);
    let Some((token, path)) = path.split_once('/') else {
        return missing();
    };
    let found = world.files.values().find(|file| file.path == path);
    match found.filter(|_| token == TOKEN && !world.is_revoked) {
        Some(file) => {
            let mut response = Response::new(Body::from(file.bytes.clone()));
            let kind = header::HeaderValue::from_static("application/octet-stream");
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            response
        }
        None => missing(),
    }
}

/// The object of a file that the bot sends: bytes that came along, or the id of one that is known.
pub(super) fn given(
    world: &mut World,
    call: &Call,
    part: &str,
    kind: &str,
) -> Result<Value, Refused> {
    let attached = call.text(part);
    let attached = attached
        .as_ref()
        .and_then(|text| text.strip_prefix("attach://"));
    let (name, id) = match call.files.get(attached.unwrap_or(part)) {
        Some((name, bytes)) if bytes.is_empty() => {
            let words = format!("file must be non-empty: {name}");
            return Err(Refused::bad(&words));
        }
        Some((name, bytes)) => {
            is_taken(bytes, kind)?;
            (name.clone(), world.keep(name, bytes.clone()))
        }
        None => {
            let id = call.text(part).unwrap_or_else(|| part.to_owned());
            if !world.files.contains_key(&id) {
                return Err(Refused::bad("wrong remote file identifier specified"));
            }
            ("file".to_owned(), id)
        }
    };
    let size = world.files.get(&id).map_or(0, |file| file.bytes.len());
    let mut object =
        json!({ "file_id": id, "file_unique_id": format!("u-{id}"), "file_size": size });
    match kind {
        "photo" => {
            object["width"] = json!(640);
            object["height"] = json!(480);
            return Ok(json!([object]));
        }
        "voice" => object["duration"] = json!(1),
        "audio" => {
            object["duration"] = json!(1);
            object["file_name"] = json!(name);
        }
        "video" | "animation" => {
            object["duration"] = json!(1);
            object["width"] = json!(640);
            object["height"] = json!(480);
            object["file_name"] = json!(name);
        }
        _ => object["file_name"] = json!(name),
    }
    Ok(object)
}

/// What the server looks at before it takes a file.
fn is_taken(bytes: &Bytes, kind: &str) -> Result<(), Refused> {
    let size = bytes.len();
    if size > SEND_BYTES_MAX {
        return Err(Refused::new(413, "Request Entity Too Large"));
    }
    if kind != "photo" {
        return Ok(());
    }
    if size > PHOTO_BYTES_MAX {
        let most = PHOTO_BYTES_MAX;
        let words = format!(
            "file of size {size} bytes is too big for a photo; the maximum size is {most} bytes"
        );
        return Err(Refused::bad(&words));
    }
    match Kind::of(bytes) {
        Some(_) => Ok(()),
        None => Err(Refused::bad("IMAGE_PROCESS_FAILED")),
    }
}
