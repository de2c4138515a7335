//! Taking back: what was said (`rewind`), and what is being said (`stop`).

use angelia_core::id::{SessionId, TurnId};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_gateway::door::Shut;
use angelia_gateway::feed::Change as Told;
use angelia_store::intake::Accepted;
use angelia_store::transcripts::{By, Hide, Seen, Undo};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use serde::Deserialize;

use super::changes::{conflict, done, tell};
use super::sessions::missing;
use crate::body;
use crate::error::ApiError;
use crate::params::{Params, Segment};
use crate::state::{Inner, Shared};
use crate::wire::v1::change::{RewindWish, Rewound, Stopped};

/// The most turns that are taken back at once.
const TURNS_MAX: u32 = 1_000;

/// What a person writes to stop a turn.
const STOP: &str = "/stop";

/// The query of a plan.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    turns: Option<u32>,
}

/// Tells what taking back would hide.
pub(super) async fn plan(
    State(shared): State<Shared>,
    segment: Segment,
    Params(query): Params<Query>,
) -> Result<Json<Rewound>, ApiError> {
    let session: SessionId = segment.id()?;
    let plan = planned(&shared, session, query.turns.unwrap_or(1)).await?;
    Ok(Json(plan.into()))
}

/// Takes back.
pub(super) async fn rewind(
    State(shared): State<Shared>,
    segment: Segment,
    body: Body,
) -> Result<Json<Rewound>, ApiError> {
    let session: SessionId = segment.id()?;
    let rewound = match body::wish(body).await? {
        RewindWish {
            turns: Some(_),
            from: Some(_),
        } => return Err(ApiError::bad_request("give `turns` or `from`, not both")),
        RewindWish {
            from: Some(from), ..
        } => {
            let rows = hide(&shared, session, from, Seen::Anything).await?;
            Rewound {
                from,
                rows,
                turns: None,
                text: None,
            }
        }
        RewindWish { turns, from: None } => {
            let plan = planned(&shared, session, turns.unwrap_or(1)).await?;
            let rows = hide(&shared, session, plan.from, Seen::UpTo(plan.last)).await?;
            Rewound {
                rows,
                ..plan.into()
            }
        }
    };
    if rewound.rows > 0 {
        tell(&shared, session, Told::Rewound);
    }
    Ok(Json(rewound))
}

async fn planned(shared: &Inner, session: SessionId, turns: u32) -> Result<Undo, ApiError> {
    if !(1..=TURNS_MAX).contains(&turns) {
        let said = format!("`turns` is {turns}; it must be from 1 to {TURNS_MAX}");
        return Err(ApiError::bad_request(said));
    }
    let store = &shared.ground().store;
    if let Some(plan) = shared.stored(store.rewind_plan(session, turns).await)? {
        return Ok(plan);
    }
    let known = shared.stored(store.lookup(session).await)?;
    known.ok_or_else(|| missing(session))?;
    Err(conflict(
        format!("there is nothing to take back in the session {session}"),
        "say something in it first",
    ))
}

async fn hide(
    shared: &Inner,
    session: SessionId,
    from: u64,
    seen: Seen,
) -> Result<usize, ApiError> {
    let hide = Hide {
        session,
        by: By::Anyone,
        from,
        seen,
    };
    done(
        session,
        shared.stored(shared.ground().store.hide_from(hide).await)?,
    )
}

impl From<Undo> for Rewound {
    fn from(plan: Undo) -> Self {
        Self {
            from: plan.from,
            rows: plan.rows,
            turns: Some(plan.turns),
            text: Some(plan.text),
        }
    }
}

/// Ends the open turn.
///
/// The wish goes in like a person's `/stop`, at the place of the message that is being answered: it is
/// durable, also when another node runs the turn, and the chat is told. It is keyed by the turn, so that
/// asking again is the same wish.
pub(super) async fn stop(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<Json<Stopped>, ApiError> {
    let session: SessionId = segment.id()?;
    let detail = shared.stored(shared.ground().store.session(session).await)?;
    let detail = detail.ok_or_else(|| missing(session))?;
    let (Some(turn), Some(answered)) = (detail.turn, detail.unanswered.first()) else {
        return Ok(Json(Stopped { turn: None }));
    };
    let story = shared.stored(shared.ground().store.story(answered.inbox).await)?;
    let story = story.ok_or_else(|| missing(session))?;
    let accepted = shared
        .api
        .gateway
        .door()
        .accept(call_to_stop(turn.id, story.inbound), None)
        .await;
    match accepted {
        Ok(Accepted::New(_) | Accepted::Duplicate(_)) => (),
        Ok(Accepted::Refused(refusal)) => return Err(refusal.into()),
        Err(Shut::Store(error)) => return shared.stored(Err(error)),
        Err(shut @ Shut::Draining) => return Err(shut.into()),
    }
    let turn = Some(turn.id);
    Ok(Json(Stopped { turn }))
}

fn call_to_stop(turn: TurnId, answered: Inbound) -> Inbound {
    Inbound {
        event_key: EventKey::stop_of(turn),
        message_id: format!("stop-{turn}"),
        text: STOP.to_owned(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        ..answered
    }
}
