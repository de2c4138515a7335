//! `GET /v1/models` and `POST /v1/chat/completions`.

use angelia_core::agent::{AgentName, Led};
use angelia_core::id::InboxId;
use angelia_core::inbound::Inbound;
use angelia_core::limits;
use angelia_store::intake::{Accepted, Place};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use super::inbox::opened;
use super::media;
use crate::body;
use crate::error::{ApiError, Kind};
use crate::openai::ask::{self, Ask, Names};
use crate::openai::error::Failure;
use crate::openai::shapes::{Choice, Completion, Model, Models, Reply, Request};
use crate::openai::speech::{self, Accounting, Head};
use crate::openai::wait::{Answered, Waiter};
use crate::state::Shared;

/// The longest history and text with every character escaped, and room for the rest.
const BODY_BYTES_MAX: usize = (limits::CONTEXT_BYTES_MAX + limits::TEXT_BYTES_MAX) * 6 + 64 * 1024;

/// The model that is always there: whoever answers.
const MODEL: &str = "angelia";

/// The message's row, so that a caller can look up what happened to it.
const INBOX_HEADER: &str = "x-angelia-inbox-id";

/// How the answer is wanted.
#[derive(Debug, Clone, Copy)]
enum Manner {
    Whole,
    Streamed(Accounting),
}

/// Lists the models: whoever answers, and each agent by its name.
pub(super) async fn models(State(shared): State<Shared>) -> Json<Models> {
    let names = shared.api.gateway.agents().names();
    let agents = names.into_iter().map(String::from);
    let model = |id| Model {
        id,
        object: "model",
        created: shared.api.started_at.ms() / 1000,
        owned_by: MODEL,
    };
    Json(Models {
        object: "list",
        data: [MODEL.to_owned()]
            .into_iter()
            .chain(agents)
            .map(model)
            .collect(),
    })
}

/// The agent that a model's name stands for. Any other name is answered by whoever usually answers: clients
/// must send one, and many have a fixed one.
fn wanted(shared: &Shared, model: Option<&str>) -> Option<Led> {
    let named = |one: &AgentName| Some(one.as_str()) == model;
    let mut names = shared.api.gateway.agents().names().into_iter();
    names.find(named).map(Led::Asked)
}

/// Puts the message in and answers with its reply.
pub(super) async fn complete(
    State(shared): State<Shared>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let request: Request = asked(&shared, &headers, body).await?;
    let (manner, names) = (manner(&request), names(&shared, &headers)?);
    let taken = take(&shared, request, &names).await?;
    let id = taken.inbox.to_string();
    let head = taken.head(
        &shared,
        format!("chatcmpl-{}", id.trim_start_matches("inb_")),
    );
    let waiter = taken.waiter(&shared);
    let answer = match manner {
        Manner::Whole => whole(head, waiter.answer().await?),
        Manner::Streamed(accounting) => Sse::new(speech::stream(waiter, head, accounting))
            .keep_alive(KeepAlive::default())
            .into_response(),
    };
    Ok(taken.named(answer))
}

/// A message that was taken.
pub(super) struct Taken {
    /// Its row.
    pub(super) inbox: InboxId,
    /// The model that it asks for.
    model: Option<String>,
}

impl Taken {
    /// What all pieces of the answer share, under this id.
    pub(super) fn head(&self, shared: &Shared, id: String) -> Head {
        Head {
            id,
            created: shared.ground().env.now().ms() / 1000,
            model: self.model.clone().unwrap_or_else(|| MODEL.to_owned()),
        }
    }

    /// Who waits for the answer.
    pub(super) fn waiter(&self, shared: &Shared) -> Waiter {
        Waiter::begin(shared, self.inbox)
    }

    /// The answer, with the name of the message.
    pub(super) fn named(&self, answer: Response) -> Response {
        ([(INBOX_HEADER, self.inbox.to_string())], answer).into_response()
    }
}

/// Puts the message in. When this returns, it is durable.
pub(super) async fn take(
    shared: &Shared,
    request: Request,
    names: &Names,
) -> Result<Taken, Failure> {
    let model = request.model.clone();
    let mut inbound = pictured(shared, ask::read(request, names)?).await?;
    inbound.about.agent = wanted(shared, model.as_deref());
    let accepted = shared.api.gateway.door().accept(inbound, None).await;
    match opened(shared, accepted)? {
        Accepted::New(Place { inbox, .. }) | Accepted::Duplicate(Place { inbox, .. }) => {
            Ok(Taken { inbox, model })
        }
        Accepted::Refused(refusal) => Err(refusal.into()),
    }
}

/// Reads the request. One that is large because of its pictures is read while few others are.
pub(super) async fn asked<T: DeserializeOwned>(
    shared: &Shared,
    headers: &HeaderMap,
    body: Body,
) -> Result<T, ApiError> {
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let length: Option<usize> = length.and_then(|length| length.parse().ok());
    if length.is_none_or(|length| length <= BODY_BYTES_MAX) {
        return body::json(body, BODY_BYTES_MAX).await;
    }
    let _one_of_few = shared.large_bodies.try_acquire().map_err(|_| {
        let most = limits::PICTURES_BODIES_AT_ONCE;
        let said = format!("{most} large requests are being read already");
        ApiError::new(Kind::TooManyWaiting, said, "send it again in a moment")
    })?;
    body::json(body, limits::PICTURES_BODY_BYTES_MAX).await
}

/// The message with its pictures, which are kept by then.
async fn pictured(shared: &Shared, ask: Ask) -> Result<Inbound, ApiError> {
    let Ask {
        mut inbound,
        images,
        earlier,
    } = ask;
    for image in images {
        inbound
            .pictures
            .push(media::kept(shared, image, None).await?);
    }
    for (place, image) in earlier {
        let picture = media::kept(shared, image, None).await?;
        inbound.context[place].pictures.push(picture);
    }
    Ok(inbound)
}

fn manner(request: &Request) -> Manner {
    if request.stream != Some(true) {
        return Manner::Whole;
    }
    let options = request.stream_options.as_ref();
    match options.and_then(|options| options.include_usage) {
        Some(true) => Manner::Streamed(Accounting::Included),
        Some(false) | None => Manner::Streamed(Accounting::LeftOut),
    }
}

/// What the headers say about whose message it is.
pub(super) fn names(shared: &Shared, headers: &HeaderMap) -> Result<Names, ApiError> {
    Ok(Names {
        session: named(headers, "x-angelia-session")?,
        key: named(headers, "idempotency-key")?,
        fresh: shared.ground().env.inbox_id().to_string(),
    })
}

/// A header that names something. Names beyond ASCII are welcome, as long as they are UTF-8.
fn named(headers: &HeaderMap, name: &str) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get(name) else {
        return Ok(None);
    };
    let text = std::str::from_utf8(value.as_bytes()).unwrap_or_default();
    if text.is_empty() || text.len() > limits::NAME_BYTES_MAX {
        let most = limits::NAME_BYTES_MAX;
        let said = format!("the header `{name}` must be a name of 1 to {most} bytes");
        return Err(ApiError::bad_request(said));
    }
    Ok(Some(text.to_owned()))
}

fn whole(head: Head, answered: Answered) -> Response {
    let message = Reply {
        role: "assistant",
        content: answered.text,
        refusal: None,
    };
    let choice = Choice {
        index: 0,
        message,
        logprobs: None,
        finish_reason: "stop",
    };
    Json(Completion {
        id: head.id,
        object: "chat.completion",
        created: head.created,
        model: head.model,
        choices: [choice],
        usage: answered.tokens.into(),
    })
    .into_response()
}
