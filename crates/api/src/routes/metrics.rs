//! `GET /metrics`: what the recorder counted, and how much of everything there is.
//!
//! Counters are the recorder's. The gauges are read from the rows when asked for, so they are right
//! after a restart and on every node.

use std::fmt::Write;

use angelia_store::views::Counts;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::error::ApiError;
use crate::state::Shared;

const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Renders the text that Prometheus reads.
pub(super) async fn render(State(shared): State<Shared>) -> Result<impl IntoResponse, ApiError> {
    let counts = shared.stored(shared.ground().store.counts().await)?;
    let mut text = shared.api.metrics.render();
    text.push_str(&gauges(counts));
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text))
}

fn gauges(counts: Counts) -> String {
    let all = [
        (
            "angelia_inbox_waiting",
            "Messages not yet claimed.",
            counts.waiting,
        ),
        ("angelia_turns_running", "Open turns.", counts.running),
        (
            "angelia_outbox_due",
            "Deliveries due or being sent.",
            counts.due,
        ),
        (
            "angelia_outbox_wedged",
            "Deliveries set aside.",
            counts.wedged,
        ),
        ("angelia_sessions", "Conversations stored.", counts.sessions),
    ];
    all.iter()
        .fold(String::new(), |mut text, (name, help, value)| {
            // Writing to a string cannot fail.
            let _never = write!(
                text,
                "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}\n"
            );
            text
        })
}
