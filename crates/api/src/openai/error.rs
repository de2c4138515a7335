//! Errors in OpenAI's shape.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::error::{ApiError, Kind};

/// OpenAI's clients try again after most errors unless told not to. A turn that failed has already
/// been answered with words; asking again would start another.
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");

/// An error that leaves in OpenAI's shape.
#[derive(Debug, Clone)]
pub(crate) struct Failure(pub(crate) ApiError);

/// The body.
#[derive(Debug, Serialize)]
pub(crate) struct Body {
    error: Detail,
}

#[derive(Debug, Serialize)]
struct Detail {
    message: String,
    #[serde(rename = "type")]
    kind: &'static str,
    code: &'static str,
    param: Option<String>,
}

impl Failure {
    /// The body, also for an error in the middle of a stream.
    pub(crate) fn body(&self) -> Body {
        let Self(error) = self;
        Body {
            error: Detail {
                message: self.words(),
                kind: kind(error.kind),
                code: error.kind.code(),
                param: error.field.clone(),
            },
        }
    }
}

impl Failure {
    /// What happened, and what to do next.
    pub(crate) fn words(&self) -> String {
        let Self(error) = self;
        if error.hint.is_empty() {
            error.message.clone()
        } else {
            format!("{}; {}", error.message, error.hint)
        }
    }
}

impl<E: Into<ApiError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.0.kind.status(), Json(self.body())).into_response();
        let headers = response.headers_mut();
        if self.0.kind == Kind::AgentFailed {
            headers.insert(SHOULD_RETRY, HeaderValue::from_static("false"));
        }
        if let Some(seconds) = self.0.kind.retry_after() {
            headers.insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Unauthorized => "authentication_error",
        Kind::Forbidden => "permission_error",
        Kind::NotFound => "not_found_error",
        Kind::TooManyWaiting => "rate_limit_error",
        Kind::BadRequest
        | Kind::MethodNotAllowed
        | Kind::TooSlow
        | Kind::Conflict
        | Kind::TooLarge
        | Kind::UnsupportedMedia
        | Kind::UnsupportedContent
        | Kind::BadImageUrl
        | Kind::BadPart => "invalid_request_error",
        Kind::AgentFailed | Kind::Draining | Kind::Unavailable | Kind::NoRoom => "server_error",
    }
}
