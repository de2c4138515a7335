//! A Python with the official `openai` and `anthropic` packages, for the tests that speak to our API, and to the fake
//! model, as their users do.
//!
//! It lives in a virtual environment under the target directory, so nothing of the machine changes,
//! and the cache that keeps the build keeps it too. An environment with another version, or half an
//! environment left by an interrupted run, is made anew.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::debian;
use crate::{cargo, say};

/// The versions that are tested against. Raise them on purpose, together with what then fails.
const OPENAI: &str = "3.49.0";
const ANTHROPIC: &str = "2.8.0";

/// What prints both.
const LOOK: &str = "import openai, anthropic; print(openai.__version__, anthropic.__version__)";

/// Finds the environment, or makes it.
pub(super) fn obtain(target: &Path) -> Result<PathBuf> {
    let folder = target.join("tools").join("openai-venv");
    let python = folder.join("bin").join("python");
    if !is_ready(&python) {
        say::step(format!(
            "making a Python environment with openai {OPENAI} and anthropic {ANTHROPIC}"
        ));
        make_environment(&folder)?;
        install_package(&python, &format!("openai=={OPENAI}"))?;
        install_package(&python, &format!("anthropic=={ANTHROPIC}"))?;
    }
    Ok(python)
}

fn is_ready(python: &Path) -> bool {
    let mut command = Command::new(python);
    command.args(["-c", LOOK]).stderr(Stdio::null());
    let wanted = format!("{OPENAI} {ANTHROPIC}");
    command
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == wanted.as_bytes())
}

/// Makes an environment without packages, in place of whatever is there.
pub(super) fn make_environment(folder: &Path) -> Result<()> {
    let make = || {
        cargo::run_silently(
            Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(folder),
        )
    };
    if make().is_ok() {
        return Ok(());
    }
    // Debian's Python comes without the module that makes environments.
    debian::install("python3-venv").context("`python3 -m venv` does not work here")?;
    make()
}

/// Installs a package into an environment.
pub(super) fn install_package(python: &Path, package: &str) -> Result<()> {
    let mut pip = Command::new(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        package,
    ]);
    cargo::run_silently(&mut pip)
}
