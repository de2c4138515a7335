//! `POST /v1/responses`.

use angelia_core::address::Platform;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};

use super::openai::{asked, names, take};
use crate::error::{ApiError, Kind};
use crate::openai::ask::Names;
use crate::openai::error::Failure;
use crate::openai::responses::events;
use crate::openai::responses::read::{self, Asked};
use crate::openai::responses::shapes::{Frame, State as Answer};
use crate::state::Shared;

/// Puts the message in and answers with its reply.
pub(super) async fn respond(
    State(shared): State<Shared>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let asked: Asked = asked(&shared, &headers, body).await?;
    let request = read::request(&asked)?;
    let mut names = names(&shared, &headers)?;
    if let Some(previous) = &asked.previous_response_id {
        names.session = Some(session(&shared, previous, &names).await?);
    }
    let taken = take(&shared, request, &names).await?;
    let frame = Frame {
        head: taken.head(&shared, read::id(taken.inbox)),
        instructions: asked.instructions,
        previous: asked.previous_response_id,
    };
    let waiter = taken.waiter(&shared);
    let answer = match asked.stream {
        Some(true) => Sse::new(events::stream(waiter, frame))
            .keep_alive(KeepAlive::default())
            .into_response(),
        Some(false) | None => {
            Json(frame.response(Answer::Done(&waiter.answer().await?))).into_response()
        }
    };
    Ok(taken.named(answer))
}

/// The name of the conversation that a response belongs to. It goes on where it is now, also if others were said since.
async fn session(shared: &Shared, previous: &str, names: &Names) -> Result<String, ApiError> {
    let story = match read::answers(previous) {
        Some(inbox) => shared.stored(shared.ground().store.story(inbox).await)?,
        None => None,
    };
    let address = story.map(|story| story.inbound.address);
    let address = address.filter(|address| address.platform == Platform::Api);
    let chat = address.ok_or_else(unknown)?.chat.id;
    match &names.session {
        Some(other) if *other != chat => Err(another()),
        Some(_) | None => Ok(chat),
    }
}

fn unknown() -> ApiError {
    let hint = "leave it out and send what was said as `input`, or keep a conversation with the header \
                `X-Angelia-Session`";
    let said =
        "`previous_response_id` is no response of this gateway, or its conversation was deleted";
    ApiError::new(Kind::BadRequest, said, hint).of_field("previous_response_id".to_owned())
}

fn another() -> ApiError {
    let hint = "leave one of them out";
    let said =
        "`previous_response_id` belongs to another conversation than `X-Angelia-Session` names";
    ApiError::new(Kind::BadRequest, said, hint).of_field("previous_response_id".to_owned())
}
