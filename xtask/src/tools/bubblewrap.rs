//! Bubblewrap, for the tests that run commands in a sandbox. Not every machine lets a sandbox be made.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::debian;
use crate::cargo;

/// Finds it, or installs Debian's, and tries it.
pub(super) fn obtain() -> Result<PathBuf> {
    if debian::on_path(&["bwrap"]).is_none() {
        debian::install("bubblewrap")?;
    }
    let program = debian::on_path(&["bwrap"]).context("there is no `bwrap` on the PATH")?;
    let words = [
        "--unshare-user",
        "--unshare-net",
        "--ro-bind",
        "/",
        "/",
        "true",
    ];
    cargo::run_silently(Command::new(&program).args(words))
        .context("no sandbox can be made here")?;
    Ok(program)
}
