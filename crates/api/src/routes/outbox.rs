//! `GET /api/v1/outbox`: deliveries by state; and the two wishes of an operator, retry and drop.

use angelia_core::id::DeliveryId;
use angelia_store::outbox::Changed;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use crate::error::{ApiError, Kind};
use crate::params::{self, Params, Segment};
use crate::state::{Inner, Shared};
use crate::wire::v1::delivery::{Delivery, OutboxState};
use crate::wire::v1::page::Page;

/// The query.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    #[serde(default)]
    state: OutboxState,
    after: Option<String>,
    limit: Option<usize>,
}

/// Lists deliveries.
pub(super) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
) -> Result<Json<Page<Delivery>>, ApiError> {
    let range = params::range(query.after, query.limit)?;
    let store = &shared.ground().store;
    let page = store.deliveries(query.state.into(), range).await;
    Ok(Json(Page::of(shared.stored(page)?)))
}

/// Makes a delivery due now.
pub(super) async fn retry(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<Json<Delivery>, ApiError> {
    let id: DeliveryId = segment.id()?;
    let changed = shared.stored(shared.ground().store.retry_delivery(id).await)?;
    answer(&shared, id, changed)
}

/// Gives a delivery up.
pub(super) async fn drop(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<Json<Delivery>, ApiError> {
    let id: DeliveryId = segment.id()?;
    let changed = shared.stored(shared.ground().store.drop_delivery(id).await)?;
    answer(&shared, id, changed)
}

/// Either wish may set a lane going again: the courier looks, and watchers hear of it.
fn answer(shared: &Inner, id: DeliveryId, changed: Changed) -> Result<Json<Delivery>, ApiError> {
    match changed {
        Changed::Done(delivery) => {
            let ground = shared.ground();
            ground.bells.outbox(&delivery.address.account).ring();
            ground.feed.publish_delivery(delivery.clone());
            Ok(Json(delivery.into()))
        }
        Changed::NotFound => Err(ApiError::not_found(format!("there is no delivery {id}"))),
        Changed::NotNow(delivery) => Err(ApiError::new(
            Kind::Conflict,
            format!("the delivery {id} is {}", delivery.state.name()),
            "only a delivery that is due or wedged can be retried or dropped",
        )),
    }
}
