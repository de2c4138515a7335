//! One connection to a server: with `bounded`, the only place that knows the protocol's library.
//!
//! `over_pipes` and `over_http` open it. A [`Line`] is what calls go over, and may be cloned; `Open` is the
//! connection itself, which ends when it is dropped. Letting go of a call before its answer tells the
//! server that nobody waits any more.
//!
//! We offer nothing to servers: who asks us for a model, for files or for somebody's input is told that
//! there is no such thing here.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the enums of the library may grow at any time, and none of what they may grow is for us"
)]

use std::borrow::Cow;
use std::error::Error;
use std::sync::Arc;

use angelia_core::limits;
use angelia_core::media::base64;
use reqwest::StatusCode;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
    ContentBlock, Implementation, JsonObject, PaginatedRequestParams, ProtocolVersion,
    ResourceContents, Tool,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, NotificationContext, RunningService,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{DynamicTransportError, IntoTransport};
use rmcp::{ClientHandler, Peer, RoleClient, ServiceError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

use super::answer::{Answer, Ending, Piece};
use super::bounded::{Bounded, Status};
use super::http;
use super::listing::{Claim, Told};
use crate::model::provider::Secret;

/// How a server wants to be greeted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Greeting {
    /// With the handshake that all servers knew until 2026.
    Handshake,
    /// Without one.
    Plain,
}

/// Why something did not work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The server said no, in its words.
    Refused(String),
    /// What came back is not what was asked for.
    Odd(String),
    /// The server was not reached, and has done nothing.
    Unreached(String),
    /// The connection ended before the answer.
    Lost(String),
    /// The server did not take this request; others may go through.
    Turned(String),
    /// The server did not take this request, and perhaps takes none any more.
    Shut(String),
    /// The server broke down over this request, and may have done anything; others may go through.
    Broke(String),
}

impl Trouble {
    pub(super) fn words(&self) -> &str {
        match self {
            Self::Refused(why)
            | Self::Odd(why)
            | Self::Unreached(why)
            | Self::Lost(why)
            | Self::Turned(why)
            | Self::Shut(why)
            | Self::Broke(why) => why,
        }
    }
}

/// What calls go over.
#[derive(Debug, Clone)]
pub(super) struct Line {
    peer: Peer<RoleClient>,
    changed: Arc<Notify>,
}

/// An open connection. It ends when this is dropped.
pub(super) struct Open {
    pub(super) line: Line,
    service: RunningService<RoleClient, Ears>,
}

/// Hears what a server tells by itself.
struct Ears {
    changed: Arc<Notify>,
}

impl ClientHandler for Ears {
    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("angelia", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
    }
}

/// Opens a connection to a program.
pub(super) async fn over_pipes(
    greeting: Greeting,
    output: impl AsyncRead + Send + Unpin + 'static,
    input: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<Open, Trouble> {
    let transport = AsyncRwTransport::<RoleClient, _, _>::new(output, input);
    let transport = transport.with_max_line_length(limits::mcp::MESSAGE_BYTES_MAX);
    open(greeting, transport).await
}

/// Opens a connection to a server on the network.
pub(super) async fn over_http(
    greeting: Greeting,
    url: &Secret,
    headers: &[(String, Secret)],
) -> Result<Open, Trouble> {
    let no_way = |why: String| Trouble::Unreached(why);
    let url =
        http::address(url.reveal()).map_err(|what| no_way(format!("its url is not {what}")))?;
    let client = http::client(&url, headers).map_err(no_way)?;
    let settings = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .max_sse_event_size(limits::mcp::MESSAGE_BYTES_MAX);
    let transport = StreamableHttpClientTransport::with_client(Bounded(client), settings);
    open(greeting, transport).await
}

async fn open<T, E, A>(greeting: Greeting, transport: T) -> Result<Open, Trouble>
where
    T: IntoTransport<RoleClient, E, A>,
    E: Error + Send + Sync + 'static,
{
    let changed = Arc::new(Notify::new());
    let ears = Ears {
        changed: changed.clone(),
    };
    let way = match greeting {
        Greeting::Handshake => ClientLifecycleMode::Initialize,
        Greeting::Plain => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    };
    let service = rmcp::service::serve_client_with_lifecycle(ears, transport, way).await;
    let service = service.map_err(unopened)?;
    let line = Line {
        peer: service.peer().clone(),
        changed,
    };
    Ok(Open { line, service })
}

impl Open {
    /// Waits until the connection has ended by itself.
    pub(super) async fn closed(self) {
        // How it ended says nothing that somebody could use.
        let _how = self.service.waiting().await;
    }
}

impl Line {
    /// Waits until the server says that its tools have changed.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// All tools of the server, up to a limit.
    pub(super) async fn list(&self) -> Result<Vec<Told>, Trouble> {
        let mut told = Vec::new();
        let mut cursor = None;
        for _ in 0..limits::mcp::PAGES_MAX {
            let mut page = PaginatedRequestParams::default();
            page.cursor = cursor;
            let page = self.peer.list_tools(Some(page)).await.map_err(trouble)?;
            let room = limits::mcp::LISTED_MAX - told.len();
            told.extend(page.tools.into_iter().take(room).map(tool));
            cursor = page.next_cursor;
            if cursor.is_none() || told.len() == limits::mcp::LISTED_MAX {
                break;
            }
        }
        Ok(told)
    }

    /// Whether the server still takes requests here: it answers one that any server knows, whatever it says.
    pub(super) async fn is_open(&self) -> bool {
        let asked = self
            .peer
            .list_tools(Some(PaginatedRequestParams::default()));
        match asked.await.map_err(trouble) {
            Err(Trouble::Shut(_) | Trouble::Lost(_) | Trouble::Unreached(_)) => false,
            Ok(_)
            | Err(Trouble::Refused(_) | Trouble::Odd(_) | Trouble::Turned(_) | Trouble::Broke(_)) => {
                true
            }
        }
    }

    /// Calls a tool.
    pub(super) async fn call(&self, tool: &str, arguments: JsonObject) -> Result<Answer, Trouble> {
        let asked = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match self.peer.call_tool_once(asked).await.map_err(trouble)? {
            CallToolResponse::Complete(result) => Ok(answer(result)),
            CallToolResponse::InputRequired(_) => {
                let why = "the server wants somebody's input in the middle of a call, which nobody can give here";
                Err(Trouble::Odd(why.to_owned()))
            }
            _ => Err(Trouble::Odd(
                "the server answered with something else than a result".to_owned(),
            )),
        }
    }
}

fn tool(tool: Tool) -> Told {
    let hint = |pick: fn(&rmcp::model::ToolAnnotations) -> Option<bool>| {
        tool.annotations.as_ref().and_then(pick) == Some(true)
    };
    let claim = if hint(|hints| hints.read_only_hint) {
        Claim::Reads
    } else if hint(|hints| hints.idempotent_hint) {
        Claim::Repeats
    } else {
        Claim::Nothing
    };
    let parameters = Arc::unwrap_or_clone(tool.input_schema);
    let description = tool.description.or(tool.title.map(Cow::Owned));
    Told {
        claim,
        name: tool.name.into_owned(),
        description: description.unwrap_or_default().into_owned(),
        parameters,
    }
}

fn answer(result: CallToolResult) -> Answer {
    Answer {
        pieces: result.content.into_iter().map(piece).collect(),
        structured: result.structured_content,
        ending: match result.is_error {
            Some(true) => Ending::Failed,
            Some(false) | None => Ending::Done,
        },
    }
}

fn piece(block: ContentBlock) -> Piece {
    match block {
        ContentBlock::Text(text) => Piece::Text(text.text),
        ContentBlock::Image(image) => match base64::decode(&image.data) {
            Some(bytes) => Piece::Picture {
                kind: image.mime_type,
                bytes,
            },
            None => data(image.mime_type, &image.data),
        },
        ContentBlock::Audio(audio) => data(audio.mime_type, &audio.data),
        ContentBlock::ResourceLink(link) => Piece::Link(link.uri),
        ContentBlock::Resource(resource) => match resource.resource {
            ResourceContents::TextResourceContents { text, .. } => Piece::Text(text),
            ResourceContents::BlobResourceContents {
                mime_type, blob, ..
            } => data(mime_type.unwrap_or_else(|| "a file".to_owned()), &blob),
            _ => unknown_piece(),
        },
        _ => unknown_piece(),
    }
}

fn data(kind: String, base64: &str) -> Piece {
    let letters = base64.len();
    Piece::Data { kind, letters }
}

fn unknown_piece() -> Piece {
    Piece::Text("[something of a kind that is not known here]".to_owned())
}

fn unopened(error: ClientInitializeError) -> Trouble {
    match error {
        ClientInitializeError::JsonRpcError(said) => Trouble::Refused(said.message.into_owned()),
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            Trouble::Refused("it speaks no version of the protocol that is known here".to_owned())
        }
        ClientInitializeError::TransportError { error, .. } => transport(&error),
        ClientInitializeError::ConnectionClosed(_) => {
            Trouble::Lost("it hung up before it had answered".to_owned())
        }
        _ => Trouble::Odd("it does not speak MCP".to_owned()),
    }
}

fn trouble(error: ServiceError) -> Trouble {
    match error {
        ServiceError::McpError(said) => Trouble::Refused(said.message.into_owned()),
        ServiceError::TransportSend(error) => transport(&error),
        ServiceError::TransportClosed | ServiceError::Cancelled { .. } => {
            Trouble::Lost("it hung up before it had answered".to_owned())
        }
        ServiceError::UnexpectedResponse => {
            Trouble::Odd("its answer is not what the protocol says".to_owned())
        }
        _ => Trouble::Odd("the call went wrong in the protocol".to_owned()),
    }
}

fn transport(error: &DynamicTransportError) -> Trouble {
    let why = http::inmost(error.error.as_ref());
    match over_the_network(error.error.as_ref()) {
        Some(StreamableHttpError::Client(error)) if error.is_connect() => {
            Trouble::Unreached(http::inmost(error))
        }
        Some(StreamableHttpError::Client(error)) => Trouble::Lost(http::inmost(error)),
        Some(StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_)) => {
            Trouble::Unreached("it wants to be shown that we may come in; see `headers`".to_owned())
        }
        Some(failed) => match Status::of(failed) {
            Some(status) => answered(status.code, why),
            None => Trouble::Lost(why),
        },
        None => Trouble::Lost(why),
    }
}

/// What a status says. Some are an answer to one request alone: it is too much, or makes no sense. All others below 500 may
/// also mean the door: who has no key for it, or comes with a session that a server forgot when it was started anew, is told
/// so with 400, 401, 403, 404 or 410, as its makers liked.
fn answered(status: StatusCode, why: String) -> Trouble {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::UNPROCESSABLE_ENTITY
        | StatusCode::TOO_MANY_REQUESTS => Trouble::Turned(why),
        _ if status.is_client_error() => Trouble::Shut(why),
        _ => Trouble::Broke(why),
    }
}

/// What the HTTP client met, below whatever the library wrapped around it.
fn over_the_network<'a>(
    mut error: &'a (dyn Error + 'static),
) -> Option<&'a StreamableHttpError<reqwest::Error>> {
    loop {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        error = error.source()?;
    }
}
