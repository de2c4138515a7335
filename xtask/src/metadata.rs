//! What cargo knows about the workspace: its crates, what they depend on, and where output goes.
//!
//! One call to `cargo metadata` answers all of it, and honours `CARGO_TARGET_DIR`. Only the fields
//! that a rule reads are kept; versions and the graph below our own crates are not looked at.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::cargo;

/// The workspace as cargo sees it.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) workspace_root: PathBuf,
    pub(crate) target_directory: PathBuf,
}

/// One crate of ours.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Relative to the repository, once loaded.
    #[serde(rename = "manifest_path")]
    pub(crate) manifest: String,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of a crate's dependency tables.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) kind: Option<Kind>,
    /// Set for crates of this workspace, and only for them.
    #[serde(default)]
    pub(crate) path: Option<PathBuf>,
}

/// The table a dependency stands in; the ordinary one has no name of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Dev,
    Build,
}

impl Metadata {
    /// Asks cargo about the workspace we stand in.
    pub(crate) fn load() -> Result<Self> {
        let mut command = cargo::cargo(["metadata", "--no-deps", "--format-version", "1"]);
        Self::parse(&cargo::printed(&mut command)?.text)
            .context("cannot read what `cargo metadata` says; run it by hand to see its error")
    }

    fn parse(text: &str) -> Result<Self> {
        let mut metadata: Self = serde_json::from_str(text)?;
        for package in &mut metadata.packages {
            if let Ok(path) = Path::new(&package.manifest).strip_prefix(&metadata.workspace_root) {
                package.manifest = path.to_string_lossy().into_owned();
            }
        }
        Ok(metadata)
    }
}

impl Dependency {
    /// Whether it only serves the crate's own tests.
    pub(crate) fn is_for_tests(&self) -> bool {
        self.kind == Some(Kind::Dev)
    }
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
