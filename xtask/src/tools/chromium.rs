//! Chromium, for the tests that walk through the console as a person would.
//!
//! Any browser of the family will do, under any of its usual names; whether it starts is left to the
//! tests themselves.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::debian;

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Finds a browser, or installs Debian's.
pub(super) fn obtain() -> Result<PathBuf> {
    if let Some(found) = debian::on_path(&NAMES) {
        return Ok(found);
    }
    debian::install("chromium")?;
    debian::on_path(&NAMES).context("the package was installed, but no `chromium` is on the PATH")
}
