//! `/api/v1/approvals`: questions about commands, listed, shown and decided by an operator; and
//! what was agreed to for longer, listed and taken back.

use angelia_core::approval::Verdict;
use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_gateway::approvals;
use angelia_store::approvals::{ApprovalFilter, Ruled, Standing};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use serde::Deserialize;

use crate::body;
use crate::error::{ApiError, Kind};
use crate::params::{self, Params, Segment};
use crate::state::Shared;
use crate::wire::v1::approval::{Agreement, Approval, ApprovalWish};
use crate::wire::v1::page::Page;

/// Which questions.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Choice {
    #[default]
    All,
    Open,
}

/// The query of the listing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    session: Option<SessionId>,
    #[serde(default)]
    state: Choice,
    after: Option<String>,
    limit: Option<usize>,
}

type Answer = Result<Json<Approval>, ApiError>;

/// Lists questions, newest first.
pub(super) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
) -> Result<Json<Page<Approval>>, ApiError> {
    let range = params::range(query.after, query.limit)?;
    let filter = ApprovalFilter {
        session: query.session,
        standing: match query.state {
            Choice::All => Standing::Any,
            Choice::Open => Standing::Open,
        },
    };
    let page = shared.ground().store.approvals(filter, range).await;
    Ok(Json(Page::of(shared.stored(page)?)))
}

/// Shows one.
pub(super) async fn show(State(shared): State<Shared>, segment: Segment) -> Answer {
    let id = segment.id()?;
    let approval = shared.stored(shared.ground().store.approval(id).await)?;
    let approval =
        approval.ok_or_else(|| ApiError::not_found(format!("there is no question {id}")))?;
    Ok(Json(approval.into()))
}

/// The query of the listing of agreements.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rows {
    after: Option<String>,
    limit: Option<usize>,
}

/// Lists what was agreed to beyond one call and still holds, newest first.
pub(super) async fn grants(
    State(shared): State<Shared>,
    Params(rows): Params<Rows>,
) -> Result<Json<Page<Agreement>>, ApiError> {
    let range = params::range(rows.after, rows.limit)?;
    let page = shared.ground().store.agreements(range).await;
    Ok(Json(Page::of(shared.stored(page)?)))
}

/// Takes an agreement back.
pub(super) async fn revoke(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<Json<Agreement>, ApiError> {
    let id = segment.id()?;
    let revoked = shared.ground().store.revoke_agreement(id).await;
    let revoked = shared
        .stored(revoked)?
        .ok_or_else(|| ApiError::not_found(format!("no agreement holds from the question {id}")))?;
    Ok(Json(revoked.into()))
}

/// Decides one, once. The same decision again is answered like the first.
pub(super) async fn decide(State(shared): State<Shared>, segment: Segment, body: Body) -> Answer {
    let id = segment.id()?;
    let wish: ApprovalWish = body::wish(body).await?;
    let verdict = answerable(Verdict::from(wish))?;
    let decision = verdict.decision();
    let ruled = approvals::decide(shared.ground(), id, verdict).await;
    match shared.stored(ruled)? {
        Ruled::Now(approval) => Ok(Json((*approval).into())),
        Ruled::Unknown => Err(ApiError::not_found(format!("there is no question {id}"))),
        Ruled::Unfit => Err(ApiError::new(
            Kind::Conflict,
            format!("the question {id} cannot be decided so"),
            "one with `choices` wants `answered` and the words as `reason`; any other a yes or a no",
        )),
        Ruled::Before(approval) => match &approval.decided {
            Some(decided) if decided.decision != decision => Err(ApiError::new(
                Kind::Conflict,
                format!(
                    "the question {id} was decided before: {}",
                    decided.decision.name()
                ),
                "a question is decided once; `angelia approvals list` shows those that are open",
            )),
            Some(_) | None => Ok(Json((*approval).into())),
        },
    }
}

/// An answer has words, and no more than a message may have.
fn answerable(verdict: Verdict) -> Result<Verdict, ApiError> {
    match &verdict {
        Verdict::Answered(words) if words.is_empty() || words.len() > limits::TEXT_BYTES_MAX => {
            Err(ApiError::new(
                Kind::BadRequest,
                format!("an answer has from 1 to {} bytes", limits::TEXT_BYTES_MAX),
                "say it as `reason`",
            ))
        }
        Verdict::Answered(_) | Verdict::Granted(_) | Verdict::Denied(_) => Ok(verdict),
    }
}
