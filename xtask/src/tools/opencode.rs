//! OpenCode, a published agent that speaks the Agent Client Protocol, for the tests that put one behind the
//! gateway.
//!
//! It is a program of its own that comes as a package of Node, for several kinds of processors. It lives
//! under the target directory, so nothing of the machine changes, and the cache that keeps the build keeps
//! it too. The tests point it at a fake model and at folders of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::debian;
use crate::{cargo, say};

/// The version that is tested. Raise it on purpose, together with what then fails.
const VERSION: &str = "1.18.33";

/// Finds the program, or installs it.
pub(super) fn obtain(target: &Path) -> Result<PathBuf> {
    let folder = target.join("tools").join("opencode");
    if let Some(found) = find(&folder) {
        return Ok(found);
    }
    say::step(format!("installing OpenCode {VERSION}"));
    if debian::on_path(&["npm"]).is_none() {
        debian::install("npm").context("OpenCode is a package of Node")?;
    }
    install(&folder)?;
    find(&folder).context("the package was installed, but its program does not run here")
}

/// The first of the package's programs that runs on this processor.
fn find(folder: &Path) -> Option<PathBuf> {
    let packages = fs::read_dir(folder.join("node_modules")).ok()?;
    let mut programs: Vec<PathBuf> = packages
        .flatten()
        .filter(|package| {
            package
                .file_name()
                .to_string_lossy()
                .starts_with("opencode-")
        })
        .map(|package| package.path().join("bin").join("opencode"))
        .filter(|program| program.is_file())
        .collect();
    programs.sort();
    programs.into_iter().find(|program| is_ready(program))
}

fn is_ready(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stderr(Stdio::null());
    command
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == VERSION.as_bytes())
}

fn install(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts"]);
    npm.arg("--prefix").arg(folder);
    npm.arg(format!("opencode-ai@{VERSION}"));
    cargo::run_silently(&mut npm)
}
