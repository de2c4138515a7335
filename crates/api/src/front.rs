//! The front of the house: who may enter, and what every answer carries.
//!
//! One layer around all routes. Health, readiness, the console's own files, its sign-in and what platforms
//! push are open; everything else, also what does not exist, needs the token or the cookie.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::auth;
use crate::error::{ApiError, Kind};
use crate::openai;
use crate::state::Shared;

const CONTENT_SECURITY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'self'",
);
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Whether a path can be called by anyone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Open,
    /// Open, and only from our own page: it sets or clears the cookie.
    OwnPage,
    Guarded,
}

fn access(path: &str) -> Access {
    match path {
        "/" | "/health" | "/ready" => Access::Open,
        "/api/v1/sign-in" | "/api/v1/sign-out" => Access::OwnPage,
        // Platforms show a word of their own there.
        _ if path.starts_with("/assets/") || path.starts_with("/webhooks/") => Access::Open,
        _ => Access::Guarded,
    }
}

/// Lets a request in and seals its answer.
pub(crate) async fn front(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let (method, headers) = (request.method().clone(), request.headers());
    let uri = request.uri().clone();
    let admitted = match access(uri.path()) {
        Access::Open => Ok(()),
        Access::OwnPage => auth::from_our_page(headers),
        Access::Guarded => shared.locks.admit(&method, headers),
    };
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(error) => shaped(error, &uri),
    };
    // Without the query: it may hold what nobody meant for a log.
    tracing::debug!(%method, path = uri.path(), status = response.status().as_u16(), "answered");
    seal(response.headers_mut());
    response
}

/// The answer to a path that leads nowhere.
pub(crate) async fn nowhere(uri: Uri) -> Response {
    let error = ApiError::new(
        Kind::NotFound,
        format!("there is nothing at {}", uri.path()),
        "docs/http.md lists every address",
    );
    shaped(error, &uri)
}

/// The answer to a method that a path does not know.
pub(crate) async fn wrong_method(method: Method, uri: Uri) -> Response {
    let error = ApiError::new(
        Kind::MethodNotAllowed,
        format!("{} does not take {method}", uri.path()),
        "the `Allow` header names the methods it takes",
    );
    shaped(error, &uri)
}

/// An error in the shape that callers of this path understand.
fn shaped(error: ApiError, uri: &Uri) -> Response {
    if uri.path().starts_with("/v1/") {
        openai::error::Failure(error).into_response()
    } else {
        error.into_response()
    }
}

fn seal(headers: &mut HeaderMap) {
    const POLICY: HeaderName = header::CONTENT_SECURITY_POLICY;
    headers.insert(POLICY, CONTENT_SECURITY);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
    headers.insert(header::REFERRER_POLICY, NO_REFERRER);
    // Answers hold people's words: nobody on the way may keep them, unless the route says otherwise.
    headers.entry(header::CACHE_CONTROL).or_insert(NO_STORE);
}
