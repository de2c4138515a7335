//! An `ssh` server, for the tests that run commands on another machine. They start one of their own on
//! the loopback device; the one that the package would run is not needed.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::debian;

/// Finds the server, or installs Debian's.
pub(super) fn obtain() -> Result<PathBuf> {
    if find().is_none() {
        debian::install("openssh-server")?;
        debian::install("openssh-client")?;
    }
    find().context("the package was installed, but there is no `sshd`")
}

/// Not everybody has the folder of servers on the search path.
fn find() -> Option<PathBuf> {
    let usual = PathBuf::from("/usr/sbin/sshd");
    debian::on_path(&["sshd"]).or_else(|| usual.is_file().then_some(usual))
}
