//! `cargo xtask test`: what the README and continuous integration run, and nothing else.
//!
//! The stages, in order: make the tools ready, check, build, simulate, test; the tests come last, so
//! that their sum closes the run. A stage that fails does not hide the next ones, except that nothing
//! is tested that did not build; the end names every stage that failed. A machine with only Rust and a C compiler gets through: a missing `cargo-nextest`
//! is replaced by `cargo test`, and a missing tool leaves out the tests that need it. Both are said
//! loudly, and where `CI=true` the latter is a failure, so nothing is left out there in silence.

use anyhow::{Result, bail};

use crate::metadata::Metadata;
use crate::tools::{self, Tools};
use crate::{cargo, check, say, sim};

/// Run everything a change must pass: check, every test, and the simulator.
///
/// Makes ready what some tests need: a Chromium for the console's tests, a Python with the official
/// `openai` package for the API's, one with `python-telegram-bot` for the fake Telegram, published MCP
/// servers from npm and PyPI, an ssh server,
/// bubblewrap and podman for those that run commands in another place, and a PostgreSQL server of their
/// own, which ends with the run. On Debian as root they are
/// installed; elsewhere what is missing is named, together with how to get it, and its tests are left
/// out. With CI=true that is a failure, except for sandboxes and containers, which not every machine can
/// run.
///
/// Tests find their tools by ANGELIA_TEST_CHROMIUM, ANGELIA_TEST_OPENAI_PYTHON and so on, as the run
/// says. Set any of them to use your own.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Whether somebody is there to read a loud note, or only the exit code is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Desk,
    Ci,
}

/// Runs all stages and names those that failed.
pub(crate) fn run(_: &Args) -> Result<()> {
    let metadata = Metadata::load()?;
    let place = place(cargo::variable("CI").as_deref());
    let tools = tools::prepare(&metadata.target_directory);
    let mut failed = Failed::default();
    failed.note("tools", judge(&tools, place));
    failed.note("check", check::run(&check::Args {}));
    say::step("building every crate");
    cargo::run(&mut cargo::cargo(["build", "--workspace", "--bins"]))?;
    failed.note("examples in the docs", examples());
    failed.note("simulation", sim::run(&sim::Args::every_change()));
    failed.note("tests", tests(&tools, place));
    failed.sum_up()
}

fn place(ci: Option<&str>) -> Place {
    match ci {
        Some("true") => Place::Ci,
        _ => Place::Desk,
    }
}

/// A missing tool is worth a note at a desk, and a failure where nobody reads notes.
fn judge(tools: &Tools, place: Place) -> Result<()> {
    match (tools.missing.len(), place) {
        (0, _) | (_, Place::Desk) => Ok(()),
        (count, Place::Ci) => bail!("{count} tool(s) missing, and CI=true leaves nothing out"),
    }
}

fn tests(tools: &Tools, place: Place) -> Result<()> {
    let mut command = match cargo::run_silently(&mut cargo::cargo(["nextest", "--version"])) {
        Ok(()) => cargo::cargo(nextest_words(place)),
        Err(_) => {
            say::loud(
                "cargo-nextest is missing: running `cargo test`, without time limits per test",
            );
            say::loud("to get it: cargo install cargo-nextest --locked (about seven minutes)");
            cargo::cargo([
                "test",
                "--workspace",
                "--lib",
                "--bins",
                "--tests",
                "--no-fail-fast",
            ])
        }
    };
    say::step("running the tests");
    cargo::run(
        command.envs(
            tools
                .ready
                .iter()
                .map(|tool| (tool.variable, &tool.program)),
        ),
    )
}

fn nextest_words(place: Place) -> &'static [&'static str] {
    match place {
        Place::Desk => &["nextest", "run", "--workspace"],
        Place::Ci => &["nextest", "run", "--workspace", "--profile", "ci"],
    }
}

/// Neither nextest nor the words above run the examples in doc comments.
fn examples() -> Result<()> {
    say::step("running the examples in the docs");
    cargo::run(&mut cargo::cargo([
        "test",
        "--quiet",
        "--workspace",
        "--doc",
    ]))
}

/// The stages that failed so far.
#[derive(Default)]
struct Failed {
    stages: Vec<&'static str>,
}

impl Failed {
    /// Remembers a failure, and says it at once, beside the output that belongs to it.
    fn note(&mut self, stage: &'static str, outcome: Result<()>) {
        if let Err(error) = outcome {
            say::error(&error.context(stage));
            self.stages.push(stage);
        }
    }

    fn sum_up(&self) -> Result<()> {
        if !self.stages.is_empty() {
            bail!("{}; the reasons are above", self.stages.join(", "));
        }
        say::step("all good");
        Ok(())
    }
}

#[cfg(test)]
#[path = "test_tests.rs"]
mod tests;
