//! Plays seeds and says which ones broke a law: `sim --seeds 200 [--from 1]` or `sim --seed 17`.

use std::process::ExitCode;

use angelia_testkit::sim::{self, Sabotage};
use clap::Parser;

/// Plays seeds of the simulator.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many seeds to play.
    #[arg(long, default_value_t = 200)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    from: u64,
    /// Plays this one seed only.
    #[arg(long, conflicts_with_all = ["seeds", "from"])]
    seed: Option<u64>,
    /// Tells what happened in the world, line by line.
    #[arg(long, requires = "seed")]
    history: bool,
    /// Plants a bug, to see that it is noticed.
    #[arg(long)]
    sabotage: Option<Sabotage>,
}

#[expect(clippy::print_stdout, reason = "a command line tool speaks on stdout")]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let sabotage = arguments.sabotage.unwrap_or_default();
    let first = arguments.seed.unwrap_or(arguments.from);
    let count = if arguments.seed.is_some() {
        1
    } else {
        arguments.seeds
    };
    let planted = sabotage
        .name()
        .map(|name| format!(" --sabotage {name}"))
        .unwrap_or_default();
    let (mut failed, mut kills, mut lasted) = (0, 0, std::time::Duration::ZERO);
    for seed in first..first + count {
        let outcome = sim::run(seed, sabotage);
        kills += outcome.kills;
        lasted += outcome.lasted;
        if let Some(law) = outcome.broken.first() {
            failed += 1;
            println!("seed {seed}: {law} — replay: cargo xtask sim --seed {seed}{planted}");
        }
        if arguments.seed.is_some() {
            let told = outcome.history.iter().filter(|_| arguments.history);
            told.for_each(|line| println!("  {line}"));
            outcome.broken.iter().for_each(|law| println!("  {law}"));
            println!("seed {seed}: fingerprint {:016x}", outcome.fingerprint);
        }
    }
    println!(
        "{count} seeds, {failed} failed, {kills} kills, {:.1} simulated hours",
        lasted.as_secs_f64() / 3600.0
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
