//! `/api/v1/usage`: what was spent on models, and what may be.

use angelia_core::limits;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use crate::error::ApiError;
use crate::params::Params;
use crate::state::Shared;
use crate::wire::v1::usage::{Day, UsageReport};

/// Days that are told unless somebody asks for more.
const DAYS: usize = 7;

/// The query of the listing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    days: Option<usize>,
}

/// Tells what was spent in the last days on which anything was.
pub(super) async fn report(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
) -> Result<Json<UsageReport>, ApiError> {
    let days = query.days.unwrap_or(DAYS);
    if !(1..=limits::SPENT_DAYS_MAX).contains(&days) {
        let most = limits::SPENT_DAYS_MAX;
        let said = format!("`days` is {days}; it must be from 1 to {most}");
        return Err(ApiError::bad_request(said));
    }
    let (store, budget) = (&shared.ground().store, shared.api.gateway.budget());
    Ok(Json(UsageReport {
        today: shared.stored(store.today().await)?,
        items: Day::all(shared.stored(store.spent(days).await)?),
        reserved: shared.stored(store.reserved().await)?.into(),
        caps: (*budget.caps).into(),
        prices_as_of: budget.prices.as_of().to_owned(),
    }))
}
