//! Every address of the interface, in one list. Each resource has a file of its own.

mod access;
mod approvals;
mod changes;
mod commands;
mod deliveries;
mod events;
mod export;
mod inbox;
mod media;
mod metrics;
mod openai;
mod outbox;
mod processes;
mod responses;
mod search;
mod sessions;
mod sign_in;
mod status;
mod turns;
mod undo;
mod usage;
mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::{delete, get, post};

use crate::front;
use crate::state::{ApiState, Inner, Shared};
use crate::ui;

/// The interface of one running node.
pub fn router(state: ApiState) -> Router {
    let shared = Arc::new(Inner::new(state));
    Router::new()
        .route("/health", get(status::health))
        .route("/ready", get(status::ready))
        .route("/metrics", get(metrics::render))
        .route("/api/v1/status", get(status::status))
        .route("/api/v1/restart", post(status::restart))
        .route("/api/v1/nodes", get(status::nodes))
        .route("/api/v1/commands", get(commands::list))
        .route("/api/v1/sign-in", post(sign_in::sign_in))
        .route("/api/v1/sign-out", post(sign_in::sign_out))
        .route("/api/v1/me", get(sign_in::me))
        .route("/api/v1/inbox", post(inbox::accept))
        .route("/api/v1/media", post(media::keep))
        .route("/api/v1/media/{media}", get(media::show))
        .route("/api/v1/messages/{inbox}", get(inbox::story))
        .route("/api/v1/turns/{turn}/steps", get(turns::steps))
        .route("/api/v1/chats/{chat}/deliveries", get(deliveries::list))
        .route("/api/v1/sessions", get(sessions::list))
        .route("/api/v1/sessions/find", get(sessions::find))
        .route("/api/v1/sessions/prune", post(changes::prune))
        .route(
            "/api/v1/sessions/{session}",
            get(sessions::show).delete(changes::delete),
        )
        .merge(of_session())
        .merge(of_process())
        .merge(of_access())
        .route("/api/v1/approvals", get(approvals::list))
        .route("/api/v1/approvals/grants", get(approvals::grants))
        .route(
            "/api/v1/approvals/grants/{approval}",
            delete(approvals::revoke),
        )
        .route(
            "/api/v1/approvals/{approval}",
            get(approvals::show).post(approvals::decide),
        )
        .route("/api/v1/search", get(search::search))
        .route("/api/v1/usage", get(usage::report))
        .route("/api/v1/outbox", get(outbox::list))
        .route("/api/v1/outbox/{delivery}/retry", post(outbox::retry))
        .route("/api/v1/outbox/{delivery}/drop", post(outbox::drop))
        .route("/api/v1/events", get(events::watch))
        .route("/v1/models", get(openai::models))
        .route("/v1/chat/completions", post(openai::complete))
        .route("/v1/responses", post(responses::respond))
        .route("/webhooks/{account}", post(webhooks::take))
        .route("/", get(ui::page))
        .route("/assets/{*path}", get(ui::asset))
        .fallback(front::nowhere)
        .method_not_allowed_fallback(front::wrong_method)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&shared),
            front::front,
        ))
        .with_state(shared)
}

/// Who waits to be let in, and who may speak.
fn of_access() -> Router<Shared> {
    Router::new()
        .route("/api/v1/access/knocks", get(access::knocks))
        .route("/api/v1/access/approve", post(access::approve))
        .route(
            "/api/v1/access/grants",
            get(access::grants).post(access::give),
        )
        .route("/api/v1/access/grants/{grant}/revoke", post(access::revoke))
}

/// Background processes, what each says, and what can be done to it.
fn of_process() -> Router<Shared> {
    let below = |name: &str| format!("/api/v1/processes/{{process}}/{name}");
    Router::new()
        .route("/api/v1/processes", get(processes::list))
        .route("/api/v1/processes/{process}", get(processes::show))
        .route(&below("log"), get(processes::log::log))
        .route(&below("kill"), post(processes::kill))
        .route(&below("write"), post(processes::write))
        .route(&below("close"), post(processes::close))
        .route(&below("resize"), post(processes::resize))
}

/// What can be read of one conversation and done to it.
fn of_session() -> Router<Shared> {
    let below = |name: &str| format!("/api/v1/sessions/{{session}}/{name}");
    Router::new()
        .route(&below("transcript"), get(sessions::transcript))
        .route(&below("export"), get(export::export))
        .route(&below("new"), post(changes::begin))
        .route(&below("resume"), post(changes::resume))
        .route(&below("rewind"), get(undo::plan).post(undo::rewind))
        .route(&below("branch"), post(changes::branch))
        .route(&below("stop"), post(undo::stop))
        .route(&below("title"), post(changes::rename))
        .route(&below("model"), post(changes::model))
        .route(&below("suspend"), post(changes::suspend))
}
