//! `GET /api/v1/turns/{turn}/steps`: what a turn did until now.

use angelia_core::id::TurnId;
use axum::Json;
use axum::extract::State;

use crate::error::ApiError;
use crate::params::{PageParams, Params, Segment};
use crate::state::Shared;
use crate::wire::v1::step::Steps;

/// Lists what a turn did, in order.
pub(super) async fn steps(
    State(shared): State<Shared>,
    segment: Segment,
    Params(page): Params<PageParams>,
) -> Result<Json<Steps>, ApiError> {
    let turn: TurnId = segment.id()?;
    let ground = shared.ground();
    let read = shared.stored(ground.store.steps(turn, page.range()?).await)?;
    let missing = || ApiError::not_found(format!("there is no turn {turn}"));
    let read = read.ok_or_else(missing)?;
    Ok(Json(Steps::of(read, &ground.masker)))
}
