//! `GET /api/v1/chats/{chat}/deliveries`: replies to a chat, in order, each once.
//!
//! With `wait=` an empty page is held back until something arrives. The watch begins before the rows
//! are read, so a reply that is sent in between is not missed; the rows are read again every few
//! seconds in any case, because another node's deliveries are not heard of here.

use angelia_core::address::AccountId;
use angelia_core::limits;
use angelia_core::outbound::Delivery as Row;
use angelia_core::time::Span;
use angelia_store::views::{Page as Rows, Range};
use axum::Extension;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use crate::error::ApiError;
use crate::params::{self, Params, Segment};
use crate::server::Closing;
use crate::state::Shared;
use crate::wire::v1::delivery::Delivery;
use crate::wire::v1::inbox::Entrance;
use crate::wire::v1::page::Page;

/// The longest an empty page is held back.
const WAIT_SECONDS_MAX: i64 = 30;

/// The query.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    #[serde(default)]
    platform: Entrance,
    after: Option<String>,
    limit: Option<usize>,
    #[serde(default)]
    wait: i64,
}

/// The chat that is read.
struct Lane {
    account: AccountId,
    chat: String,
    range: Range,
}

/// Lists replies, or waits for one.
pub(super) async fn list(
    State(shared): State<Shared>,
    Segment(chat): Segment,
    Params(query): Params<Query>,
    closing: Option<Extension<Closing>>,
) -> Result<Json<Page<Delivery>>, ApiError> {
    let wait = wait(query.wait)?;
    let lane = Lane {
        account: AccountId::of(query.platform.into()),
        chat,
        range: params::range(query.after, query.limit)?,
    };
    let page = match wait {
        None => lane.read(&shared).await?,
        Some(span) => {
            let closing = closing
                .map(|Extension(closing)| closing)
                .unwrap_or_default();
            lane.follow(&shared, span, closing).await?
        }
    };
    Ok(Json(Page::of(page)))
}

fn wait(seconds: i64) -> Result<Option<Span>, ApiError> {
    match seconds {
        0 => Ok(None),
        1..=WAIT_SECONDS_MAX => Ok(Some(Span::seconds(seconds))),
        _ => Err(ApiError::bad_request(format!(
            "`wait` is {seconds}; it must be from 0 to {WAIT_SECONDS_MAX} seconds"
        ))),
    }
}

impl Lane {
    async fn read(&self, shared: &Shared) -> Result<Rows<Row>, ApiError> {
        let store = &shared.ground().store;
        let page = store.sent_to(&self.account, &self.chat, self.range.clone());
        shared.stored(page.await)
    }

    async fn follow(
        &self,
        shared: &Shared,
        wait: Span,
        closing: Closing,
    ) -> Result<Rows<Row>, ApiError> {
        let ground = shared.ground();
        let until = ground.env.steady() + wait.to_std();
        let mut ear = ground.bells.chats.listen(&self.account, &self.chat);
        let phase = ground.phase.clone();
        loop {
            let page = self.read(shared).await?;
            let again = ground.env.steady() + limits::LOOP_PERIOD.to_std();
            if !page.items.is_empty() || ground.env.steady() >= until {
                return Ok(page);
            }
            tokio::select! {
                biased;
                () = closing.0.cancelled() => return Ok(page),
                // Another node may have delivered what this one answered, and its bell come too late.
                () = phase.stopping() => return self.read(shared).await,
                () = ear.heard() => (),
                () = tokio::time::sleep_until(again.min(until)) => (),
            }
        }
    }
}
