//! `/api/v1/processes`: background processes, listed, shown and worked with. What they say is in `log`.

pub(super) mod log;

use angelia_core::id::{ProcessId, SessionId};
use angelia_core::limits;
use angelia_gateway::processes::{Processes, Unreached};
use angelia_store::processes::{self, Living, ProcessFilter};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use serde::Deserialize;

use crate::body;
use crate::error::{ApiError, Kind};
use crate::params::{self, Params, Segment};
use crate::state::{Inner, Shared};
use crate::wire::v1::page::Page;
use crate::wire::v1::process::{Process, ResizeWish, WriteWish};

/// The most that is written to an input at once.
const WRITE_BYTES_MAX: usize = 1024 * 1024;

/// The type of a body that is written as it is.
const RAW: &str = "application/octet-stream";

/// Which processes.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Choice {
    #[default]
    All,
    Live,
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

type Answer = Result<Json<Process>, ApiError>;

/// Lists processes, newest first.
pub(super) async fn list(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
) -> Result<Json<Page<Process>>, ApiError> {
    let range = params::range(query.after, query.limit)?;
    let filter = ProcessFilter {
        session: query.session,
        living: match query.state {
            Choice::All => Living::Any,
            Choice::Live => Living::Only,
        },
    };
    let page = shared.stored(shared.ground().store.processes(filter, range).await)?;
    let items = page
        .items
        .into_iter()
        .map(|process| shown(&shared, process));
    Ok(Json(Page {
        items: items.collect(),
        next: page.next,
    }))
}

/// Shows one.
pub(super) async fn show(State(shared): State<Shared>, segment: Segment) -> Answer {
    read(&shared, segment.id()?).await
}

/// Takes one down, and answers when nobody of it is left.
pub(super) async fn kill(State(shared): State<Shared>, segment: Segment) -> Answer {
    let killed = held(&shared)?.kill(segment.id()?).await;
    Ok(Json(shown(&shared, reached(&shared, killed)?)))
}

/// Writes to its input.
pub(super) async fn write(
    State(shared): State<Shared>,
    segment: Segment,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let id = segment.id()?;
    let bytes = if is_raw(&headers) {
        body::bytes(body, WRITE_BYTES_MAX).await?.into()
    } else {
        let WriteWish { text } = body::json(body, WRITE_BYTES_MAX).await?;
        text.into_bytes()
    };
    let written = held(&shared)?.write(id, &bytes).await;
    reached(&shared, written)?;
    read(&shared, id).await
}

/// Whether the body is what is written, and not a wish: keys need not be text.
fn is_raw(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind == RAW)
}

/// Lets its input end.
pub(super) async fn close(State(shared): State<Shared>, segment: Segment) -> Answer {
    let id = segment.id()?;
    let closed = held(&shared)?.close_input(id).await;
    reached(&shared, closed)?;
    read(&shared, id).await
}

/// Gives its terminal another size.
pub(super) async fn resize(State(shared): State<Shared>, segment: Segment, body: Body) -> Answer {
    let id = segment.id()?;
    let size = body::wish(body).await?;
    let ResizeWish { rows, columns } = possible(size)?;
    let resized = held(&shared)?.resize(id, (rows, columns)).await;
    reached(&shared, resized)?;
    read(&shared, id).await
}

fn possible(size: ResizeWish) -> Result<ResizeWish, ApiError> {
    let most = limits::TERMINAL_SIDE_MAX;
    let fits = |side| (1..=most).contains(&side);
    if fits(size.rows) && fits(size.columns) {
        return Ok(size);
    }
    let words = format!("a terminal has 1 to {most} rows and 1 to {most} columns");
    Err(ApiError::bad_request(words))
}

async fn read(shared: &Inner, id: ProcessId) -> Answer {
    let process = shared.stored(shared.ground().store.process(id).await)?;
    let process = process.ok_or_else(|| unknown(&Unreached::Unknown(id)))?;
    Ok(Json(shown(shared, process)))
}

/// A process as anybody may see it.
fn shown(shared: &Inner, process: processes::Process) -> Process {
    Process::of(process, &shared.ground().masker)
}

fn held(shared: &Inner) -> Result<&Processes, ApiError> {
    let none = || ApiError::not_found("this gateway has no background processes");
    shared.api.gateway.processes().ok_or_else(none)
}

/// What came of a wish, as an answer.
fn reached<T>(shared: &Inner, result: Result<T, Unreached>) -> Result<T, ApiError> {
    result.map_err(|error| match error {
        Unreached::Store(error) => match shared.stored::<()>(Err(error)) {
            Err(told) => told,
            Ok(()) => unreadable("the store did not answer"),
        },
        Unreached::Unknown(_) => unknown(&error),
        Unreached::Elsewhere(_) => conflict(&error, "ask the gateway that holds it"),
        Unreached::Starting(_) => conflict(&error, "try again in a moment"),
        Unreached::Silent(why) => unreadable(&why),
        Unreached::Refused(_) => {
            conflict(&error, "`angelia processes list` shows where each stands")
        }
    })
}

fn unknown(error: &Unreached) -> ApiError {
    ApiError::not_found(error.to_string())
}

fn conflict(error: &Unreached, hint: &'static str) -> ApiError {
    ApiError::new(Kind::Conflict, error.to_string(), hint)
}

fn unreadable(said: &str) -> ApiError {
    let hint = "look at the folder `processes` in the gateway's home";
    ApiError::new(Kind::Unavailable, said, hint)
}
