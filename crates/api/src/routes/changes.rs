//! `POST` and `DELETE` below `/api/v1/sessions`: the operator's wishes for a conversation.
//!
//! Each is one verb of the store, told to those who watch once it stands. What cannot be done now is a
//! `conflict` that says why. Asking again is safe wherever docs/http.md says so.

use angelia_core::agent::models::Models;
use angelia_core::command::reply;
use angelia_core::id::SessionId;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::time::Span;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::title::{Claim, Giver, Title};
use angelia_core::{length, limits};
use angelia_gateway::feed::Change as Told;
use angelia_store::Change;
use angelia_store::sessions::{Anew, At, Authority, Begun, Change as Stood, Switched};
use angelia_store::transcripts::{Branch, Then};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;

use super::sessions::{detail, missing};
use crate::body;
use crate::error::{ApiError, Kind};
use crate::params::Segment;
use crate::state::{Inner, Shared};
use crate::wire::v1::change::{
    self as wire, BranchWish, New, PruneWish, Pruned, ResumeWish, TitleWish,
};
use crate::wire::v1::facts::Model;
use crate::wire::v1::session::SessionDetail;

/// What most wishes are answered with: the conversation as it is now.
type Answer = Result<Json<SessionDetail>, ApiError>;

/// How often a pruning is repeated, at most: a house with more waits for the next call.
const PRUNINGS_MAX: usize = 1_000;

/// Begins anew in the place of a conversation.
pub(super) async fn begin(State(shared): State<Shared>, segment: Segment, body: Body) -> Answer {
    let session: SessionId = segment.id()?;
    let wish: New = body::wish(body).await?;
    let title = wish.title.as_deref().map(title).transpose()?;
    let ground = shared.ground();
    let new = wish.session_id.unwrap_or_else(|| ground.env.session_id());
    let anew = Anew {
        at: At::Session(session),
        session: new,
        why: Reason::NewSession,
        label: None,
        by: Authority::Operator,
    };
    match shared.stored(ground.store.begin_anew(anew).await)? {
        Begun::Anew { earlier } => {
            tell(&shared, earlier, Told::Ended);
            tell(&shared, new, Told::Began);
            ground.bells.inbox.ring();
        }
        Begun::Before => (),
        Begun::Busy => return Err(busy(session)),
        Begun::Unknown => return Err(not_current(&shared, session).await?),
    }
    call(&shared, new, title.flatten()).await?;
    Ok(Json(detail(&shared, new).await?))
}

/// Leads the place of a conversation to another one.
pub(super) async fn resume(State(shared): State<Shared>, segment: Segment, body: Body) -> Answer {
    let session: SessionId = segment.id()?;
    let ResumeWish { target } = body::wish(body).await?;
    let store = &shared.ground().store;
    let record = shared.stored(store.lookup(session).await)?;
    let began_in = At::Scope(record.ok_or_else(|| missing(session))?.scope);
    // Resuming a conversation into itself means the place that it began in.
    let at = if target == session {
        began_in.clone()
    } else {
        At::Session(session)
    };
    let switched = store.switch(at, target, Authority::Operator).await;
    match shared.stored(switched)? {
        Switched::Done { earlier } => {
            tell(&shared, earlier, Told::Ended);
            tell(&shared, target, Told::Resumed);
            shared.ground().bells.inbox.ring();
        }
        Switched::Same => (),
        Switched::Busy => return Err(busy(session)),
        Switched::UnknownTarget | Switched::Forbidden => return Err(missing(target)),
        Switched::UnknownPlace if speaks_in(&shared, &began_in, target).await? => (),
        Switched::UnknownPlace => return Err(not_current(&shared, session).await?),
    }
    Ok(Json(detail(&shared, target).await?))
}

/// Whether the place speaks in the conversation already: then the wish came before.
async fn speaks_in(shared: &Inner, at: &At, target: SessionId) -> Result<bool, ApiError> {
    let At::Scope(scope) = at else {
        return Ok(false);
    };
    let now = shared.stored(shared.ground().store.peek(scope).await)?;
    Ok(now == Some(target))
}

/// Goes another way from a conversation.
pub(super) async fn branch(State(shared): State<Shared>, segment: Segment, body: Body) -> Answer {
    let session: SessionId = segment.id()?;
    let wish: BranchWish = body::wish(body).await?;
    let title = wish.title.as_deref().map(title).transpose()?;
    let ground = shared.ground();
    let id = wish.session_id.unwrap_or_else(|| ground.env.session_id());
    let branch = Branch {
        session,
        id,
        up_to: wish.up_to,
        then: match wish.then {
            wire::Then::Stay => Then::Stay,
            wire::Then::Move => Then::MoveAll,
        },
    };
    done(session, shared.stored(ground.store.branch(branch).await)?)?;
    tell(&shared, id, Told::Branched);
    if wish.then == wire::Then::Move {
        tell(&shared, session, Told::Ended);
    }
    call(&shared, id, title.flatten()).await?;
    Ok(Json(detail(&shared, id).await?))
}

/// Calls a conversation something else.
pub(super) async fn rename(State(shared): State<Shared>, segment: Segment, body: Body) -> Answer {
    let session: SessionId = segment.id()?;
    let wish: TitleWish = body::wish(body).await?;
    let wanted = wish.title.as_deref().map(title).transpose()?.flatten();
    let store = &shared.ground().store;
    let set = store.set_title(session, wanted.clone(), Giver::Person);
    match (shared.stored(set.await)?, wanted) {
        (None, _) => return Err(missing(session)),
        (Some(Claim::Taken(other)), Some(wanted)) => {
            let free = shared.stored(store.next_title(wanted.clone()).await)?;
            return Err(conflict(
                format!("the session {other} is called `{wanted}`; `{free}` is free"),
                "take the free title, or rename the other session first",
            ));
        }
        (Some(_), _) => tell(&shared, session, Told::Renamed),
    }
    Ok(Json(detail(&shared, session).await?))
}

/// Chooses a model for a conversation, or takes the choice back.
pub(super) async fn model(State(shared): State<Shared>, segment: Segment, body: Body) -> Answer {
    let session: SessionId = segment.id()?;
    let wish: Model = body::wish(body).await?;
    let chosen = ModelOverride::of(&serde_json::to_value(&wish).unwrap_or_default());
    if chosen.is_none() && wish != Model::default() {
        let said = "nothing of this choice can be kept: texts that are empty, or an address with a \
                    name or password in it";
        return Err(ApiError::bad_request(said));
    }
    if let Some(wanted) = chosen.as_ref().and_then(ModelOverride::model) {
        may_be_chosen(&shared, session, wanted).await?;
    }
    let store = &shared.ground().store;
    let set = shared.stored(store.set_model_override(session, chosen).await)?;
    stood(&shared, session, set, Told::Model)?;
    Ok(Json(detail(&shared, session).await?))
}

/// Refuses a model that whoever answers in the conversation would not take. Where it chose no agent, any of them
/// may answer: its messages are led to one as they come.
async fn may_be_chosen(shared: &Shared, session: SessionId, wanted: &str) -> Result<(), ApiError> {
    let agents = shared.api.gateway.agents();
    let store = &shared.ground().store;
    shared
        .stored(store.session(session).await)?
        .ok_or_else(|| missing(session))?;
    let own = shared.stored(store.agent(session).await)?;
    let names = own.map_or_else(|| agents.names(), |name| vec![name]);
    let known: Vec<Models> = names.iter().map(|name| agents.models(name)).collect();
    match known.first() {
        Some(first) if !known.iter().any(|models| models.allow(wanted)) => Err(conflict(
            reply::no_such_model(wanted, first),
            "choose a model that is listed, or set the model where the agent has its own settings",
        )),
        Some(_) | None => Ok(()),
    }
}

/// Forbids a conversation to go on.
pub(super) async fn suspend(State(shared): State<Shared>, segment: Segment) -> Answer {
    let session: SessionId = segment.id()?;
    let set = shared.stored(shared.ground().store.suspend(session).await)?;
    stood(&shared, session, set, Told::Suspended)?;
    Ok(Json(detail(&shared, session).await?))
}

/// Deletes a conversation.
pub(super) async fn delete(
    State(shared): State<Shared>,
    segment: Segment,
) -> Result<StatusCode, ApiError> {
    let session: SessionId = segment.id()?;
    let deleted = shared.ground().store.delete(vec![session]).await;
    for gone in done(session, shared.stored(deleted)?)? {
        tell(&shared, gone, Told::Deleted);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Ends conversations that nobody uses.
pub(super) async fn prune(
    State(shared): State<Shared>,
    body: Body,
) -> Result<Json<Pruned>, ApiError> {
    let wish: PruneWish = body::wish(body).await?;
    let age = length::read(&wish.older_than).filter(|age| *age > Span::ms(0));
    let age = age.ok_or_else(|| {
        let found = wish.older_than.chars().take(64).collect::<String>();
        ApiError::bad_request(format!(
            "`older_than` must be a length of time such as `30d`; found `{found}`"
        ))
    })?;
    let mut ended = 0;
    for _ in 0..PRUNINGS_MAX {
        let now = shared.stored(shared.ground().store.prune(age).await)?;
        ended += now;
        if now < limits::PRUNED_AT_ONCE {
            break;
        }
    }
    Ok(Json(Pruned { ended }))
}

/// Calls a new conversation as it was wished; where that title is taken, the next free one.
async fn call(shared: &Inner, session: SessionId, title: Option<Title>) -> Result<(), ApiError> {
    let Some(wish) = title else {
        return Ok(());
    };
    let store = &shared.ground().store;
    // Asked again, it keeps the title it was given the first time, or by somebody since.
    let set = store.set_title(session, Some(wish.clone()), Giver::Automatic);
    if let Some(Claim::Taken(_)) = shared.stored(set.await)? {
        let free = shared.stored(store.next_title(wish).await)?;
        // Somebody may have been faster; then it stays without a title, which harms nobody.
        shared.stored(store.set_title(session, Some(free), Giver::Automatic).await)?;
    }
    Ok(())
}

fn title(text: &str) -> Result<Option<Title>, ApiError> {
    Title::clean(text).map_err(|error| ApiError::bad_request(error.to_string()))
}

/// Tells those who watch.
pub(super) fn tell(shared: &Inner, session: SessionId, change: Told) {
    let ground = shared.ground();
    ground
        .feed
        .publish_change(session, change, ground.env.now());
}

/// What a change gave, or why it was not made.
pub(super) fn done<T>(session: SessionId, change: Change<T>) -> Result<T, ApiError> {
    match change {
        Change::Done(value) => Ok(value),
        Change::Unknown => Err(missing(session)),
        Change::Busy => Err(busy(session)),
        Change::Moved => Err(conflict(
            format!("more was said in the session {session} meanwhile; nothing was changed"),
            "read it again and decide anew",
        )),
    }
}

fn stood(shared: &Inner, session: SessionId, change: Stood, told: Told) -> Result<(), ApiError> {
    match change {
        Stood::Done => tell(shared, session, told),
        Stood::Unchanged => (),
        Stood::Unknown => return Err(missing(session)),
    }
    Ok(())
}

/// The words for a conversation that no place speaks in, if there is one at all.
async fn not_current(shared: &Inner, session: SessionId) -> Result<ApiError, ApiError> {
    let known = shared.stored(shared.ground().store.lookup(session).await)?;
    Ok(match known {
        None => missing(session),
        Some(_) => conflict(
            format!("no place speaks in the session {session} now"),
            "name the session that is current there; the list shows which are",
        ),
    })
}

fn busy(session: SessionId) -> ApiError {
    conflict(
        format!("the session {session} is busy"),
        "wait until it has answered, or stop its turn first",
    )
}

pub(super) fn conflict(message: String, hint: &'static str) -> ApiError {
    ApiError::new(Kind::Conflict, message, hint)
}
