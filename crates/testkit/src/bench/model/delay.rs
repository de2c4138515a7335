//! `model-delay`: how much later the model's first word comes through the gateway than through the proxy.
//!
//! One caller at a time, with a short prompt, a conversation of its own each time. Both sides take turns, and
//! each round compares their medians.

use super::{Sides, runtime};
use crate::bench::line::{Line, Target, Unit, median};
use crate::bench::{Bench, Trouble};

const ROUNDS: usize = 7;

/// Requests of a round, on each side.
const EACH: usize = 60;

const PROMPT: &str = "Which animal has stripes?";

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    runtime()?.block_on(against_targets(bench))
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let sides = Sides::start(bench).await?;
    let (mut ours, mut theirs) = (sides.ours().await?, sides.theirs().await?);
    let (mut our_medians, mut their_medians) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
        for _ in 0..EACH {
            our_times.push(ours.ask(PROMPT).await?.as_secs_f64() * 1000.0);
            their_times.push(theirs.ask(PROMPT).await?.as_secs_f64() * 1000.0);
        }
        // The first round warms up.
        if round > 0 {
            our_medians.push(median(&our_times));
            their_medians.push(median(&their_times));
        }
    }
    let pairs = our_medians.iter().zip(&their_medians);
    Ok(vec![Line {
        name: "model delay",
        words: format!(
            "the first word through the gateway, later than through a bare proxy ({:.2} and {:.2} ms)",
            median(&our_medians),
            median(&their_medians)
        ),
        unit: Unit::Milliseconds,
        target: Target::AtMost(2.0),
        figures: pairs.map(|(ours, theirs)| ours - theirs).collect(),
    }])
}
