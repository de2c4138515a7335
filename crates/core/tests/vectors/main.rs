//! Golden vectors: what a reference did with given inputs, run against what we decide.
//!
//! One module per subject. `ANGELIA_VECTORS` names another directory of the same layout
//! (`sessions/…`, `gateway/…`, `processes/…`), for further cases of the same shape. `docs/conformance.md` has a verdict
//! for every file: the same, different on purpose, or not ours.

mod access;
mod busy;
mod commands;
mod context;
mod danger;
mod drafts;
mod formatting;
mod identity;
mod not_run;
mod places;
mod redaction;
mod reset;
mod resuming;
mod sending;
mod showing;
mod splitting;
mod streaming;
mod telling;
mod terminal;
mod transcript;
mod watching;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
struct Vectors<T> {
    cases: Vec<T>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test is told here where its vectors are"
)]
fn directory() -> PathBuf {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");
    std::env::var("ANGELIA_VECTORS").map_or_else(|_| here.into(), PathBuf::from)
}

/// The cases of one file, such as `gateway/message_split.json`.
fn cases<T: DeserializeOwned>(name: &str) -> Vec<T> {
    read(&directory().join(name))
}

/// The cases of one file as it lies beside the tests, whatever `ANGELIA_VECTORS` says.
fn committed<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");
    read(&PathBuf::from(here).join(name))
}

fn read<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|why| panic!("{}: {why}; set ANGELIA_VECTORS or unset it", path.display()));
    let vectors: Vectors<T> = serde_json::from_str(&text)
        .unwrap_or_else(|why| panic!("{} has another shape: {why}", path.display()));
    vectors.cases
}
