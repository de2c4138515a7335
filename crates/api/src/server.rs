//! The listener: one task per connection, under limits, ended in order.
//!
//! Connections are served by hand rather than by the framework's own loop, which knows neither a
//! limit on their number, nor one on how long a request's head may take, nor an end to shutting down.
//!
//! Stopping: nothing new is accepted, requests under way get a few seconds, event streams end at
//! once (they see `Closing`), and what is left then is dropped. Dropping loses nothing: whatever was
//! promised to a caller is in the rows.

use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// Connections at once. More wait in the system's queue.
const CONNECTIONS_MAX: usize = 1024;

/// How long a request's head may take, and how long a connection may idle: a little longer than
/// clients keep theirs, so that it is they who close.
const HEAD_TIME: Duration = Duration::from_secs(100);

/// How long requests under way may take once the server stops.
const SHUTDOWN_TIME: Duration = Duration::from_secs(5);

/// Pause after the system refused a connection, usually for want of file descriptors.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// Cancelled when the server stops. Streams without an end watch it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Closing(pub(crate) CancellationToken);

/// Serves until `stop`, then lets requests under way end within a few seconds.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(ended) = connections.join_next(), if !connections.is_empty() => note(ended),
            accepted = listener.accept(), if connections.len() < CONNECTIONS_MAX => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(converse(stream, router.clone(), stop.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            },
        }
    }
    drop(listener);
    let ending = async {
        while let Some(ended) = connections.join_next().await {
            note(ended);
        }
    };
    if tokio::time::timeout(SHUTDOWN_TIME, ending).await.is_err() {
        tracing::info!("connections did not end in time and were dropped");
    }
}

/// Serves one connection to its end.
async fn converse(stream: TcpStream, router: Router, stop: CancellationToken) {
    // Answers are small and complete: waiting to fill a packet only adds latency. If the system
    // refuses, the connection works all the same.
    let _slower = stream.set_nodelay(true).is_err();
    let routes = TowerToHyperService::new(router);
    let closing = Closing(stop.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(closing.clone());
        hyper::service::Service::call(&routes, request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.as_mut().await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}

/// A route that panicked ends its connection and no other.
fn note(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection's task failed");
    }
}
