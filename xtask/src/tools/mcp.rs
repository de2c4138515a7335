//! MCP servers that others published, for the tests in which their tools are called: one from npm, and one
//! from PyPI with the Python library that it is written with.
//!
//! Both live under the target directory, so nothing of the machine changes, and come from wherever `npm` and
//! `pip` are set up to take packages from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::{debian, openai};
use crate::{cargo, say};

/// The server from npm, and its version. Raise it on purpose, together with what then fails.
const EVERYTHING: &str = "@modelcontextprotocol/server-everything";
const EVERYTHING_VERSION: &str = "2026.8.31";

/// The server from PyPI, and its version.
const TIME: &str = "mcp-server-time";
const TIME_VERSION: &str = "2026.10.19";

/// Finds the server from npm, or installs it; its program, which needs `node` on the search path.
pub(super) fn everything(target: &Path) -> Result<PathBuf> {
    let folder = target.join("tools").join("mcp-everything");
    let modules = folder.join("node_modules");
    if !is_there(&modules.join(EVERYTHING)) {
        if debian::on_path(&["npm"]).is_none() {
            debian::install("npm").context("there is no `npm` on the PATH")?;
        }
        say::step(format!("installing {EVERYTHING} {EVERYTHING_VERSION}"));
        fs::create_dir_all(&folder)?;
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--prefix",
        ]);
        npm.arg(&folder)
            .arg(format!("{EVERYTHING}@{EVERYTHING_VERSION}"));
        cargo::run_silently(&mut npm)?;
    }
    Ok(modules.join(EVERYTHING).join("dist").join("index.js"))
}

fn is_there(package: &Path) -> bool {
    let described = fs::read_to_string(package.join("package.json")).unwrap_or_default();
    described.contains(&format!("\"version\": \"{EVERYTHING_VERSION}\""))
}

/// Finds the environment with the server from PyPI, or makes it; its Python.
pub(super) fn python(target: &Path) -> Result<PathBuf> {
    let folder = target.join("tools").join("mcp-venv");
    let python = folder.join("bin").join("python");
    if !has_time(&python) {
        say::step(format!(
            "making a Python environment with {TIME} {TIME_VERSION}"
        ));
        openai::make_environment(&folder)?;
        openai::install_package(&python, &format!("{TIME}=={TIME_VERSION}"))?;
    }
    Ok(python)
}

fn has_time(python: &Path) -> bool {
    let ask =
        format!("import importlib.metadata as m, mcp_server_time; print(m.version('{TIME}'))");
    let mut command = Command::new(python);
    command.args(["-c", &ask]).stderr(Stdio::null());
    command
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == TIME_VERSION.as_bytes())
}
