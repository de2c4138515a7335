//! Reading a body: within a limit, within a time, as JSON or as it is.
//!
//! A body over its limit is read on for a while and thrown away, so that its sender, who is still
//! writing, gets to hear why it was refused.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::{ApiError, Kind};

/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// The most that a wish for a conversation needs: a title, an id, an address.
const WISH_BYTES_MAX: usize = 16 * 1024;

/// How much of a refused body is read for the sake of its sender.
const DISCARDED_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Reads a body of at most `limit` bytes as JSON.
pub(crate) async fn json<T: DeserializeOwned>(body: Body, limit: usize) -> Result<T, ApiError> {
    let bytes = bytes(body, limit).await?;
    serde_json::from_slice(&bytes).map_err(|error| unusable(&error))
}

/// Reads a body of at most `limit` bytes as it is.
pub(crate) async fn bytes(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let bytes = tokio::time::timeout(BODY_TIME, read(body, limit)).await;
    bytes.map_err(|_| too_slow())?
}

/// Reads a wish of at most [`WISH_BYTES_MAX`]. None at all is one without fields.
pub(crate) async fn wish<T: DeserializeOwned>(body: Body) -> Result<T, ApiError> {
    let bytes = bytes(body, WISH_BYTES_MAX).await?;
    let bytes = if bytes.is_empty() { b"{}" } else { &bytes[..] };
    // A list would be read as the fields in their order, which nobody means.
    let fields: Result<Map<String, Value>, _> = serde_json::from_slice(bytes);
    fields
        .and_then(|fields| serde_json::from_value(Value::Object(fields)))
        .map_err(|error| unusable(&error))
}

/// What cannot be read, and why. What something is called in here is nothing to whoever wrote it.
fn unusable(error: &serde_json::Error) -> ApiError {
    let why = error.to_string();
    let why = match why.rsplit_once("expected struct ") {
        Some((before, after)) => {
            let rest = after.find(' ').map_or("", |end| &after[end..]);
            format!("{before}expected an object{rest}")
        }
        None => why,
    };
    ApiError::bad_request(format!("the body cannot be used: {why}"))
}

async fn read(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let promised = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let mut chunks = body.into_data_stream();
    // Nearly every message arrives in one piece, which then needs no copy.
    let mut whole = Bytes::new();
    let mut joined = Vec::new();
    let mut seen = 0usize;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|error| cut_off(&error))?;
        seen = seen.saturating_add(chunk.len());
        if seen > DISCARDED_BYTES_MAX.max(limit) {
            break;
        }
        if seen.max(promised) > limit {
            continue;
        }
        if seen == chunk.len() {
            whole = chunk;
        } else {
            if joined.is_empty() {
                joined.extend_from_slice(&whole);
            }
            joined.extend_from_slice(&chunk);
        }
    }
    if seen.max(promised) > limit {
        return Err(over(limit));
    }
    Ok(if joined.is_empty() {
        whole
    } else {
        joined.into()
    })
}

fn over(limit: usize) -> ApiError {
    ApiError::too_large(format!("the body is larger than {} KiB", limit / 1024))
}

fn cut_off(error: &axum::Error) -> ApiError {
    ApiError::bad_request(format!("the body ended early: {error}"))
}

fn too_slow() -> ApiError {
    ApiError::new(
        Kind::TooSlow,
        format!("the body did not arrive within {} s", BODY_TIME.as_secs()),
        "send it again",
    )
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;
