//! `cargo xtask check`: everything that can be told without running the product.
//!
//! Formatting, then clippy, then the rules of the house. None of them stops the others: all problems
//! are collected first and told at once, each with its place and its remedy, and counted at the end.
//! The tests are not run here.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::cargo::Printed;
use crate::metadata::Metadata;
use crate::problem::Problem;
use crate::tree::Tree;
use crate::{cargo, rules, say};

/// Check formatting, lints and the rules of the house; run no test.
///
/// Looks at: rustfmt; clippy with every warning an error; which crate depends on which
/// (xtask/src/edges.rs); a reason in deny.toml for every outside dependency; files over 500 lines
/// (xtask/src/exceptions.rs); cargo features (there are none); a `//!` opening in every module;
/// test files that nobody compiles; and notes of unfinished work.
///
/// Prints every problem as `path:line: what; what to do`, and fails if there is one.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Runs every check and tells all problems.
pub(crate) fn run(_: &Args) -> Result<()> {
    let metadata = Metadata::load()?;
    let mut found = BTreeSet::new();
    say::step("checking formatting");
    found.extend(formatting(&metadata)?);
    say::step("checking lints (clippy, warnings are errors)");
    found.extend(lints()?);
    say::step("checking the rules of the house");
    found.extend(rules::problems(
        &metadata.packages,
        &Tree::read(&metadata.workspace_root)?,
    ));
    report(&found)
}

fn report(found: &BTreeSet<Problem>) -> Result<()> {
    found.iter().for_each(say::finding);
    match found.len() {
        0 => say::step("check: no problems"),
        1 => bail!("1 problem"),
        count => bail!("{count} problems"),
    }
    Ok(())
}

fn formatting(metadata: &Metadata) -> Result<Vec<Problem>> {
    let mut command = cargo::cargo(["fmt", "--all", "--check", "--", "-l"]);
    let printed = cargo::printed(&mut command)?;
    Ok(unformatted(
        &printed,
        &metadata.workspace_root.to_string_lossy(),
    ))
}

/// One problem per file that rustfmt would change. A failure that names no file (no rustfmt, a file
/// it cannot parse) is a problem too: silence must not pass for success.
fn unformatted(printed: &Printed, root: &str) -> Vec<Problem> {
    let problem = |name: &str| {
        let path = name
            .strip_prefix(root)
            .unwrap_or(name)
            .trim_start_matches('/');
        Problem::new(path, 1, "not formatted", "run `cargo fmt --all`")
    };
    let mut found: Vec<_> = printed.text.lines().map(problem).collect();
    if found.is_empty() && !printed.success {
        let remedy = "run `cargo fmt --all` to see why";
        found.push(Problem::new(
            "Cargo.toml",
            1,
            "rustfmt could not read the workspace",
            remedy,
        ));
    }
    found
}

fn lints() -> Result<Vec<Problem>> {
    let mut command = cargo::cargo(["clippy", "--quiet", "--workspace", "--all-targets"]);
    command.args([
        "--keep-going",
        "--message-format=json",
        "--",
        "-D",
        "warnings",
    ]);
    let printed = cargo::printed(&mut command)?;
    Ok(lints_in(&printed.text))
}

/// One line of `cargo --message-format=json`; lines about artifacts have no message.
#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    message: Option<Diagnostic>,
    /// In the last line only.
    #[serde(default)]
    success: Option<bool>,
}

#[derive(Deserialize)]
struct Diagnostic {
    message: String,
    level: String,
    #[serde(default)]
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: usize,
    is_primary: bool,
}

/// Turns what the compiler says into problems. A build that failed without a word of the compiler
/// (a missing crate, a broken manifest) is a problem too: silence must not pass for success.
fn lints_in(printed: &str) -> Vec<Problem> {
    let reports = printed
        .lines()
        .filter_map(|line| serde_json::from_str::<Report>(line).ok());
    let (mut found, mut success) = (Vec::new(), false);
    for report in reports {
        success = report.success.unwrap_or(success);
        found.extend(report.message.as_ref().and_then(lint));
    }
    if found.is_empty() && !success {
        let remedy = "run `cargo clippy --workspace --all-targets` to see why";
        found.push(Problem::new(
            "Cargo.toml",
            1,
            "clippy could not build the workspace",
            remedy,
        ));
    }
    found
}

fn lint(diagnostic: &Diagnostic) -> Option<Problem> {
    // Messages without a place only sum up the others ("aborting due to 2 errors").
    let span = diagnostic.spans.iter().find(|span| span.is_primary)?;
    let help = diagnostic.children.iter().find(|child| is_remedy(child));
    let remedy = help.map_or("run `cargo clippy` to see it in full", |help| &help.message);
    Some(Problem::new(
        &span.file_name,
        span.line_start,
        &diagnostic.message,
        remedy,
    ))
}

/// Whether a help line says how to mend the code, rather than how to silence the lint or read on.
fn is_remedy(child: &Diagnostic) -> bool {
    let aside = ["to override", "for further information"];
    child.level == "help" && !aside.iter().any(|start| child.message.starts_with(start))
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
