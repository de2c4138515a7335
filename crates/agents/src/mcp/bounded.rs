//! The HTTP client as the protocol's library uses it, with a limit on what one answer may hold.
//!
//! The library reads an answer that is no stream whole, however long it is. So messages are posted here: an
//! answer is read up to the limit, a stream up to the limit of one event. Everything else is the library's.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

use angelia_core::limits;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, JsonRpcError, JsonRpcMessage, JsonRpcRequest,
    ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

/// The two kinds of answers.
const STREAM: &str = "text/event-stream";
const JSON: &str = "application/json";

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// A client that reads no more than it should.
#[derive(Debug, Clone)]
pub(super) struct Bounded(pub(super) Client);

type Failed = StreamableHttpError<reqwest::Error>;

#[expect(
    clippy::disallowed_types,
    reason = "the library hands its headers over in this type"
)]
type Headers = std::collections::HashMap<HeaderName, HeaderValue>;

impl StreamableHttpClient for Bounded {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let mut request = self.0.post(uri.as_ref());
        request = request.header(ACCEPT, format!("{STREAM}, {JSON}"));
        request = headers.into_iter().fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(session) = &session {
            request = request.header(SESSION, session.as_ref());
        }
        let response = request.json(&message).send().await?;
        if response.status() == StatusCode::NOT_FOUND && session.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        match message {
            JsonRpcMessage::Request(asked) => answered(response, &asked).await,
            JsonRpcMessage::Response(_)
            | JsonRpcMessage::Notification(_)
            | JsonRpcMessage::Error(_) => taken(&response),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failed> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failed> {
        let most = limits::mcp::MESSAGE_BYTES_MAX;
        let client = &self.0;
        client
            .get_stream_with_max_sse_event_size(uri, session, last, token, headers, most)
            .await
    }
}

/// What came of a message that wants no answer. What a server says all the same is not read.
fn taken(response: &Response) -> Result<StreamableHttpPostResponse, Failed> {
    match response.status().is_success() {
        true => Ok(StreamableHttpPostResponse::Accepted),
        false => Err(refused(response.status().into())),
    }
}

async fn answered(
    response: Response,
    asked: &JsonRpcRequest<ClientRequest>,
) -> Result<StreamableHttpPostResponse, Failed> {
    let status = response.status();
    let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    let (kind, session) = (header(CONTENT_TYPE.as_str()), header(SESSION));
    let kind = kind.unwrap_or_default();
    if kind.starts_with(JSON) {
        let body = read(response).await?;
        let message = serde_json::from_slice::<ServerJsonRpcMessage>(&body);
        return match message {
            Ok(JsonRpcMessage::Error(error)) if !is_heard(asked, &error) => {
                Err(refused(Status::saying(status, &error)))
            }
            // Also a refusal may say why.
            Ok(message @ JsonRpcMessage::Error(_)) if !is_closed(status) => {
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            Ok(message) if status.is_success() => {
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            Err(error) if status.is_success() => Err(error.into()),
            Ok(_) | Err(_) => Err(refused(status.into())),
        };
    }
    match status {
        StatusCode::ACCEPTED | StatusCode::NO_CONTENT => Ok(StreamableHttpPostResponse::Accepted),
        _ if !status.is_success() => Err(refused(status.into())),
        _ if kind.starts_with(STREAM) => {
            Ok(StreamableHttpPostResponse::Sse(events(response), session))
        }
        _ => Err(StreamableHttpError::UnexpectedContentType(Some(kind))),
    }
}

/// Who is not let in finds that out by the status alone.
fn is_closed(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

/// Whether whoever waits hears of an error. One that names no request, or another, comes from a door that has not read
/// ours, and would be waited for in vain. The first words to a server are heard in any case.
fn is_heard(asked: &JsonRpcRequest<ClientRequest>, error: &JsonRpcError) -> bool {
    let is_first = matches!(
        asked.request,
        ClientRequest::InitializeRequest(_) | ClientRequest::DiscoverRequest(_)
    );
    is_first || error.id.as_ref() == Some(&asked.id)
}

/// A status in place of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Status {
    pub(super) code: StatusCode,
    /// What the server said about it.
    why: Option<String>,
}

impl Status {
    fn saying(code: StatusCode, error: &JsonRpcError) -> Self {
        let why = error.error.message.chars().take(limits::WHY_CHARS_MAX);
        let why = Some(why.collect());
        Self { code, why }
    }

    /// The status in a failure of ours, if that is what it is.
    pub(super) fn of(failed: &Failed) -> Option<&Self> {
        let StreamableHttpError::Io(error) = failed else {
            return None;
        };
        error.get_ref()?.downcast_ref()
    }
}

impl From<StatusCode> for Status {
    fn from(code: StatusCode) -> Self {
        Self { code, why: None }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "it answered {}", self.code)?;
        match &self.why {
            Some(why) => write!(out, ": {why}"),
            None => Ok(()),
        }
    }
}

impl Error for Status {}

fn refused(status: Status) -> Failed {
    // The library has no failure of its own that keeps the number.
    StreamableHttpError::Io(io::Error::other(status))
}

async fn read(mut response: Response) -> Result<Vec<u8>, Failed> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > limits::mcp::MESSAGE_BYTES_MAX {
            return Err(StreamableHttpError::Io(too_long()));
        }
    }
    Ok(body)
}

fn events(response: Response) -> BoxStream<'static, Result<Sse, SseError>> {
    let mut event = 0;
    let bytes = response.bytes_stream().map(move |chunk| {
        let chunk = chunk.map_err(io::Error::other)?;
        event = longest(event, &chunk);
        match event <= limits::mcp::MESSAGE_BYTES_MAX {
            true => Ok(chunk),
            false => Err(too_long()),
        }
    });
    SseStream::from_bytes_stream(bytes).boxed()
}

/// How long the event is that the stream is in the middle of. An empty line ends one.
fn longest(before: usize, chunk: &[u8]) -> usize {
    let ends = |two: &[u8]| two == b"\n\n" || two == b"\n\r" || two == b"\r\r";
    match chunk.windows(2).rposition(ends) {
        Some(end) => chunk.len() - end,
        None => before + chunk.len(),
    }
}

fn too_long() -> io::Error {
    io::Error::other("its answer is too long")
}

#[cfg(test)]
#[path = "bounded_tests.rs"]
mod tests;
