//! The Bot API server of Telegram, played on loopback, for tests.
//!
//! It speaks HTTP as the real one does: method names in any case, parameters as JSON, as a form, in parts or in
//! the query, error bodies with their codes and words, updates that are kept until a later offset confirms
//! them, one poller at a time, webhooks with their secret. A test plays the people (`people`) and the weather
//! (`trouble`), and reads what was called and what the chats show.
//!
//! ```text
//! people ─▶ updates ─▶ getUpdates or webhook ─▶ bot ─▶ sendMessage … ─▶ chats
//! ```
//!
//! It knows nothing of the gateway. It does not enforce paces by itself: a test that wants a flood says so.

mod call;
mod files;
mod markdown;
mod markup;
mod messages;
mod methods;
mod people;
mod sending;
mod trouble;
mod updates;
mod webhook;
mod world;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

pub use call::Call;
pub use people::{Place, Words};
pub use trouble::Trouble;
pub use world::Shown;

use call::Refused;
use trouble::Script;
use world::World;

/// Bytes of one request that are read; more than any test sends.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The bot that every fake has.
pub const BOT_ID: i64 = 4242;

/// Its name, as people mention it.
pub const BOT_NAME: &str = "angelia_test_bot";

/// What opens its door.
pub const TOKEN: &str = "4242:AAFakeFakeFakeFakeFakeFakeFakeFakeFak";

/// A running fake. It ends when it is dropped.
pub struct FakeTelegram {
    address: SocketAddr,
    desk: Desk,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Desk {
    world: Arc<Mutex<World>>,
    script: Arc<Mutex<Script>>,
    /// Rung when an update arrives, when another poller comes, and when the token is withdrawn.
    bell: Arc<Notify>,
}

impl Desk {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FakeTelegram {
    /// Starts one on loopback.
    ///
    /// # Errors
    /// The machine has no free port.
    pub async fn start() -> std::io::Result<Self> {
        Self::listen(TcpListener::bind("127.0.0.1:0").await?)
    }

    /// Starts one on a socket that is there already.
    ///
    /// # Errors
    /// The socket has no address.
    pub fn listen(listener: TcpListener) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let desk = Desk {
            world: Arc::default(),
            script: Arc::default(),
            bell: Arc::default(),
        };
        let app = Router::new().fallback(serve).with_state(desk.clone());
        let task = serving(listener, app);
        Ok(Self {
            address,
            desk,
            task,
        })
    }

    /// The address that stands in place of `https://api.telegram.org`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every call until now, oldest first.
    pub fn calls(&self) -> Vec<Call> {
        self.desk.world().calls.clone()
    }

    /// The calls of one method until now, oldest first.
    pub fn calls_of(&self, method: &str) -> Vec<Call> {
        let calls = self.calls().into_iter();
        calls.filter(|call| call.is(method)).collect()
    }

    /// What the chat shows of the bot now, oldest first.
    pub fn shown(&self, chat: i64) -> Vec<Shown> {
        self.desk.world().shown(chat)
    }

    /// The words that the chat shows of the bot now, oldest first.
    pub fn texts(&self, chat: i64) -> Vec<String> {
        self.shown(chat).into_iter().map(|one| one.text).collect()
    }

    /// What the buttons say that the chat shows now, oldest message first.
    pub fn buttons(&self, chat: i64) -> Vec<String> {
        let shown = self.shown(chat).into_iter();
        shown
            .flat_map(|one| messages::buttons(&one.message))
            .collect()
    }

    /// How many presses wait for their answer.
    pub fn unanswered_presses(&self) -> usize {
        self.desk.world().pressed.len()
    }

    /// How many updates wait to be confirmed.
    pub fn waiting(&self) -> usize {
        self.desk.world().waiting()
    }

    /// How many pollers were told that there is another.
    pub fn conflicts(&self) -> usize {
        self.desk.world().conflicts
    }

    /// What is decided about each call from now on, before it is answered.
    pub fn trouble(&self, decide: impl FnMut(&Call) -> Option<Trouble> + Send + 'static) {
        *self.desk.script() = Script::new(decide);
    }

    /// Ends all trouble.
    pub fn fair(&self) {
        *self.desk.script() = Script::default();
    }

    /// Withdraws the token: from now on nobody is let in.
    pub fn revoke(&self) {
        self.desk.world().is_revoked = true;
        self.desk.bell.notify_waiters();
    }
}

impl Drop for FakeTelegram {
    fn drop(&mut self) {
        self.task.abort();
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

async fn serve(State(desk): State<Desk>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_BYTES_MAX).await else {
        return refused(&Refused::new(413, "Request Entity Too Large"));
    };
    if let Some(path) = head.uri.path().strip_prefix("/file/bot") {
        return files::download(&desk, path);
    }
    let call = match call::read(&head, &body) {
        Ok(call) => call,
        Err(error) => return refused(&error),
    };
    if call.token != TOKEN || desk.world().is_revoked {
        return refused(&Refused::new(401, "Unauthorized"));
    }
    desk.world().calls.push(call.clone());
    let trouble = desk.script().decide(&call);
    match trouble {
        Some(trouble) => trouble.happen(&desk, &call).await,
        None => answered(&methods::perform(&desk, &call).await),
    }
}

/// The body of an answer.
fn body(done: &Result<Value, Refused>) -> (StatusCode, String) {
    match done {
        Ok(result) => {
            let body = json!({ "ok": true, "result": result });
            (StatusCode::OK, body.to_string())
        }
        Err(refused) => (refused.status(), refused.body().to_string()),
    }
}

fn answered(done: &Result<Value, Refused>) -> Response {
    let (status, body) = body(done);
    plain(status, Bytes::from(body))
}

fn refused(error: &Refused) -> Response {
    plain(error.status(), Bytes::from(error.body().to_string()))
}

fn plain(status: StatusCode, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let json = header::HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

#[cfg(test)]
#[path = "telegram_tests.rs"]
mod tests;
