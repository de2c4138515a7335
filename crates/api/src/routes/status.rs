//! Is it up, does it serve, what does it do?

use angelia_gateway::agents::Agents;
use angelia_gateway::gateway::Gateway;
use angelia_gateway::phase::Phase;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::error::ApiError;
use crate::params::{PageParams, Params};
use crate::state::Shared;
use crate::wire::v1::node::Node;
use crate::wire::v1::page::Page;
use crate::wire::v1::status::{
    Account, Agent, Health, Loop, McpServer, Named, Readiness, Ready, Restarting, Status,
};

/// The loop whose look at the rows tells whether messages get on.
const VITAL: &str = "dispatcher";

/// Takes the wish for a restart. It is a row when this answers; how it goes on, `ready` and `status` tell.
pub(super) async fn restart(
    State(shared): State<Shared>,
) -> Result<(StatusCode, Json<Restarting>), ApiError> {
    shared.api.gateway.wish_restart().await?;
    let started_at = shared.api.started_at.into();
    Ok((StatusCode::ACCEPTED, Json(Restarting { started_at })))
}

/// Answers while the process lives.
pub(super) async fn health() -> Json<Health> {
    let status = "ok".to_owned();
    Json(Health { status })
}

/// Tells whether messages are taken and get on.
pub(super) async fn ready(State(shared): State<Shared>) -> (StatusCode, Json<Ready>) {
    let ready = readiness(&shared.api.gateway);
    let status = match ready.status {
        Readiness::Ready | Readiness::Degraded => StatusCode::OK,
        Readiness::Starting
        | Readiness::Draining
        | Readiness::Stopping
        | Readiness::Unavailable
        | Readiness::Unknown => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, Json(ready))
}

fn readiness(gateway: &Gateway) -> Ready {
    let ground = gateway.ground();
    let looks = ground.pulse.looks();
    let vital = looks.into_iter().find(|(name, _)| *name == VITAL);
    let error = vital.as_ref().and_then(|(_, look)| look.error.clone());
    let status = match (ground.phase.now(), &vital, &error) {
        (Phase::Draining { .. }, _, _) => Readiness::Draining,
        (Phase::Stopping, _, _) => Readiness::Stopping,
        (Phase::Running, None, _) => Readiness::Starting,
        (Phase::Running, Some(_), Some(_)) => Readiness::Unavailable,
        (Phase::Running, Some(_), None) => return connectedness(gateway),
    };
    Ready { status, why: error }
}

/// Whether every platform can be reached, if nothing else is wrong.
fn connectedness(gateway: &Gateway) -> Ready {
    let mut all = gateway.connections().into_iter();
    let Some(one) = all.find(|one| !one.is_up()) else {
        let status = Readiness::Ready;
        return Ready { status, why: None };
    };
    let reason = one.why.map(|why| format!(": {why}")).unwrap_or_default();
    Ready {
        status: Readiness::Degraded,
        why: Some(format!("{} is {}{reason}", one.account, one.state)),
    }
}

fn accounts(gateway: &Gateway) -> Vec<Account> {
    let told = gateway.connections().into_iter();
    told.map(|one| Account {
        account: one.account.0,
        platform: one.platform.name().to_owned(),
        state: one.state.to_owned(),
        name: one.name,
        heard_at: one.heard_at.map(Into::into),
        down_since: one.down_since.map(Into::into),
        why: one.why,
        unknown_updates: one.unknown,
    })
    .collect()
}

/// Tells what the gateway does.
pub(super) async fn status(State(shared): State<Shared>) -> Result<Json<Status>, ApiError> {
    let (api, ground) = (&shared.api, shared.ground());
    let counts = shared.stored(ground.store.counts().await)?;
    let nodes = shared.stored(ground.store.living_nodes().await)?;
    let looks = ground.pulse.looks().into_iter();
    Ok(Json(Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        node: ground.node,
        nodes: nodes.into_iter().map(Node::from).collect(),
        pid: api.pid,
        phase: ground.phase.now().name().to_owned(),
        started_at: api.started_at.into(),
        agent: Agent {
            backend: api.agent.backend.clone(),
            model: api.agent.model.clone(),
            configured: api.agent.configured,
        },
        agents: named(api.gateway.agents()),
        console: api.console.clone(),
        waiting: counts.waiting,
        running: counts.running,
        due: counts.due,
        wedged: counts.wedged,
        sessions: counts.sessions,
        loops: looks
            .map(|(name, look)| Loop::of(&name, look.at, look.error))
            .collect(),
        platforms: accounts(&api.gateway),
        mcp: servers(&api.gateway),
    }))
}

fn servers(gateway: &Gateway) -> Vec<McpServer> {
    let reports = gateway.servers().reports().into_iter();
    let told = reports.map(|report| McpServer {
        name: report.name,
        state: report.state.name().to_owned(),
        tools: report.tools as u64,
        left_out: report.left_out as u64,
        why: report.why,
    });
    told.collect()
}

fn named(agents: &Agents) -> Vec<Named> {
    let kinds = agents.kinds().into_iter();
    let named = kinds.map(|(name, backend)| Named {
        name,
        backend: backend.to_owned(),
    });
    named.collect()
}

/// Lists boots, newest first.
pub(super) async fn nodes(
    State(shared): State<Shared>,
    Params(query): Params<PageParams>,
) -> Result<Json<Page<Node>>, ApiError> {
    let range = query.range()?;
    let page = shared.stored(shared.ground().store.nodes(range).await)?;
    Ok(Json(Page::of(page)))
}
