//! `/api/v1/access`: strangers who wait to be let in, and leave to speak, listed, given and taken back.
//!
//! A code in a request is compared and forgotten: neither an answer nor a log repeats it.

use angelia_core::access::code::Code;
use angelia_core::access::grant::{By, Holder};
use angelia_core::address::{AccountId, Platform};
use angelia_core::limits;
use angelia_core::limits::access::WHY_BYTES_MAX;
use angelia_gateway::access::{self, Approved, Whom};
use angelia_store::access::{Give, GrantFilter, Which};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use serde::Deserialize;

use crate::body;
use crate::error::{ApiError, Kind};
use crate::params::{self, PageParams, Params, Segment};
use crate::state::Shared;
use crate::wire::v1::access::{ApproveWish, Grant, GrantWish, Knock, RevokeWish};
use crate::wire::v1::page::Page;
use crate::wire::v1::time::Time;

/// Which grants.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Choice {
    #[default]
    Held,
    All,
}

/// The query of the listing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    #[serde(default)]
    state: Choice,
    after: Option<String>,
    limit: Option<usize>,
}

type Answer = Result<Json<Grant>, ApiError>;

/// Lists who waits, newest first.
pub(super) async fn knocks(
    State(shared): State<Shared>,
    Params(rows): Params<PageParams>,
) -> Result<Json<Page<Knock>>, ApiError> {
    let page = shared.ground().store.knocks(rows.range()?).await;
    Ok(Json(Page::of(shared.stored(page)?)))
}

/// Lists who may speak by leave of somebody, newest first.
pub(super) async fn grants(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
) -> Result<Json<Page<Grant>>, ApiError> {
    let range = params::range(query.after, query.limit)?;
    let filter = match query.state {
        Choice::Held => GrantFilter::Held,
        Choice::All => GrantFilter::All,
    };
    let page = shared.ground().store.grants(filter, range).await;
    Ok(Json(Page::of(shared.stored(page)?)))
}

/// Lets somebody in who knocked. Again, it answers with what they have.
pub(super) async fn approve(State(shared): State<Shared>, body: Body) -> Answer {
    let wish: ApproveWish = body::wish(body).await?;
    let whom = whom(&wish)?;
    let (role, why) = (wish.role.into(), reason(wish.why)?);
    let approved = access::approve(shared.ground(), whom, role, why).await;
    match shared.stored(approved)? {
        Approved::Done(grant) => Ok(Json((*grant).into())),
        Approved::Nobody => Err(nobody()),
        Approved::Locked(until) => Err(locked(until.into())),
    }
}

fn whom(wish: &ApproveWish) -> Result<Whom, ApiError> {
    match (&wish.code, wish.knock) {
        (None, Some(knock)) => Ok(Whom::Knock(knock)),
        (Some(code), None) => Code::read(code).map(Whom::Code).ok_or_else(nobody),
        (None, None) | (Some(_), Some(_)) => Err(ApiError::bad_request(
            "somebody is let in by their `code` or by their `knock`: say one of them",
        )),
    }
}

fn nobody() -> ApiError {
    ApiError::new(
        Kind::NotFound,
        "nobody waits who was given that code",
        "a code has 8 letters and digits and holds for an hour; `angelia access list` shows who waits",
    )
}

fn locked(until: Time) -> ApiError {
    ApiError::new(
        Kind::Conflict,
        format!("too many codes were wrong; none counts before {until}"),
        "let them in by their knock: `angelia access list` shows its id",
    )
}

/// Gives leave to somebody who did not knock.
pub(super) async fn give(State(shared): State<Shared>, body: Body) -> Answer {
    let wish: GrantWish = body::wish(body).await?;
    let (platform, account) = place(&shared, &wish.account)?;
    let person = wish.user_id.trim();
    if person.is_empty() || person.len() > limits::NAME_BYTES_MAX {
        return Err(ApiError::bad_request("`user_id` must name a person"));
    }
    let give = Give {
        grant: shared.ground().env.grant_id(),
        holder: Holder {
            platform,
            account,
            person: person.to_owned(),
            name: wish
                .name
                .filter(|name| name.len() <= limits::NAME_BYTES_MAX),
        },
        role: wish.role.into(),
        by: By::Token,
        why: reason(wish.why)?,
    };
    let given = shared.ground().store.give(give).await;
    Ok(Json(shared.stored(given)?.into()))
}

/// The account of that name, or the only one of that platform.
fn place(shared: &Shared, name: &str) -> Result<(Platform, AccountId), ApiError> {
    let all = shared.api.gateway.connections();
    let all = all
        .into_iter()
        .filter(|one| !Platform::HOUSE.contains(&one.platform));
    let all: Vec<_> = all.collect();
    let mut named = all.iter().filter(|one| one.account.0 == name);
    let mut of_platform = all.iter().filter(|one| one.platform.name() == name);
    let found = match (named.next(), of_platform.next(), of_platform.next()) {
        (Some(one), _, _) | (None, Some(one), None) => one,
        (None, _, _) => {
            return Err(ApiError::new(
                Kind::NotFound,
                format!("there is no account `{name}` whose people could be let in"),
                "`angelia platforms list` shows the accounts; those of the house are guarded by the token",
            ));
        }
    };
    Ok((found.platform, found.account.clone()))
}

/// Takes leave back.
pub(super) async fn revoke(State(shared): State<Shared>, segment: Segment, body: Body) -> Answer {
    let id = segment.id()?;
    let wish: RevokeWish = body::wish(body).await?;
    let why = reason(wish.why)?;
    let taken = shared
        .ground()
        .store
        .take_back(Which::Id(id), By::Token, why);
    let taken = shared.stored(taken.await)?;
    let taken = taken.ok_or_else(|| ApiError::not_found(format!("no grant {id} holds")))?;
    Ok(Json(taken.into()))
}

fn reason(why: Option<String>) -> Result<Option<String>, ApiError> {
    let why = why.map(|why| why.trim().to_owned());
    let why = why.filter(|why| !why.is_empty());
    match why {
        Some(why) if why.len() > WHY_BYTES_MAX => Err(ApiError::bad_request(format!(
            "`why` has at most {WHY_BYTES_MAX} bytes"
        ))),
        why => Ok(why),
    }
}
