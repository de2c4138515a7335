//! `POST /api/v1/inbox`: a message in. `GET /api/v1/messages/{inbox}`: what became of it.

use angelia_core::id::InboxId;
use angelia_core::inbound::Inbound;
use angelia_core::limits;
use angelia_gateway::door::Shut;
use angelia_store::intake::Accepted;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;

use super::media;
use crate::body;
use crate::error::ApiError;
use crate::params::Segment;
use crate::state::{Inner, Shared};
use crate::wire::v1::inbox::{self as wire, Arrival, InboxRequest};
use crate::wire::v1::message::Message;

/// The longest text with every character escaped, and room for the names around it.
const BODY_BYTES_MAX: usize = limits::TEXT_BYTES_MAX * 6 + 16 * 1024;

/// Takes a message. The answer follows the commit.
pub(super) async fn accept(
    State(shared): State<Shared>,
    body: Body,
) -> Result<(StatusCode, Json<wire::Accepted>), ApiError> {
    let mut request: InboxRequest = body::json(body, BODY_BYTES_MAX).await?;
    named(&request.chat, "chat")?;
    named(&request.message_id, "message_id")?;
    let attachments = std::mem::take(&mut request.attachments);
    let mut inbound = Inbound::from(request);
    inbound.pictures = media::named(&shared, attachments).await?;
    let accepted = shared.api.gateway.door().accept(inbound, None).await;
    let answer = match opened(&shared, accepted)? {
        Accepted::New(place) => wire::Accepted::of(&place, Arrival::New),
        Accepted::Duplicate(place) => wire::Accepted::of(&place, Arrival::Repeated),
        Accepted::Refused(refusal) => return Err(refusal.into()),
    };
    Ok((StatusCode::ACCEPTED, Json(answer)))
}

/// Tells everything that happened to a message.
pub(super) async fn story(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<Json<Message>, ApiError> {
    let inbox: InboxId = segment.id()?;
    let story = shared.stored(shared.ground().store.story(inbox).await)?;
    let story = story.ok_or_else(|| ApiError::not_found(format!("there is no message {inbox}")))?;
    Ok(Json(story.into()))
}

/// What the in-door said. A damaged store ends the node, as everywhere.
pub(super) fn opened(
    shared: &Inner,
    accepted: Result<Accepted, Shut>,
) -> Result<Accepted, ApiError> {
    match accepted {
        Ok(accepted) => Ok(accepted),
        Err(Shut::Draining) => Err(Shut::Draining.into()),
        Err(Shut::Store(error)) => shared.stored(Err(error)),
    }
}

/// An empty chat or id would make different messages look like one, and no address can name a chat
/// called `.` or `..`: clients take these for directions.
fn named(value: &str, field: &str) -> Result<(), ApiError> {
    if matches!(value, "" | "." | "..") {
        let said = format!("`{field}` is `{value}`; it must name something");
        return Err(ApiError::bad_request(said));
    }
    Ok(())
}
