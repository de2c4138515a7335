//! A model that says what its script tells it to, on both wires.
//!
//! It serves `POST /v1/chat/completions` and `POST /v1/messages`, streamed or whole, and `GET /v1/models`, on a port of its own,
//! and remembers what it was asked. A script looks at the request and gives a reply; `Script::steps` answers
//! by how far the conversation has come, so that a turn that is run again hears the same.
//!
//! Faults are part of a reply: statuses, pauses, odd cuts, a hang-up in the middle. It knows nothing of the
//! gateway, so that what it checks is only what goes over the wire.

mod anthropic;
mod openai;
mod script;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use futures_util::stream;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub use script::{Farewell, Piece, Refusal, Reply, Script, Stop};

/// What the model was asked.
#[derive(Debug, Clone)]
pub struct Heard {
    /// On which wire.
    pub wire: Wire,
    /// The body.
    pub body: Value,
    /// The word that opens the door, as it was given.
    pub key: Option<String>,
}

/// How it was spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// OpenAI's chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// A running fake. It ends when it is dropped.
#[derive(Debug)]
pub struct FakeModel {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<Heard>>>,
    speaking: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Desk {
    script: Arc<Script>,
    heard: Arc<Mutex<Vec<Heard>>>,
    speaking: Arc<AtomicUsize>,
}

/// A reply that is being spoken; whoever hangs up ends it.
struct Speaking(Arc<AtomicUsize>);

impl Speaking {
    fn begin(counter: &Arc<AtomicUsize>) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(counter.clone())
    }
}

impl Drop for Speaking {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl FakeModel {
    /// Starts one on loopback.
    pub async fn start(script: Script) -> std::io::Result<Self> {
        Self::listen(TcpListener::bind("127.0.0.1:0").await?, script)
    }

    /// Starts one on a socket that is there already.
    pub fn listen(listener: TcpListener, script: Script) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let heard = Arc::new(Mutex::new(Vec::new()));
        let speaking = Arc::new(AtomicUsize::new(0));
        let desk = Desk {
            script: Arc::new(script),
            heard: heard.clone(),
            speaking: speaking.clone(),
        };
        let app = Router::new()
            .route("/v1/chat/completions", post(completions))
            .route("/v1/messages", post(messages))
            .route("/v1/models", get(models))
            .with_state(desk);
        Ok(Self {
            address,
            heard,
            speaking,
            task: serving(listener, app),
        })
    }

    /// The base address for clients of either wire.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// How many streamed replies are not at their end.
    pub fn speaking(&self) -> usize {
        self.speaking.load(Ordering::Relaxed)
    }

    /// How often it was asked until now.
    pub fn asked(&self) -> usize {
        let heard = self.heard.lock();
        heard.unwrap_or_else(PoisonError::into_inner).len()
    }

    /// What it was asked until now, oldest first.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard_since(0)
    }

    /// What it was asked until now, behind the first `before` times.
    pub fn heard_since(&self, before: usize) -> Vec<Heard> {
        let heard = self.heard.lock();
        heard.unwrap_or_else(PoisonError::into_inner)[before..].to_vec()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "it is no part of a gateway: the fake owns its task and ends it"
)]
fn serving(listener: TcpListener, app: Router) -> JoinHandle<()> {
    tokio::spawn(async move {
        // It serves until it is aborted.
        let _ended = axum::serve(listener, app).await;
    })
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn completions(State(desk): State<Desk>, headers: HeaderMap, body: Bytes) -> Response {
    let key = word(&headers, "authorization");
    let key = key.map(|key| key.trim_start_matches("Bearer ").to_owned());
    desk.answer(Wire::OpenAi, key, &body)
}

async fn messages(State(desk): State<Desk>, headers: HeaderMap, body: Bytes) -> Response {
    desk.answer(Wire::Anthropic, word(&headers, "x-api-key"), &body)
}

/// The models that it says it has.
async fn models() -> Response {
    let list = r#"{"object":"list","data":[{"id":"fake-1"},{"id":"fake-2"}]}"#;
    plain(StatusCode::OK, list)
}

fn word(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

impl Desk {
    fn answer(&self, wire: Wire, key: Option<String>, body: &[u8]) -> Response {
        let Ok(body) = serde_json::from_slice::<Value>(body) else {
            return plain(
                StatusCode::BAD_REQUEST,
                r#"{"error":{"message":"no JSON"}}"#,
            );
        };
        let heard = Heard { wire, body, key };
        let number = {
            let mut all = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(heard.clone());
            all.len()
        };
        let reply = self.script.reply(&heard, number);
        if let Some(refusal) = &reply.refused {
            let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::BAD_GATEWAY);
            let mut response = plain(status, &refusal.body);
            let wish = refusal.retry_after.as_deref();
            if let Some(wish) = wish.and_then(|wish| wish.parse().ok()) {
                response.headers_mut().insert(header::RETRY_AFTER, wish);
            }
            return response;
        }
        match heard.body["stream"].as_bool() {
            Some(true) => streamed(wire, &heard, &reply, Speaking::begin(&self.speaking)),
            Some(false) | None => whole(wire, &heard, &reply),
        }
    }
}

fn plain(status: StatusCode, body: &str) -> Response {
    let mut response = Response::new(Body::from(body.to_owned()));
    *response.status_mut() = status;
    let json = header::HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

fn whole(wire: Wire, heard: &Heard, reply: &Reply) -> Response {
    let body = match wire {
        Wire::OpenAi => openai::whole(heard, reply),
        Wire::Anthropic => anthropic::whole(heard, reply),
    };
    plain(StatusCode::OK, &body.to_string())
}

/// Something that goes out.
enum Out {
    Bytes(Bytes),
    Pause(std::time::Duration),
    HangUp,
}

fn streamed(wire: Wire, heard: &Heard, reply: &Reply, speaking: Speaking) -> Response {
    let outs = match wire {
        Wire::OpenAi => openai::stream(heard, reply),
        Wire::Anthropic => anthropic::stream(heard, reply),
    };
    let begun = (outs.into_iter(), speaking);
    let body = stream::unfold(begun, |(mut outs, speaking)| async move {
        let said = loop {
            match outs.next()? {
                Out::Bytes(bytes) => break Ok(bytes),
                Out::Pause(pause) => tokio::time::sleep(pause).await,
                Out::HangUp => break Err(std::io::Error::other("hung up")),
            }
        };
        Some((said, (outs, speaking)))
    });
    let mut response = Response::new(Body::from_stream(body));
    let events = header::HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, events);
    response
}
