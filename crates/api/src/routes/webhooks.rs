//! `POST /webhooks/{account}`: what a platform pushes. It shows a word of its own, not our token.

use angelia_core::limits;
use angelia_gateway::pushes::{Request, Unpushed};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};

use crate::body;
use crate::error::ApiError;
use crate::params::Segment;
use crate::state::Shared;

/// The header in which Telegram shows its word.
const WORD: &str = "x-telegram-bot-api-secret-token";

/// Takes a request. The answer follows the commit; it says nothing that a stranger could use.
pub(super) async fn take(
    State(shared): State<Shared>,
    Segment(account): Segment,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, ApiError> {
    let body = body::bytes(body, limits::platform::PUSH_BYTES_MAX).await?;
    let request = Request {
        account: &account,
        secret: headers.get(WORD).and_then(|word| word.to_str().ok()),
        body: &body,
    };
    Ok(match shared.api.gateway.pushed(request).await {
        Ok(()) => StatusCode::OK,
        Err(Unpushed::NotHere) => StatusCode::NOT_FOUND,
        Err(Unpushed::Forbidden) => StatusCode::FORBIDDEN,
        Err(Unpushed::Unreadable) => StatusCode::BAD_REQUEST,
        Err(Unpushed::NotNow) => StatusCode::SERVICE_UNAVAILABLE,
    })
}
