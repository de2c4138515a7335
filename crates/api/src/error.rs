//! The one error of the interface, and its one way out.
//!
//! A kind decides the status and the code; the words say what happened and what to do next. The
//! OpenAI-compatible routes tell the same kinds in their own shape.

use angelia_core::intake::Refusal;
use angelia_gateway::door::Shut;
use angelia_store::StoreError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::wire::v1::problem::{Problem, ProblemDetail};

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    TooSlow,
    Conflict,
    TooLarge,
    UnsupportedMedia,
    UnsupportedContent,
    BadImageUrl,
    BadPart,
    NoRoom,
    TooManyWaiting,
    AgentFailed,
    Draining,
    Unavailable,
}

impl Kind {
    pub(crate) const fn status(self) -> StatusCode {
        match self {
            Self::BadRequest | Self::UnsupportedContent | Self::BadImageUrl | Self::BadPart => {
                StatusCode::BAD_REQUEST
            }
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Conflict => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::NoRoom => StatusCode::INSUFFICIENT_STORAGE,
            Self::TooManyWaiting => StatusCode::TOO_MANY_REQUESTS,
            Self::AgentFailed => StatusCode::BAD_GATEWAY,
            Self::Draining | Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The short name that programs may branch on.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::BadRequest => "bad_request",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::TooSlow => "too_slow",
            Self::Conflict => "conflict",
            Self::TooLarge => "too_large",
            Self::UnsupportedMedia => "unsupported_media_type",
            Self::UnsupportedContent => "unsupported_content_type",
            Self::BadImageUrl => "invalid_image_url",
            Self::BadPart => "invalid_content_part",
            Self::NoRoom => "no_room",
            Self::TooManyWaiting => "too_many_waiting",
            Self::AgentFailed => "agent_failed",
            Self::Draining => "draining",
            Self::Unavailable => "unavailable",
        }
    }
}

impl Kind {
    /// In how many seconds the same request may succeed, where only time is missing.
    pub(crate) fn retry_after(self) -> Option<HeaderValue> {
        let passes = matches!(
            self,
            Self::TooManyWaiting | Self::Draining | Self::Unavailable
        );
        passes.then(|| HeaderValue::from_static("1"))
    }
}

/// Why a request had no success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) kind: Kind,
    /// What happened, to what.
    pub(crate) message: String,
    /// What to do next.
    pub(crate) hint: &'static str,
    /// Which field of the request is meant, for callers of OpenAI's interface.
    pub(crate) field: Option<String>,
}

impl ApiError {
    pub(crate) fn new(kind: Kind, message: impl Into<String>, hint: &'static str) -> Self {
        Self {
            kind,
            message: message.into(),
            hint,
            field: None,
        }
    }

    /// The same, about one field of the request.
    pub(crate) fn of_field(mut self, field: String) -> Self {
        self.field = Some(field);
        self
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        let hint = "correct the request; docs/http.md shows every call and its fields";
        Self::new(Kind::BadRequest, message, hint)
    }

    pub(crate) fn unauthorized(message: &str) -> Self {
        let hint = "send `Authorization: Bearer <token>`; the token is in the file `api-token` of \
                    the gateway's home";
        Self::new(Kind::Unauthorized, message, hint)
    }

    pub(crate) fn forbidden() -> Self {
        Self::new(
            Kind::Forbidden,
            "the request came from another page",
            "use the console at its own address, or send the token",
        )
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        let hint = "check the id; the listings show what there is";
        Self::new(Kind::NotFound, message, hint)
    }

    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Self::new(Kind::TooLarge, message, "send less at once")
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let hint = "try again soon; `angelia status` says what is wrong";
        Self::new(Kind::Unavailable, error.to_string(), hint)
    }
}

impl From<Shut> for ApiError {
    fn from(shut: Shut) -> Self {
        match shut {
            Shut::Draining => Self::new(
                Kind::Draining,
                "the gateway is stopping and takes nothing new",
                "send it again once the gateway is back",
            ),
            Shut::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let said = refusal.to_string();
        match refusal {
            Refusal::NoPerson | Refusal::NoChat | Refusal::Empty | Refusal::NameTooLong => {
                Self::bad_request(said)
            }
            Refusal::Stranger => {
                Self::new(Kind::Forbidden, said, "name the sender in `access.allow`")
            }
            Refusal::TooLong | Refusal::ManyPictures => Self::too_large(said),
            Refusal::Full => Self::new(
                Kind::TooManyWaiting,
                format!("{said}; nothing was stored"),
                "wait for a reply, then send it again",
            ),
            Refusal::Forgotten | Refusal::Read | Refusal::NoPicture => Self::not_found(said),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let detail = ProblemDetail {
            code: self.kind.code().to_owned(),
            message: self.message,
            hint: self.hint.to_owned(),
        };
        let mut response = (self.kind.status(), Json(Problem { error: detail })).into_response();
        let headers = response.headers_mut();
        if self.kind == Kind::Unauthorized {
            let scheme = HeaderValue::from_static("Bearer");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        if let Some(seconds) = self.kind.retry_after() {
            headers.insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}
