//! A server on the network, and everything it may do wrong.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

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
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::script::{Reply, Script};
use super::world::{Kept, PATIENCE};

/// What opens the door.
const WORD: &str = "Bearer sesame-open-now";

/// A server on the loopback device.
struct Site {
    address: SocketAddr,
    serving: JoinHandle<()>,
    heard: watch::Sender<Vec<Value>>,
    forgot: Arc<Mutex<Option<Said>>>,
}

/// What a server that forgot us says to whoever does not greet it: a status, perhaps with words.
type Said = (StatusCode, Option<Value>);

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
    heard: watch::Sender<Vec<Value>>,
    forgot: Arc<Mutex<Option<Said>>>,
}

impl Site {
    async fn start(mode: &str, address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (heard, forgot) = (watch::Sender::default(), Arc::default());
        let inside = Inside {
            manner: match mode {
                "streaming" => Manner::Streams,
                _ => Manner::Plain,
            },
            script: Arc::new(Mutex::new(Script::new(mode))),
            heard: heard.clone(),
            forgot: Arc::clone(&forgot),
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
            forgot,
        }
    }

    fn settings(&self) -> (Settings, tempfile::TempDir) {
        let way = Way::Address {
            url: Secret::new(format!("http://{}/mcp", self.address)),
            headers: vec![("Authorization".to_owned(), Secret::new(WORD))],
        };
        (Settings::new("site", way), tempfile::tempdir().unwrap())
    }

    fn count(&self, method: &str) -> usize {
        let heard = self.heard.borrow();
        let same = heard.iter().filter(|message| message["method"] == method);
        same.count()
    }

    async fn until_heard(&self, method: &str) {
        self.until(method, |message| message["method"] == method)
            .await;
    }

    async fn until_heard_call(&self, tool: &str) {
        self.until(tool, |message| message["params"]["name"] == tool)
            .await;
    }

    async fn until(&self, what: &str, is_it: impl Fn(&Value) -> bool) {
        let mut hearing = self.heard.subscribe();
        let looking = hearing.wait_for(|heard| heard.iter().any(&is_it));
        let heard = tokio::time::timeout(PATIENCE, looking).await;
        assert!(heard.is_ok(), "nobody said {what}");
    }

    /// It starts anew, and knows nobody until it is greeted.
    fn forgets(&self, says: Said) {
        *self.forgot.lock().unwrap() = Some(says);
    }
}

impl Inside {
    /// What it says to whom it does not know.
    fn forgot(&self, message: &Value) -> Option<Response> {
        let mut forgot = self.forgot.lock().unwrap();
        if message["method"] == "initialize" {
            *forgot = None;
        }
        let (status, words) = forgot.clone()?;
        Some(match words {
            Some(words) => {
                (status, said("application/json", words.to_string().into())).into_response()
            }
            None => status.into_response(),
        })
    }
}

async fn posted(Shared(inside): Shared<Inside>, headers: HeaderMap, body: Bytes) -> Response {
    let word = headers.get(header::AUTHORIZATION);
    if word.is_none_or(|word| word != WORD) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let message: Value = serde_json::from_slice(&body).unwrap();
    inside
        .heard
        .send_modify(|heard| heard.push(message.clone()));
    if let Some(stranger) = inside.forgot(&message) {
        return stranger;
    }
    let (_, replies) = inside.script.lock().unwrap().hear(&message);
    if message.get("id").is_none() {
        return StatusCode::ACCEPTED.into_response();
    }
    let answer = replies.into_iter().find_map(|reply| match reply {
        Reply::Say(answer) => answer.get("id").is_some().then_some(answer),
        Reply::Die => None,
    });
    let tool = message["params"]["name"].as_str();
    if let Some(status) = refusal(tool.unwrap_or_default()) {
        return status.into_response();
    }
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

/// The answer to a call of `500` is a bare 500.
fn refusal(tool: &str) -> Option<StatusCode> {
    StatusCode::from_bytes(tool.as_bytes()).ok()
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
async fn a_status_is_an_answer_to_its_call_alone() {
    let statuses = ["500", "400", "403", "410", "413", "429"];
    let site = Site::start("well", "127.0.0.1:0").await;
    let kept = Kept::ready(site.settings()).await;
    let hanging = kept.call("hang", json!({}));
    let refused = async {
        site.until_heard_call("hang").await;
        let mut refused = Vec::new();
        for status in statuses {
            refused.push(kept.call(status, json!({})).await);
        }
        refused
    };
    let refused = tokio::select! {
        biased;
        answer = hanging => panic!("the other call ended with it: {answer}"),
        refused = refused => refused,
    };
    for (answer, status) in refused.iter().zip(statuses) {
        let why = answer["error"].as_str().unwrap();
        assert!(why.contains(status), "{why}");
    }
    assert_eq!(refused[0]["status"], "unknown", "it may have happened");
    for answer in &refused[1..] {
        assert_eq!(answer.get("status"), None, "it was not let in: {answer}");
    }
    let calls = statuses.len() + 1;
    assert_eq!(site.count("tools/call"), calls, "none was made twice");
    assert_eq!(site.count("initialize"), 1, "the connection is the same");
    let echoed = kept.call("echo", json!({ "text": "hello" })).await;
    assert_eq!(echoed, json!({ "output": "hello" }));
}

#[tokio::test]
async fn a_server_that_forgot_us_is_greeted_again_and_takes_the_very_call() {
    let no_session = json!({
        "jsonrpc": "2.0", "id": null,
        "error": { "code": -32000, "message": "Bad Request: No valid session ID provided" },
    });
    let mut of_nobody = no_session.clone();
    of_nobody["id"] = "server-error".into();
    for says in [
        (StatusCode::BAD_REQUEST, None),
        (StatusCode::FORBIDDEN, None),
        (StatusCode::GONE, None),
        (StatusCode::BAD_REQUEST, Some(no_session)),
        (StatusCode::BAD_REQUEST, Some(of_nobody)),
    ] {
        let site = Site::start("well", "127.0.0.1:0").await;
        let kept = Kept::ready(site.settings()).await;
        site.forgets(says.clone());
        let echoed = kept.call("echo", json!({ "text": "hello" })).await;
        assert_eq!(echoed, json!({ "output": "hello" }), "{says:?}");
        assert_eq!(site.count("initialize"), 2, "{says:?}");
    }
}

#[tokio::test]
async fn a_refusal_that_names_no_call_is_told_with_its_words() {
    let site = Site::start("well", "127.0.0.1:0").await;
    let kept = Kept::ready(site.settings()).await;
    let words = json!({
        "jsonrpc": "2.0", "id": null, "error": { "code": -32000, "message": "too many of you" },
    });
    site.forgets((StatusCode::TOO_MANY_REQUESTS, Some(words)));
    let answer = kept.call("echo", json!({})).await;
    let why = answer["error"].as_str().unwrap();
    assert!(
        why.contains("429") && why.contains("too many of you"),
        "{why}"
    );
    assert_eq!(site.count("initialize"), 1);
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
