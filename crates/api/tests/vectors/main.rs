//! Golden vectors of the HTTP interface: what a reference answered, run against a served router with the real gateway
//! and the real store in memory, and an agent that plays the reference's scripts.
//!
//! `ANGELIA_VECTORS` names another directory of the same layout (`gateway/…`), for further cases of the same shape.
//! `docs/conformance.md` has a verdict for every file: the same, different on purpose, or not ours.

#![expect(
    clippy::unwrap_used,
    reason = "a vector that cannot be played fails its test"
)]

mod content;
#[expect(dead_code, reason = "it is the house of the other tests, too")]
#[path = "../it/house.rs"]
mod house;
mod pure;
mod script;
mod traces;

use std::path::PathBuf;

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

/// The cases of one file, such as `gateway/api_pure.json`.
fn cases<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = directory().join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("{}: {why}; set ANGELIA_VECTORS or unset it", path.display()));
    let vectors: Vectors<T> = serde_json::from_str(&text)
        .unwrap_or_else(|why| panic!("{} has another shape: {why}", path.display()));
    vectors.cases
}
