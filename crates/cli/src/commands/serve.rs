//! `angelia serve`: the gateway, from an empty directory to its orderly end.
//!
//! ```text
//! settings → home and lock → store → listener → gateway → HTTP → greeting
//!     … signals, wishes to restart …
//! drain (reads are still answered, and a moment longer) → HTTP ends → facts forgotten → lock freed → perhaps again
//! ```
//!
//! There is no recovery here: a start after a crash is a start. Whatever ends this process, the kernel
//! frees the lock with it.

mod again;
mod greeting;
mod reload;
mod signals;
pub(super) mod takeover;

use std::future::Future;
use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;
use std::{io, process, thread};

use angelia_api::{AgentInfo, ApiState};
use angelia_core::restart::Going;
use angelia_core::time::Timestamp;
use angelia_gateway::env;
use angelia_gateway::gateway::Gateway;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use super::Start;
use crate::args;
use crate::compose;
use crate::config::{Agent, Overrides, Resolved, Wish};
use crate::errors::Failure;
use crate::home::facts::Facts;
use crate::logs;
use crate::output::Form;
use again::Birth;
use reload::Watched;
use signals::{Call, Signals};

/// Threads for calls that block. Nothing on the path of a message uses them.
const BLOCKING_THREADS_MAX: usize = 3;

/// How long those who watched may still ask, once all is delivered: their last event was a hint, and
/// what it hinted at has to be read.
const LAST_LOOK: Duration = Duration::from_millis(300);

/// When memory that only the start needed is given back: not while the first requests need it.
const LEAN_AFTER: Duration = Duration::from_millis(100);

/// How often the counters are tidied up.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

pub(super) fn run(mut start: Start, wish: args::Serve) -> Result<(), Failure> {
    let (started_at, mut birth) = (env::system_now(), Birth::remember());
    logs::start(&start.environment)?;
    let overrides = Overrides {
        listen: wish.listen,
        ..start.overrides()
    };
    let resolved = start.config.load(&overrides)?;
    start.home.prepare()?;
    let lock = takeover::lock(&start.home, wish.replace.into())?;
    let served = serve(&start, &overrides, &resolved, started_at, &mut birth);
    start.home.forget();
    drop(lock);
    match served? {
        Going::Stop => Ok(()),
        Going::Restart => Err(birth.again(resolved.settings.restart)),
    }
}

fn serve(
    start: &Start,
    overrides: &Overrides,
    resolved: &Resolved,
    started_at: Timestamp,
    birth: &mut Birth,
) -> Result<Going, Failure> {
    let settings = &resolved.settings;
    let mut facts = Facts {
        pid: process::id(),
        address: None,
        version: compose::VERSION.to_owned(),
        started_at: started_at.to_string(),
        drain_ms: settings.drain.as_ms(),
    };
    start.home.tell(&facts)?;
    let token = start.home.token_or_new()?;
    let store = compose::store(settings, &start.home)?;
    let metrics = recorder()?;
    runtime()?.block_on(async {
        let signals = Signals::catch()?;
        let listener = bind(settings.listen).await?;
        let console = address(&listener, settings.listen);
        let parts = compose::parts(settings, &start.home, start.config.path(), store).await?;
        let gateway = Gateway::start(parts).await;
        let place = compose::kept_at(settings, &start.home);
        let gateway = gateway.map_err(|error| compose::store_failure(&place, &error))?;
        let gateway = Arc::new(gateway);
        let state = ApiState {
            gateway: Arc::clone(&gateway),
            token: token.clone(),
            agent: agent(&settings.agents.main),
            metrics: metrics.clone(),
            console: format!("{console}/"),
            pid: facts.pid,
            started_at,
        };
        let stop = CancellationToken::new();
        let server = angelia_api::serve(listener, angelia_api::router(state), stop.clone());
        facts.address = Some(console.clone());
        start.home.tell(&facts)?;
        let answers = agent(&settings.agents.main);
        let met = (console.as_str(), &answers);
        match greeting::print(&start.output(Form::People), start, met, &token) {
            // Whoever started it does not read it any more: after a restart that is to be expected.
            Ok(()) | Err(Failure::ReaderGone) => (),
            Err(failure) => return Err(failure),
        }
        let mut watched = Watched {
            config: start.config.clone(),
            overrides,
            held: resolved,
            birth,
        };
        gateway
            .ground()
            .tasks
            .spawn("memory".to_owned(), grow_lean());
        let life = live(&gateway, signals, &mut watched, &metrics);
        until(life, server, &stop).await
    })
}

async fn grow_lean() {
    tokio::time::sleep(LEAN_AFTER).await;
    angelia_process::lean::give_back();
}

/// Serves for as long as the gateway lives. After an orderly end, requests under way may end too.
async fn until(
    life: impl Future<Output = Result<Going, Failure>>,
    server: impl Future<Output = ()>,
    stop: &CancellationToken,
) -> Result<Going, Failure> {
    tokio::pin!(server);
    let ended = tokio::select! {
        biased;
        ended = life => ended,
        () = &mut server => Err(Failure::new("the HTTP server ended by itself")),
    };
    stop.cancel();
    if ended.is_ok() {
        server.await;
    }
    ended
}

/// From the first message to the end of the drain; why it ended.
async fn live(
    gateway: &Gateway,
    mut signals: Signals,
    watched: &mut Watched<'_>,
    metrics: &PrometheusHandle,
) -> Result<Going, Failure> {
    let mut upkeep = tokio::time::interval(UPKEEP_EVERY);
    let going = loop {
        tokio::select! {
            biased;
            fault = gateway.fault() => return Err(broken(&fault)),
            call = signals.next() => match call {
                Call::Reload => watched.check(),
                Call::End(signal) => {
                    tracing::info!(signal, "stopping: running answers may end first; a second signal ends at once");
                    break Going::Stop;
                }
            },
            () = gateway.restart_wished() => match watched.obstacle() {
                None => {
                    tracing::info!("restarting: running answers may end first; a signal ends at once");
                    break Going::Restart;
                }
                Some(why) => {
                    tracing::error!(why, "not restarted: the gateway would not come back");
                    gateway.call_off_restart(&why).await;
                }
            },
            _ = upkeep.tick() => {
                metrics.run_upkeep();
                watched.birth.inherited.reap();
            }
        }
    };
    tokio::select! {
        biased;
        fault = gateway.fault() => Err(broken(&fault)),
        () = stop(gateway, going) => {
            tracing::info!("stopped");
            Ok(going)
        }
        signal = signals.end() => Err(cut_short(signal)),
    }
}

async fn stop(gateway: &Gateway, going: Going) {
    let feed = &gateway.ground().feed;
    let is_watched = feed.is_watched() || !feed.followers.is_empty();
    gateway.leave(going).await;
    if is_watched {
        tokio::time::sleep(LAST_LOOK).await;
    }
}

fn cut_short(signal: &str) -> Failure {
    Failure::new(format!(
        "a second signal ({signal}) ended the gateway before its turns ended"
    ))
    .hint("nothing is lost: the next start goes on with them")
}

fn broken(fault: &angelia_gateway::tasks::Fault) -> Failure {
    Failure::new(format!("the gateway cannot go on: {fault}"))
        .hint("start it again; nothing that was accepted is lost")
}

/// As many workers as cores, and few threads beside them.
fn runtime() -> Result<Runtime, Failure> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let built = Builder::new_multi_thread()
        .worker_threads(cores)
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .thread_name("angelia")
        .enable_all()
        .build();
    built.map_err(|error| Failure::new(format!("the runtime cannot be started: {error}")))
}

fn recorder() -> Result<PrometheusHandle, Failure> {
    let installed = PrometheusBuilder::new().install_recorder();
    installed.map_err(|error| Failure::new(format!("the counters cannot be started: {error}")))
}

async fn bind(wanted: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(wanted).await.map_err(|error| {
        let taken = error.kind() == io::ErrorKind::AddrInUse;
        let why = if taken {
            "another program listens there; "
        } else {
            ""
        };
        Failure::new(format!("cannot listen on {wanted}: {error}")).hint(format!(
            "{why}choose another address with `--listen 127.0.0.1:0` (any free port) or `listen` \
             in the configuration"
        ))
    })
}

/// The address as people and clients on this machine type it.
fn address(listener: &TcpListener, wanted: SocketAddr) -> String {
    let mut bound = listener.local_addr().unwrap_or(wanted);
    if bound.ip().is_unspecified() {
        bound.set_ip(match bound {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{bound}")
}

fn agent(agent: &Agent) -> AgentInfo {
    let (backend, model) = match agent {
        Agent::Demo(_) => ("demo", None),
        Agent::Model(model) => (model.wire.name(), Some(model.model.clone())),
        Agent::Acp(_) => ("acp", None),
        Agent::Exec(_) => ("exec", None),
    };
    AgentInfo {
        backend: backend.to_owned(),
        model,
        configured: !matches!(agent, Agent::Demo(wish) if *wish != Wish::Asked),
    }
}
