//! `cargo xtask sim`: the whole house in one process, under faults, from a seed.
//!
//! The simulator is the binary `sim` of `angelia-testkit`: one thread, so one core. This command
//! builds it, cuts a range of seeds into one share per core, and runs the shares side by side. What a
//! seed does, which checkers watch it and what a failure prints is the simulator's own business.
//!
//! A sabotaged run is not cut: it asks whether *some* seed of the range notices the planted fault.

use std::num::NonZero;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::metadata::Metadata;
use crate::{cargo, say};

/// The number of seeds that go with every change; about a minute on two cores.
pub(crate) const SEEDS: u64 = 200;

/// Simulate gateways, platforms and agents under faults, one run per seed.
///
/// A seed decides everything: which messages arrive, what fails and when, where a node is killed. A
/// failure prints the seed; `cargo xtask sim --seed S` replays it exactly. Put such a seed into the
/// simulator's list of seeds together with the fix.
///
/// With --sabotage a known protection is switched off, and the simulator must notice: this is how the
/// checkers themselves are tested.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// How many seeds to run.
    #[arg(long, value_name = "N", default_value_t = SEEDS, conflicts_with = "seed")]
    seeds: u64,
    /// Run this one seed only, to replay a failure.
    #[arg(long, value_name = "S", conflicts_with = "from")]
    seed: Option<u64>,
    /// The first seed of the range.
    #[arg(long, value_name = "F", default_value_t = 0)]
    from: u64,
    /// Switch off the named protection; a checker must then notice.
    #[arg(long, value_name = "NAME")]
    sabotage: Option<String>,
}

impl Args {
    /// The run that goes with every change.
    pub(crate) fn every_change() -> Self {
        Self {
            seeds: SEEDS,
            seed: None,
            from: 0,
            sabotage: None,
        }
    }
}

/// Consecutive seeds, run one after the other by one process.
#[derive(Debug, PartialEq, Eq)]
struct Share {
    from: u64,
    seeds: u64,
}

/// Builds the simulator and runs it.
pub(crate) fn run(args: &Args) -> Result<()> {
    let metadata = Metadata::load()?;
    cargo::run(&mut cargo::cargo([
        "build",
        "--quiet",
        "-p",
        "angelia-testkit",
        "--bin",
        "sim",
    ]))
    .context("cannot build the simulator")?;
    let program = metadata.target_directory.join("debug").join(program_name());
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let runs = arguments(args, cores as u64);
    say::step(format!(
        "simulating {} on {} core(s)",
        described(args),
        runs.len()
    ));
    side_by_side(&program, &runs)
}

fn program_name() -> String {
    format!("sim{}", std::env::consts::EXE_SUFFIX)
}

fn described(args: &Args) -> String {
    match args.seed {
        Some(seed) => format!("seed {seed}"),
        None => format!("{} seeds from {}", args.seeds, args.from),
    }
}

/// The arguments of each process to run.
fn arguments(args: &Args, cores: u64) -> Vec<Vec<String>> {
    let mut last: Vec<String> = Vec::new();
    if let Some(name) = &args.sabotage {
        last.extend(["--sabotage".to_owned(), name.clone()]);
    }
    if let Some(seed) = args.seed {
        let first = ["--seed".to_owned(), seed.to_string()];
        return vec![first.into_iter().chain(last).collect()];
    }
    let cores = if args.sabotage.is_some() { 1 } else { cores };
    let shares = shares(args.from, args.seeds, cores).into_iter();
    shares
        .map(|share| share.arguments().into_iter().chain(last.clone()).collect())
        .collect()
}

impl Share {
    fn arguments(&self) -> [String; 4] {
        let (seeds, from) = (self.seeds.to_string(), self.from.to_string());
        ["--seeds".to_owned(), seeds, "--from".to_owned(), from]
    }
}

/// Cuts a range into at most `cores` shares that differ by one seed at most.
fn shares(from: u64, seeds: u64, cores: u64) -> Vec<Share> {
    let count = cores.clamp(1, seeds.max(1));
    let (each, rest) = (seeds / count, seeds % count);
    let start = |index: u64| from + index * each + index.min(rest);
    let share = |index| Share {
        from: start(index),
        seeds: start(index + 1) - start(index),
    };
    (0..count).map(share).collect()
}

/// Starts all, waits for all, and fails if one failed: the others may have found something too.
fn side_by_side(program: &Path, runs: &[Vec<String>]) -> Result<()> {
    let mut started = Vec::new();
    for args in runs {
        let child = Command::new(program).args(args).spawn();
        started.push(child.with_context(|| format!("cannot start {}", program.display()))?);
    }
    let mut failed = 0;
    for mut child in started {
        let status = child.wait().context("cannot wait for the simulator")?;
        failed += usize::from(!status.success());
    }
    if failed > 0 {
        bail!("the simulator failed; the seed above replays it with `cargo xtask sim --seed S`");
    }
    Ok(())
}

#[cfg(test)]
#[path = "sim_tests.rs"]
mod tests;
