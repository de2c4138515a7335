//! Installing a Debian package, where we are allowed to.
//!
//! Only on Debian itself and only as root, which is how continuous integration runs; anyone else's
//! machine is left alone, and the error names the command to run by hand.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{cargo, say};

/// Installs one package, or says why not.
pub(super) fn install(package: &str) -> Result<()> {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    if !is_debian(&release) || !is_root() {
        bail!("not installed, and only on Debian as root would this command install it");
    }
    say::step(format!("installing the Debian package {package}"));
    // A stale or missing list of packages is the usual state of a fresh container.
    cargo::run_silently(apt_get().arg("update")).context("cannot read the list of packages")?;
    let words = ["install", "-y", "--no-install-recommends", package];
    cargo::run_silently(apt_get().args(words))
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Ubuntu calls itself `ID_LIKE=debian`, but its Chromium package installs no browser.
fn is_debian(release: &str) -> bool {
    release.lines().any(|line| line.trim() == "ID=debian")
}

fn is_root() -> bool {
    cargo::printed(Command::new("id").arg("-u")).is_ok_and(|id| id.text.trim() == "0")
}

/// The first of these programs that stands in a folder of the search path.
pub(super) fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = cargo::variable("PATH")?;
    let at = |name: &&str| {
        std::env::split_paths(&path)
            .map(|folder| folder.join(name))
            .find(|it| it.is_file())
    };
    names.iter().find_map(at)
}

#[cfg(test)]
#[path = "debian_tests.rs"]
mod tests;
