//! The browser's own protocol: JSON over one websocket, calls with numbers, events in between.
//!
//! One call at a time. While a call waits for its answer, events arrive; they are kept in order and handed
//! over when somebody asks. So there is no task beside the test and nothing runs while nobody looks.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

/// How long the browser may take for one answer, on a machine that is busy with other tests.
const ANSWER_TIME: Duration = Duration::from_secs(20);

/// Something that happened without being asked for.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) method: String,
    pub(super) params: Value,
}

/// A connection to one page.
pub(super) struct Cdp {
    runtime: Runtime,
    socket: WebSocketStream<TcpStream>,
    session: Option<String>,
    last: u64,
    events: Vec<Event>,
}

impl Cdp {
    /// Connects to the browser and attaches to a new page.
    pub(super) fn attach((port, path): (u16, String)) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let socket = runtime.block_on(async {
            let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            let address = format!("ws://127.0.0.1:{port}{path}");
            client_async(address, stream).await.unwrap().0
        });
        let mut cdp = Self {
            runtime,
            socket,
            session: None,
            last: 0,
            events: Vec::new(),
        };
        let made = cdp.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = made.unwrap()["targetId"].clone();
        let wish = json!({"targetId": target, "flatten": true});
        let attached = cdp.call("Target.attachToTarget", wish).unwrap();
        cdp.session = attached["sessionId"].as_str().map(str::to_owned);
        cdp
    }

    /// Asks for something and waits for the answer; an error is what the browser said.
    pub(super) fn call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.last += 1;
        let mut question = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            question["sessionId"] = json!(session);
        }
        let (socket, events, id) = (&mut self.socket, &mut self.events, self.last);
        let answer = async {
            let text = Message::text(question.to_string());
            socket.send(text).await.map_err(|error| error.to_string())?;
            answer(socket, events, id).await
        };
        let bounded = async { tokio::time::timeout(ANSWER_TIME, answer).await };
        self.runtime
            .block_on(bounded)
            .unwrap_or_else(|_| Err("the browser gave no answer in time".to_owned()))
            .map_err(|error| format!("{method}: {error}"))
    }

    /// What happened since somebody last asked, in order.
    pub(super) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }
}

/// Reads until the answer to `id` comes, and keeps the events before it.
async fn answer(
    socket: &mut WebSocketStream<TcpStream>,
    events: &mut Vec<Event>,
    id: u64,
) -> Result<Value, String> {
    while let Some(message) = socket.next().await {
        let message = message.map_err(|error| error.to_string())?;
        let Ok(text) = message.into_text() else {
            continue;
        };
        // Pings and the like have no words.
        let Ok(mut said) = serde_json::from_str::<Value>(&text) else {
            continue;
        };
        if said["id"] == id {
            return outcome(said);
        }
        if let Some(method) = said["method"].as_str().map(str::to_owned) {
            let params = said["params"].take();
            events.push(Event { method, params });
        }
    }
    Err("the browser closed the connection".to_owned())
}

fn outcome(mut said: Value) -> Result<Value, String> {
    match said["error"]["message"].as_str() {
        Some(words) => Err(words.to_owned()),
        None => Ok(said["result"].take()),
    }
}
