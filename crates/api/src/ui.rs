//! The console's files: inside the binary, or from the disk in a debug build.
//!
//! `/` is the page, `/assets/…` everything it refers to. A browser asks each time whether its copy is
//! still good, which costs one small answer and never shows yesterday's console. Nothing here is
//! secret: the page asks for the token itself.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::auth::hex;
use crate::error::ApiError;
use crate::params::Segment;

#[derive(RustEmbed)]
#[folder = "../../web/app"]
struct Files;

const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// The page.
pub(crate) async fn page(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// What the page refers to.
pub(crate) async fn asset(Segment(path): Segment, headers: HeaderMap) -> Response {
    file(&path, &headers)
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    let Some(found) = Files::get(path) else {
        return ApiError::not_found(format!("the console has no file {path}")).into_response();
    };
    let tag = tag(&found);
    let is_known = headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| is_among(known, &tag));
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(found.data).into_response()
    };
    let kind = HeaderValue::from_static(content_type(path));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, REVALIDATE);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn tag(file: &EmbeddedFile) -> String {
    format!("\"{}\"", hex(&file.metadata.sha256_hash()[..16]))
}

/// Whether `tag` is among those that the browser has.
fn is_among(known: &HeaderValue, tag: &str) -> bool {
    let known = known.to_str().unwrap_or_default();
    known
        .split(',')
        .map(|each| each.trim().trim_start_matches("W/"))
        .any(|each| each == tag || each == "*")
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
