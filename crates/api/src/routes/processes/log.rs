//! `GET /api/v1/processes/{process}/log`: what a process said, a page at a time or as it comes.
//!
//! With `follow` the answer is a stream of events: `output` for each piece, then `end` with the process
//! as it is then. A stream that ends without `end` was cut off; whoever read it asks again with the `next`
//! of the last piece. `tail` begins near the end in place of a certain byte.

use std::convert::Infallible;
use std::time::Duration;

use angelia_core::id::ProcessId;
use angelia_gateway::phase::PhaseView;
use angelia_gateway::processes::log::{Following, Form};
use angelia_gateway::processes::{Processes, Unreached};
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse as _, Response, Sse};
use axum::{Extension, Json};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};

use super::{held, reached, shown};
use crate::error::ApiError;
use crate::params::{Params, Segment};
use crate::server::Closing;
use crate::state::Shared;
use crate::wire::v1::process::{Log, LogPage, Process};

/// How often the row of a process whose output has ended is looked at, and how many times: its end is
/// written in a moment.
const LOOK_EVERY: Duration = Duration::from_millis(20);
const LOOKS: u32 = 250;

/// The query.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    after: Option<u64>,
    tail: Option<u64>,
    #[serde(default)]
    form: Shape,
    #[serde(default)]
    follow: Follow,
}

/// How the output is shown.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    #[default]
    Plain,
    Terminal,
}

/// Whether more is waited for.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
enum Follow {
    #[default]
    #[serde(rename = "false")]
    No,
    #[serde(rename = "true", alias = "")]
    Yes,
}

/// Reads a page, or follows.
pub(crate) async fn log(
    State(shared): State<Shared>,
    Params(query): Params<Query>,
    segment: Segment,
    closing: Option<Extension<Closing>>,
) -> Result<Response, ApiError> {
    let id: ProcessId = segment.id()?;
    let processes = held(&shared)?;
    let after = reached(&shared, query.place(processes, id).await)?;
    let form = match query.form {
        Shape::Plain => Form::Plain,
        Shape::Terminal => Form::Terminal,
    };
    match query.follow {
        Follow::No => {
            let read = processes.log(id, after, form).await;
            let (process, page) = reached(&shared, read)?;
            let state = (&process.state).into();
            let page = page.into();
            Ok(Json(Log { page, state }).into_response())
        }
        Follow::Yes => {
            let following = processes.follow(id, after, form).await;
            let reader = Reader {
                following: Some(reached(&shared, following)?),
                id,
                phase: shared.ground().phase.clone(),
                closing: closing
                    .map(|Extension(closing)| closing)
                    .unwrap_or_default(),
                shared,
            };
            Ok(Sse::new(events(reader))
                .keep_alive(KeepAlive::default())
                .into_response())
        }
    }
}

impl Query {
    /// The place to begin at. What was said last begins so many bytes before the end, wherever that is.
    async fn place(&self, processes: &Processes, id: ProcessId) -> Result<u64, Unreached> {
        match (self.tail, self.after) {
            (Some(bytes), _) => Ok(processes.output_bytes(id).await?.saturating_sub(bytes)),
            (None, after) => Ok(after.unwrap_or_default()),
        }
    }
}

/// Someone who reads along.
struct Reader {
    shared: Shared,
    id: ProcessId,
    /// Nothing once the end was told.
    following: Option<Following>,
    phase: PhaseView,
    closing: Closing,
}

fn events(reader: Reader) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(reader, |mut reader| async {
        let event = reader.next().await?;
        Some((Ok(event), reader))
    })
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        let (phase, closing) = (self.phase.clone(), self.closing.clone());
        tokio::select! {
            biased;
            () = closing.0.cancelled() => None,
            () = phase.stopping() => None,
            event = self.read() => event,
        }
    }

    async fn read(&mut self) -> Option<Event> {
        match self.following.as_mut()?.next().await {
            Ok(Some(page)) => event("output", &LogPage::from(page)),
            Ok(None) => {
                self.following = None;
                event("end", &self.ended().await?)
            }
            // Whoever reads asks again, and is told why.
            Err(_) => None,
        }
    }

    /// The process, once its end is written down.
    async fn ended(&self) -> Option<Process> {
        let mut process = None;
        for _ in 0..LOOKS {
            let found = self.shared.ground().store.process(self.id).await;
            process = found.ok().flatten().map(|one| shown(&self.shared, one));
            if process.as_ref().is_some_and(|one| one.state.is_ended()) {
                break;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        process
    }
}

fn event(name: &str, data: &impl Serialize) -> Option<Event> {
    // The shapes have string keys only, so they can always be written as JSON.
    Event::default().event(name).json_data(data).ok()
}
