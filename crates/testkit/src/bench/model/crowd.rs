//! `model-crowd`: 64 callers with prompts of 50 kB, through the gateway and through the proxy.
//!
//! Both sides take turns. Counted are requests per second of both, and the gateway's processor time per
//! turn, with all that it does behind a turn: keeping, sending, indexing.

use std::time::Duration;

use tokio::task::JoinSet;

use super::asker::Asker;
use super::{Sides, runtime};
use crate::bench::line::{Line, Target, Unit, median};
use crate::bench::{Bench, Trouble, clock, proc};

const ROUNDS: usize = 5;
const CALLERS: usize = 64;

/// Requests of each caller in a round.
const EACH: usize = 12;

const PROMPT_BYTES: usize = 50_000;

/// How long what is done behind a turn may take until it counts for the round.
const SETTLE: Duration = Duration::from_millis(700);

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    runtime()?.block_on(against_targets(bench))
}

/// Words as people write them, none of them twice in the same order.
fn prompt() -> String {
    let words = [
        "river", "stone", "lantern", "market", "silver", "window", "garden", "letter",
    ];
    let mut text = String::with_capacity(PROMPT_BYTES + 16);
    for number in 0_usize.. {
        text.push_str(words[number * 7 % words.len()]);
        text.push_str(&format!(" {} ", number % 997));
        if text.len() >= PROMPT_BYTES {
            break;
        }
    }
    text
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let sides = Sides::start(bench).await?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..CALLERS {
        ours.push(sides.ours().await?);
        theirs.push(sides.theirs().await?);
    }
    let (mut our_rates, mut their_rates, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let before = proc::cpu(sides.server.pid())?;
        let our_rate = all(&mut ours).await?;
        tokio::time::sleep(SETTLE).await;
        let spent = proc::cpu(sides.server.pid())? - before;
        let their_rate = all(&mut theirs).await?;
        // The first round warms up.
        if round > 0 {
            our_rates.push(our_rate);
            their_rates.push(their_rate);
            cpu.push(spent.as_secs_f64() * 1000.0 / (CALLERS * EACH) as f64);
        }
    }
    Ok(lines(&our_rates, &their_rates, cpu))
}

/// Every caller asks; requests per second.
async fn all(askers: &mut Vec<Asker>) -> Result<f64, Trouble> {
    let prompt: &'static str = Box::leak(prompt().into_boxed_str());
    let began = clock::now();
    let mut asking = JoinSet::new();
    for asker in askers.drain(..) {
        asking.spawn(each(asker, prompt));
    }
    while let Some(asker) = asking.join_next().await {
        askers.push(asker??);
    }
    Ok((CALLERS * EACH) as f64 / began.elapsed().as_secs_f64())
}

async fn each(mut asker: Asker, prompt: &str) -> Result<Asker, Trouble> {
    for _ in 0..EACH {
        asker.ask(prompt).await?;
    }
    Ok(asker)
}

fn lines(ours: &[f64], theirs: &[f64], cpu: Vec<f64>) -> Vec<Line> {
    let pairs = ours.iter().zip(theirs);
    vec![
        Line {
            name: "model crowd",
            words: format!(
                "64 at once with 50 kB, against a bare proxy ({:.0} and {:.0} requests/s)",
                median(ours),
                median(theirs)
            ),
            unit: Unit::Ratio,
            target: Target::AtLeast(0.5),
            figures: pairs.map(|(ours, theirs)| ours / theirs).collect(),
        },
        Line {
            name: "model cpu",
            words: "the gateway's processor time per turn of 50 kB, 64 at once".to_owned(),
            unit: Unit::Milliseconds,
            target: Target::AtMost(1.0),
            figures: cpu,
        },
    ]
}
