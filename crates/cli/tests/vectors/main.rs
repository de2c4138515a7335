//! Golden vectors of the configuration: what a reference made of a value or a file, asked of the real binary.
//!
//! `ANGELIA_VECTORS` names another directory of the same layout (`gateway/…`), for further cases of the same shape.
//! `docs/conformance.md` has a verdict for every file: the same, different on purpose, or not ours.

#![expect(
    clippy::unwrap_used,
    reason = "a vector that cannot be played fails its test"
)]

mod files;
mod values;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toml::Table;

#[derive(Deserialize)]
struct Vectors<T> {
    cases: Vec<T>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test is told here where its vectors are"
)]
fn directory() -> PathBuf {
    std::env::var("ANGELIA_VECTORS").map_or_else(|_| here(), PathBuf::from)
}

fn here() -> PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors").into()
}

/// The cases of one file in a folder, such as `gateway/config_load.json`.
fn cases_in<T: DeserializeOwned>(folder: PathBuf, name: &str) -> Vec<T> {
    let path = folder.join(name);
    let text = fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("{}: {why}; set ANGELIA_VECTORS or unset it", path.display()));
    let vectors: Vectors<T> = serde_json::from_str(&text)
        .unwrap_or_else(|why| panic!("{} has another shape: {why}", path.display()));
    vectors.cases
}

fn cases<T: DeserializeOwned>(name: &str) -> Vec<T> {
    cases_in(directory(), name)
}

/// What the binary makes of a file.
enum Read {
    /// These settings hold.
    Holds(Table),
    /// It is refused with these words.
    Refused(String),
}

/// Asks the binary what holds with this file.
fn read(file: &str) -> Read {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("angelia.toml"), file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_angelia"));
    command
        .args(["config", "show"])
        .env_clear()
        .env("ANGELIA_HOME", home.path());
    let ended = command.stdin(Stdio::null()).output().unwrap();
    let (shown, said) = (ended.stdout, String::from_utf8(ended.stderr).unwrap());
    match ended.status.code() {
        Some(0) => Read::Holds(toml::from_str(str::from_utf8(&shown).unwrap()).unwrap()),
        Some(1) => Read::Refused(said),
        other => panic!("{other:?}: {said}"),
    }
}

/// One setting of a file, by its path.
fn setting<'t>(table: &'t Table, path: &str) -> Option<&'t toml::Value> {
    let mut names = path.split('.');
    let first = table.get(names.next()?)?;
    names.try_fold(first, |above, name| above.get(name))
}

/// A file with one setting, if TOML can say the value.
fn file_with(path: &str, value: &Value) -> Option<String> {
    let value = toml::Value::try_from(value).ok()?;
    Some(format!("{path} = {value}\n"))
}
