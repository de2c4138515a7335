//! `GET /api/v1/sessions…`: conversations and what was said in them.

use angelia_core::id::SessionId;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use crate::error::ApiError;
use crate::params::{self, PageParams, Params, Segment};
use crate::state::Shared;
use crate::wire::v1::page::Page;
use crate::wire::v1::session::{Entry, Order, Session, SessionDetail};

/// The query of a transcript.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    #[serde(default)]
    order: Order,
    after: Option<String>,
    limit: Option<usize>,
}

/// Lists conversations, most recently active first.
pub(super) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<PageParams>,
) -> Result<Json<Page<Session>>, ApiError> {
    let range = query.range()?;
    let page = shared.stored(shared.ground().store.sessions(range).await)?;
    Ok(Json(Page::of(page)))
}

/// Shows one conversation.
pub(super) async fn show(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<Json<SessionDetail>, ApiError> {
    let session: SessionId = segment.id()?;
    let detail = shared.stored(shared.ground().store.session(session).await)?;
    let detail = detail.ok_or_else(|| missing(session))?;
    Ok(Json(detail.into()))
}

/// Tells what was said.
pub(super) async fn transcript(
    State(shared): State<Shared>,
    segment: Segment,
    Params(query): Params<Query>,
) -> Result<Json<Page<Entry>>, ApiError> {
    let session: SessionId = segment.id()?;
    let range = params::range(query.after, query.limit)?;
    let store = &shared.ground().store;
    let page = store.transcript(session, query.order.into(), range).await;
    let page = shared.stored(page)?.ok_or_else(|| missing(session))?;
    Ok(Json(Page::of(page)))
}

fn missing(session: SessionId) -> ApiError {
    ApiError::not_found(format!("there is no session {session}"))
}
