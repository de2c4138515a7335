//! `angelia restart`: lets the running gateway begin anew, and waits until it is back.

use std::thread;
use std::time::Duration;

use angelia_core::limits;
use angelia_core::time::Span;
use angelia_gateway::env::Env;

use super::Start;
use crate::errors::Failure;
use crate::finding;
use crate::home::facts::Facts;
use crate::output::{self, Form, time};

/// What it may take beyond its drain: the last deliveries, a supervisor that takes its time, and the start.
const MARGIN: Span = Span::seconds(30);

/// How often we look whether it is back.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub(super) fn run(mut start: Start) -> Result<(), Failure> {
    // It would not come back with settings that cannot be read; better to hear that now.
    let overrides = start.overrides();
    start.config.load(&overrides)?;
    let client = finding::client(&start.home)?;
    let facts = start.home.facts();
    let before = facts.ok_or_else(|| finding::not_running(&start.home))?;
    finding::wait(async {
        let asked = client.restart().await;
        asked.map_err(|error| finding::failure(&start.home, &error))
    })?;
    let wait = time::short(before.drain());
    let pid = before.pid;
    output::aside(format_args!(
        "asked the gateway (pid {pid}) to restart; its running answers have {wait}"
    ));
    let back = come_back(&start, &before)?;
    let address = back.address.unwrap_or_default();
    let said = format!("restarted: pid {}, at {address}", back.pid);
    start.output(Form::People).line(said)
}

/// Waits for the next one.
fn come_back(start: &Start, before: &Facts) -> Result<Facts, Failure> {
    let env = Env::system();
    let begun = env.steady();
    let spans = [before.drain(), limits::DRAIN_DELIVERY_TIME, MARGIN];
    let patience = Span::ms(spans.iter().map(|span| span.as_ms()).sum());
    while env.elapsed(begun) < patience {
        let now = start.home.facts();
        let back = now.filter(|now| now.started_at != before.started_at && now.address.is_some());
        if let Some(back) = back {
            return Ok(back);
        }
        thread::sleep(LOOK_EVERY);
    }
    let waited = time::short(patience);
    Err(
        Failure::new(format!("the gateway is not back after {waited}"))
            .hint("look at its log; `angelia serve` starts it if it is gone"),
    )
}
