//! The workbench: one small program instead of scripts, so that it runs the same for everyone.
//!
//! `cargo xtask <command>` (an alias in `.cargo/config.toml`) parses one of four commands here and
//! hands over to the file of the same name. The rules that `check` applies live in `rules/` and
//! `edges.rs` as pure functions over a tree of texts, so each has a test that shows it bite. What
//! the tests need besides Rust is made ready in `tools/`.
//!
//! This crate does not test the product itself: the tests live beside the code, the simulator and
//! the benchmarks in `angelia-testkit`. It only decides what is run, and says plainly what failed.

mod bench;
mod cargo;
mod check;
mod edges;
mod exceptions;
mod metadata;
mod problem;
mod rules;
mod say;
mod sim;
mod test;
mod tools;
mod tree;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Check, test, simulate and measure Angelia.
///
/// Before a commit, run `cargo xtask check`. Before a push, run `cargo xtask test`: it is exactly
/// what continuous integration runs.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Workbench {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Test(test::Args),
    Sim(sim::Args),
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let outcome = match Workbench::parse().command {
        Command::Check(args) => check::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::error(&error);
            ExitCode::FAILURE
        }
    }
}
