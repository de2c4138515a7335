//! `cargo xtask bench`: numbers from the release build.
//!
//! Builds `angelia` as it ships, then hands over to the binary `bench` of `angelia-testkit`, which
//! knows the benchmarks, their names and their targets. Nothing is judged here.

use anyhow::{Context, Result};

use crate::tools::{postgres, strace};
use crate::{cargo, say};

/// Measure the release build.
///
/// Without a name every benchmark runs. Everything after the name goes to the benchmark program as it
/// stands; `cargo xtask bench -- --help` lists what it understands.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A benchmark's name, and further arguments for it.
    #[arg(
        value_name = "NAME",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    forwarded: Vec<String>,
}

/// Builds what ships, then measures it.
pub(crate) fn run(args: &Args) -> Result<()> {
    say::step("building angelia as it ships");
    cargo::run(&mut cargo::cargo(["build", "--release", "-p", "angelia"]))
        .context("cannot build the release binary")?;
    strace::obtain()?;
    postgres::obtain().context("some benchmarks stand beside PostgreSQL's own")?;
    say::step("measuring");
    let mut bench = cargo::cargo(["run", "--quiet", "--release", "-p", "angelia-testkit"]);
    cargo::run(bench.args(["--bin", "bench", "--"]).args(&args.forwarded))
}
