//! `model-idle`: what a thousand conversations with the built-in agent keep in memory when nobody speaks.

use std::time::Duration;

use super::asker::Asker;
use super::upstream::Upstream;
use super::{gateway, runtime};
use crate::bench::line::{Line, Target, Unit};
use crate::bench::{Bench, Trouble, proc};

const CONVERSATIONS: usize = 1_000;

/// Until everything behind the last turn is done.
const SETTLE: Duration = Duration::from_secs(2);

const PROMPT: &str = "Which animal has stripes?";

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    runtime()?.block_on(against_targets(bench))
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let upstream = Upstream::start()?;
    let server = gateway(bench, upstream.port()).await?;
    let mut asker = Asker::new(server.connect().await?);
    for _ in 0..CONVERSATIONS {
        asker.ask(PROMPT).await?;
    }
    tokio::time::sleep(SETTLE).await;
    let resident = proc::resident(server.pid())? as f64 / 1e6;
    Ok(vec![Line {
        name: "model idle",
        words: "the gateway's memory with 1,000 conversations open and nobody speaking".to_owned(),
        unit: Unit::Megabytes,
        target: Target::AtMost(64.0),
        figures: vec![resident],
    }])
}
