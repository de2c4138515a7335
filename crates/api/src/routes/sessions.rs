//! `GET /api/v1/sessions…`: conversations and what was said in them.

use angelia_core::address::Platform;
use angelia_core::id::SessionId;
use angelia_store::titles::Found;
use angelia_store::views::{Reading, SessionFilter, Shown};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use crate::error::{ApiError, Kind};
use crate::params::{self, Params, Segment};
use crate::state::{Inner, Shared};
use crate::wire::v1::change::FoundSession;
use crate::wire::v1::facts::Usage;
use crate::wire::v1::page::Page;
use crate::wire::v1::session::{Entry, LifeChoice, Order, Session, SessionDetail};

/// The most characters of a text that is looked for in a list.
const TEXT_CHARS_MAX: usize = 200;

/// The query of a list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Narrowed {
    platform: Option<Platform>,
    chat: Option<String>,
    #[serde(default)]
    life: LifeChoice,
    q: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
}

/// The query of a transcript.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    #[serde(default)]
    order: Order,
    #[serde(default)]
    all: bool,
    after: Option<String>,
    limit: Option<usize>,
}

/// Lists conversations, most recently active first.
pub(super) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<Narrowed>,
) -> Result<Json<Page<Session>>, ApiError> {
    let range = params::range(query.after.clone(), query.limit)?;
    let filter = query.filter()?;
    let page = shared.stored(shared.ground().store.sessions(filter, range).await)?;
    Ok(Json(Page::of(page)))
}

impl Narrowed {
    fn filter(self) -> Result<SessionFilter, ApiError> {
        let text = self.q.filter(|text| !text.is_empty());
        let chars = text.as_ref().map_or(0, |text| text.chars().count());
        if chars > TEXT_CHARS_MAX {
            let said = format!("`q` has {chars} characters; it may have {TEXT_CHARS_MAX}");
            return Err(ApiError::bad_request(said));
        }
        Ok(SessionFilter {
            platform: self.platform,
            chat: self.chat,
            life: self.life.into(),
            text,
        })
    }
}

/// Shows one conversation.
pub(super) async fn show(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<Json<SessionDetail>, ApiError> {
    let session: SessionId = segment.id()?;
    Ok(Json(detail(&shared, session).await?))
}

/// Everything that is known of one conversation.
pub(super) async fn detail(shared: &Inner, session: SessionId) -> Result<SessionDetail, ApiError> {
    let detail = shared.stored(shared.ground().store.session(session).await)?;
    let detail = detail.ok_or_else(|| missing(session))?;
    let store = &shared.ground().store;
    let used = shared.stored(store.usage(session).await)?;
    let used = used.map(|used| Usage::from(used.total));
    let family = shared.stored(store.family(session).await)?;
    let tip = family.map(|family| family.tip(session));
    let continuation = tip.filter(|tip| *tip != session);
    Ok(SessionDetail::of(
        detail,
        used.unwrap_or_default(),
        continuation,
    ))
}

/// The query of a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    r#ref: String,
}

/// Finds the conversation that a text stands for.
pub(super) async fn find(
    State(shared): State<Shared>,
    Params(Named { r#ref: text }): Params<Named>,
) -> Result<Json<FoundSession>, ApiError> {
    let shown: String = text.chars().take(TEXT_CHARS_MAX).collect();
    if shown.len() < text.len() {
        return Err(ApiError::bad_request("`ref` is longer than any title"));
    }
    match shared.stored(shared.ground().store.find(&text).await)? {
        Found::One(id) => Ok(Json(FoundSession { id })),
        Found::Several => Err(ApiError::new(
            Kind::Conflict,
            format!("several sessions have an id that begins with `{shown}`"),
            "write more of the id, or the title",
        )),
        Found::Nothing => Err(ApiError::not_found(format!(
            "no session has the id or the title `{shown}`"
        ))),
    }
}

/// Tells what was said.
pub(super) async fn transcript(
    State(shared): State<Shared>,
    segment: Segment,
    Params(query): Params<Query>,
) -> Result<Json<Page<Entry>>, ApiError> {
    let session: SessionId = segment.id()?;
    let range = params::range(query.after, query.limit)?;
    let shown = if query.all {
        Shown::All
    } else {
        Shown::Visible
    };
    let order = query.order.into();
    let store = &shared.ground().store;
    let page = store
        .transcript(session, Reading { order, shown }, range)
        .await;
    let page = shared.stored(page)?.ok_or_else(|| missing(session))?;
    Ok(Json(Page::of(page)))
}

pub(super) fn missing(session: SessionId) -> ApiError {
    ApiError::not_found(format!("there is no session {session}"))
}
