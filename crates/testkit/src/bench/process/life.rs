//! `process-life`: how quickly a held command starts, how soon its end is known, how quickly many end.

use std::time::Duration;

use angelia_core::limits;
use angelia_process::held::{Held, Outcome};
use angelia_process::spec::Spec;
use futures_util::future::try_join_all;
use rustix::process::{Pid, Signal, kill_process};

use super::{Holders, bare, ms, runtime};
use crate::bench::line::{Line, Target, Unit, median};
use crate::bench::{Bench, Trouble, clock};

const ROUNDS: usize = 7;

/// Starts and ends of one round.
const EACH: usize = 15;

/// Commands that are stopped at once.
const CROWD: usize = 100;

const CROWD_ROUNDS: usize = 5;

/// Says its number, and then waits for its end.
const COMMAND: &str = "echo $$; exec sleep 600";

pub(in crate::bench) fn measure(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    runtime()?.block_on(against_targets(bench))
}

async fn against_targets(bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let mut holders = Holders::new(bench)?;
    let (mut starts, mut slowest, mut usual) = (Starts::default(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let (one, ends) = once(&mut holders).await?;
        // The first round brings the programs into memory.
        if round > 0 {
            starts.note(&one);
            slowest.push(ends.iter().copied().fold(0.0, f64::max));
            usual.push(median(&ends));
        }
    }
    let mut stops = Vec::new();
    for _ in 0..CROWD_ROUNDS {
        stops.push(ms(stop_all(&mut holders).await?));
    }
    Ok(lines(starts, usual, slowest, stops))
}

/// The times of one round's starts.
#[derive(Default)]
struct Starts {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Starts {
    fn note(&mut self, round: &Self) {
        self.ours.push(median(&round.ours));
        self.theirs.push(median(&round.theirs));
    }
}

/// Starts a few, bare and held in turn, and ends each.
async fn once(holders: &mut Holders) -> Result<(Starts, Vec<f64>), Trouble> {
    let (mut starts, mut ends) = (Starts::default(), Vec::new());
    for _ in 0..EACH {
        let (mut child, took) = bare::spawn(COMMAND)?;
        starts.theirs.push(ms(took));
        child.kill()?;
        child.wait()?;
        let began = clock::now();
        let held = holders.start(&Spec::new(COMMAND)).await?;
        let pid = said_pid(&held).await?;
        starts.ours.push(ms(began.elapsed()));
        ends.push(ms(end_seen(&held, pid).await?));
    }
    Ok((starts, ends))
}

/// Waits for the command's first word, its number.
async fn said_pid(held: &Held) -> Result<Pid, Trouble> {
    loop {
        let piece = held.read(0, 64)?;
        if piece.bytes.ends_with(b"\n") {
            let number = String::from_utf8(piece.bytes)?.trim().parse()?;
            return Pid::from_raw(number).ok_or_else(|| "no process has the number 0".into());
        }
        tokio::task::yield_now().await;
    }
}

/// From the command's death until one who waits for it knows.
async fn end_seen(held: &Held, pid: Pid) -> Result<Duration, Trouble> {
    let waiting = held.wait();
    tokio::pin!(waiting);
    // Connected before the end comes, as a gateway is.
    let connected = tokio::time::timeout(Duration::from_millis(2), &mut waiting).await;
    if connected.is_ok() {
        return Err("the command ended before it was killed".into());
    }
    let began = clock::now();
    kill_process(pid, Signal::KILL)?;
    match waiting.await? {
        Outcome::Ended(_) => Ok(began.elapsed()),
        Outcome::Lost => Err("the command was lost".into()),
    }
}

/// From the wish that all end until all have.
async fn stop_all(holders: &mut Holders) -> Result<Duration, Trouble> {
    let mut crowd = Vec::new();
    for _ in 0..CROWD {
        let held = holders.start(&Spec::new(COMMAND)).await?;
        said_pid(&held).await?;
        crowd.push(held);
    }
    let began = clock::now();
    try_join_all(crowd.iter().map(|held| held.kill(limits::KILL_GRACE))).await?;
    Ok(began.elapsed())
}

fn lines(starts: Starts, usual: Vec<f64>, slowest: Vec<f64>, stops: Vec<f64>) -> Vec<Line> {
    let spawn = format!(
        "a held command's start until its first word is kept, against posix_spawn and its first word \
         ({:.2} and {:.2} ms)",
        median(&starts.ours),
        median(&starts.theirs)
    );
    let pairs = starts.ours.iter().zip(&starts.theirs);
    let ratios = pairs.map(|(ours, theirs)| ours / theirs).collect();
    let line = |name, words: &str, unit, target, figures| Line {
        name,
        words: words.to_owned(),
        unit,
        target,
        figures,
    };
    let (ratio, time) = (Unit::Ratio, Unit::Milliseconds);
    vec![
        line("spawn", &spawn, ratio, Target::AtMost(5.0), ratios),
        line(
            "exit seen",
            "from a command's death until its end is synced and told, the slowest of 15",
            time,
            Target::AtMost(20.0),
            slowest,
        ),
        line(
            "exit seen usual",
            "the same, the median of 15",
            time,
            Target::Told,
            usual,
        ),
        line(
            "stop 100",
            "from the wish that 100 obedient commands end until all have, each end synced",
            time,
            Target::AtMost(150.0),
            stops,
        ),
    ]
}
