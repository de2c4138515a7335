//! The least program between a client and a model that keeps what passes through it.
//!
//! A request is made durable before it is passed on, and the answer before its last byte is: two commits,
//! shared by all who wait. It knows nothing of conversations, of people, or of what to do when it dies.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use futures_util::{StreamExt as _, stream};
use tokio::net::TcpListener;
use tokio::runtime::Builder;

use crate::bench::bare::{Bare, Commit};
use crate::bench::http::Http;
use crate::bench::{Bench, Trouble};

/// Room for every prompt of a benchmark.
const BODY_BYTES_MAX: usize = 1024 * 1024;

/// A running proxy, ended with its handle.
pub(super) struct Proxy {
    child: Child,
    port: u16,
}

impl Proxy {
    /// Starts this program once more, as a proxy before the model at `upstream`.
    pub(super) fn start(bench: &Bench, upstream: u16, folder: &Path) -> Result<Self, Trouble> {
        let mut command = Command::new(&bench.program);
        command.arg("--proxy").arg(upstream.to_string()).arg(folder);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let said = child.stdout.take().ok_or("the proxy has no output")?;
        let mut line = String::new();
        BufReader::new(said).read_line(&mut line)?;
        let port = line.trim().parse()?;
        Ok(Self { child, port })
    }

    pub(super) async fn connect(&self) -> Result<Http, Trouble> {
        Ok(Http::connect(self.port, "").await?)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// What every request needs.
struct Desk {
    rows: Bare,
    client: reqwest::Client,
    upstream: String,
}

/// Is the proxy, until it is killed. Says its port first.
#[expect(clippy::print_stdout, reason = "its starter reads the port there")]
pub(in crate::bench) fn serve(upstream: &str, folder: &Path) -> Result<(), Trouble> {
    // A client cannot be built without; nobody minds if it is there already.
    let _already = rustls::crypto::ring::default_provider().install_default();
    let desk = Desk {
        rows: Bare::open(&folder.join("rows.db"), Commit::Shared)?,
        client: reqwest::Client::builder().no_proxy().build()?,
        upstream: format!("http://127.0.0.1:{upstream}/v1/chat/completions"),
    };
    let app = Router::new()
        .route("/v1/chat/completions", post(pass_on))
        .layer(axum::extract::DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(Arc::new(desk));
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
        println!("{}", listener.local_addr()?.port());
        Ok(axum::serve(listener, app).await?)
    })
}

async fn pass_on(State(desk): State<Arc<Desk>>, body: Bytes) -> Response {
    match asked(desk, body).await {
        Ok(response) => response,
        Err(trouble) => (StatusCode::BAD_GATEWAY, trouble.to_string()).into_response(),
    }
}

async fn asked(desk: Arc<Desk>, body: Bytes) -> Result<Response, Trouble> {
    let words = std::str::from_utf8(&body)?.to_owned();
    desk.rows.insert(words).await?;
    let request = desk.client.post(&desk.upstream);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    let answer = request.body(body).send().await?;
    let forward = answer.bytes_stream();
    let told = stream::unfold(
        (forward, String::new(), Some(desk)),
        |(mut forward, mut said, desk)| async move {
            let desk = desk?;
            match forward.next().await {
                Some(Ok(bytes)) => {
                    said.push_str(&String::from_utf8_lossy(&bytes));
                    Some((Ok(bytes), (forward, said, Some(desk))))
                }
                Some(Err(error)) => Some((Err(Trouble::from(error)), (forward, said, None))),
                None => {
                    let kept = desk.rows.insert(std::mem::take(&mut said)).await;
                    Some((kept.map(|()| Bytes::new()), (forward, said, None)))
                }
            }
        },
    );
    let events = [(header::CONTENT_TYPE, "text/event-stream")];
    Ok((events, Body::from_stream(told)).into_response())
}
