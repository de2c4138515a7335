//! Signing in and out from a browser.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use crate::auth::Locks;
use crate::body;
use crate::error::ApiError;
use crate::state::Shared;
use crate::wire::v1::sign_in::{Me, SignInRequest};

/// A token and its braces.
const BODY_BYTES_MAX: usize = 4 * 1024;

/// Trades the token for the cookie.
pub(super) async fn sign_in(
    State(shared): State<Shared>,
    body: Body,
) -> Result<impl IntoResponse, ApiError> {
    let SignInRequest { token } = body::json(body, BODY_BYTES_MAX).await?;
    if !shared.locks.opens(token.trim()) {
        return Err(ApiError::unauthorized("the token is not this gateway's"));
    }
    let cookie = [(header::SET_COOKIE, shared.locks.sign_in_cookie())];
    Ok((StatusCode::NO_CONTENT, cookie))
}

/// Takes the cookie back.
pub(super) async fn sign_out() -> impl IntoResponse {
    let cookie = [(header::SET_COOKIE, Locks::sign_out_cookie())];
    (StatusCode::NO_CONTENT, cookie)
}

/// Answers whoever was let in.
pub(super) async fn me() -> Json<Me> {
    Json(Me { signed_in: true })
}
