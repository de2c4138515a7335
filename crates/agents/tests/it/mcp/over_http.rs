//! A server on the network, and everything it may do wrong.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use angelia_agents::mcp::State;
use angelia_agents::mcp::settings::{Settings, Way};
use angelia_agents::model::provider::Secret;
use angelia_core::time::Span;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State as Shared;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::script::{Reply, Script};
use super::world::Kept;

/// What opens the door.
const WORD: &str = "Bearer sesame-open-now";

/// A server on the loopback device.
struct Site {
    address: SocketAddr,
    serving: JoinHandle<()>,
    heard: Arc<Mutex<Vec<Value>>>,
}

/// How a server answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Plain,
    Streams,
}

#[derive(Clone)]
struct Inside {
    manner: Manner,
    script: Arc<Mutex<Script>>,
    heard: Arc<Mutex<Vec<Value>>>,
}

impl Site {
    async fn start(mode: &str, address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let heard = Arc::default();
        let inside = Inside {
            manner: match mode {
                "streaming" => Manner::Streams,
                _ => Manner::Plain,
            },
            script: Arc::new(Mutex::new(Script::new(mode))),
            heard: Arc::clone(&heard),
        };
        let router = Router::new().route("/mcp", post(posted)).with_state(inside);
        #[expect(
            clippy::disallowed_methods,
            reason = "a test has no gateway to spawn it"
        )]
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            address,
            serving,
            heard,
        }
    }

    fn settings(&self) -> (Settings, tempfile::TempDir) {
        let way = Way::Address {
            url: Secret::new(format!("http://{}/mcp", self.address)),
            headers: vec![("Authorization".to_owned(), Secret::new(WORD))],
        };
        (Settings::new("site", way), tempfile::tempdir().unwrap())
    }

    fn has_heard(&self, method: &str) -> bool {
        let heard = self.heard.lock().unwrap();
        heard.iter().any(|message| message["method"] == method)
    }

    async fn until_heard(&self, method: &str) {
        let looking = async {
            while !self.has_heard(method) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let heard = tokio::time::timeout(Duration::from_secs(10), looking).await;
        assert!(heard.is_ok(), "nobody said {method}");
    }
}

async fn posted(Shared(inside): Shared<Inside>, headers: HeaderMap, body: Bytes) -> Response {
    let word = headers.get(header::AUTHORIZATION);
    if word.is_none_or(|word| word != WORD) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let message: Value = serde_json::from_slice(&body).unwrap();
    inside.heard.lock().unwrap().push(message.clone());
    let (_, replies) = inside.script.lock().unwrap().hear(&message);
    if message.get("id").is_none() {
        return StatusCode::ACCEPTED.into_response();
    }
    let answer = replies.into_iter().find_map(|reply| match reply {
        Reply::Say(answer) => answer.get("id").is_some().then_some(answer),
        Reply::Die => None,
    });
    let tool = message["params"]["name"].as_str();
    match answer {
        Some(_) if tool == Some("flood") => said("application/json", without_end()),
        Some(answer) if inside.manner == Manner::Streams => {
            let event = format!("event: message\ndata: {answer}\n\n");
            said("text/event-stream", event.into())
        }
        Some(answer) => said("application/json", answer.to_string().into()),
        // Whoever has nothing to say does not even hang up.
        None => std::future::pending().await,
    }
}

fn said(kind: &'static str, body: Body) -> Response {
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

fn without_end() -> Body {
    let chunk = || Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]);
    Body::from_stream(futures_util::stream::repeat_with(chunk))
}

#[tokio::test]
async fn tools_are_listed_and_called_with_the_headers() {
    let site = Site::start("well", "127.0.0.1:0").await;
    let kept = Kept::ready(site.settings()).await;
    assert!(kept.offered().contains(&"echo".to_owned()));
    let echoed = kept.call("echo", json!({ "text": "hello" })).await;
    assert_eq!(echoed, json!({ "output": "hello" }));
}

#[tokio::test]
async fn answers_may_come_as_a_stream() {
    let site = Site::start("streaming", "127.0.0.1:0").await;
    let kept = Kept::ready(site.settings()).await;
    let echoed = kept.call("echo", json!({ "text": "hello" })).await;
    assert_eq!(echoed, json!({ "output": "hello" }));
}

#[tokio::test]
async fn an_answer_without_end_is_not_read_to_its_end() {
    let site = Site::start("well", "127.0.0.1:0").await;
    let kept = Kept::ready(site.settings()).await;
    let flood = kept.call("flood", json!({})).await;
    let why = flood["error"].as_str().unwrap();
    assert!(why.contains("too long"), "{why}");
}

#[tokio::test]
async fn a_server_without_the_handshake_is_understood() {
    let site = Site::start("modern", "127.0.0.1:0").await;
    let kept = Kept::ready(site.settings()).await;
    let echoed = kept.call("echo", json!({ "text": "hello" })).await;
    assert_eq!(echoed, json!({ "output": "hello" }));
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled() {
    let site = Site::start("well", "127.0.0.1:0").await;
    let (mut settings, notes) = site.settings();
    settings.time = Span::ms(300);
    let kept = Kept::ready((settings, notes)).await;
    let late = kept.call("hang", json!({})).await;
    assert_eq!(late["status"], "timeout");
    site.until_heard("notifications/cancelled").await;
}

#[tokio::test]
async fn a_closed_door_is_said_without_the_word() {
    let site = Site::start("well", "127.0.0.1:0").await;
    let (mut settings, notes) = site.settings();
    if let Way::Address { headers, .. } = &mut settings.way {
        headers.clear();
    }
    let kept = Kept::new((settings, notes));
    let report = kept.until(|report| report.state == State::Down).await;
    let why = report.why.unwrap();
    assert!(why.contains("401"), "{why}");
    assert!(!why.contains("127.0.0.1"), "{why}");
}

#[tokio::test]
async fn a_server_that_went_away_is_down_and_found_again() {
    let site = Site::start("well", "127.0.0.1:0").await;
    let kept = Kept::ready(site.settings()).await;
    site.serving.abort();
    let _gone = site.serving.await.is_err();
    let answer = kept.call("echo", json!({ "text": "hello" })).await;
    assert!(answer["error"].is_string(), "{answer}");
    let report = kept.until(|report| report.state == State::Down).await;
    assert!(report.why.is_some());
    assert_eq!(kept.offered(), [""; 0]);
    let _site = Site::start("well", &site.address.to_string()).await;
    kept.until(|report| report.state == State::Ready).await;
    let echoed = kept.call("echo", json!({ "text": "back" })).await;
    assert_eq!(echoed, json!({ "output": "back" }));
}
