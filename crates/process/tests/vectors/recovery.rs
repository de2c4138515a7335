//! `registry_state`: what a restart finds.
//!
//! The reference has a list of numbers and start times, and asks the system who of them is alive. Ours
//! has a folder for each process, and its holder. So each entry becomes a real process with a holder,
//! whose folder is then made to say what the case says; what is found must be the same.

use std::fs;
use std::path::{Path, PathBuf};

use angelia_core::time::Span;
use angelia_process::environment::Environment;
use angelia_process::held::{Found, Held, Outcome, Program, adopt, spawn};
use angelia_process::spec::Spec;
use serde::Deserialize;
use serde_json::{Value, json};

const STAND_IN: &str = env!("CARGO_BIN_EXE_angelia-process-stand-in");

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Case {
    Recover(Recover),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Recover {
    id: String,
    checkpoint: Value,
    alive_pids: Vec<u64>,
    start_times: Value,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    error: Option<String>,
    sessions: Vec<Value>,
}

/// A process of a case, which is ended with it.
struct Entry {
    held: Held,
    file: PathBuf,
    written: String,
}

impl Entry {
    async fn start(folder: &Path, command: &str) -> Self {
        let program = Program::at(STAND_IN);
        let (spec, environment) = (Spec::new(command), Environment::inherited());
        let held = spawn(&program, folder, &spec, &environment);
        let file = folder.join("holder.json");
        Self {
            held: held.await.unwrap(),
            written: fs::read_to_string(&file).unwrap(),
            file,
        }
    }

    /// Has the folder say what the case says.
    async fn become_as_told(&self, told: &Value, case: &Recover) {
        let number = told["pid"].as_u64();
        let is_alive = number.is_some_and(|number| case.alive_pids.contains(&number));
        let began = number.map(|number| &case.start_times[number.to_string()]);
        let mut holding: Value = serde_json::from_str(&self.written).unwrap();
        match number {
            // Nothing was started yet.
            None => return fs::remove_file(&self.file).unwrap(),
            Some(_) if !is_alive => return self.end().await,
            Some(_) => (),
        }
        if told["host_start_time"].is_null() {
            holding["holder"] = Value::Null;
        } else if began != Some(&told["host_start_time"]) {
            holding["holder"]["start"] = json!(1);
        }
        fs::write(&self.file, holding.to_string()).unwrap();
    }

    async fn end(&self) {
        fs::write(&self.file, &self.written).unwrap();
        let ended = self.held.kill(Span::ms(0)).await.unwrap();
        assert!(matches!(ended, Outcome::Ended(_)));
    }
}

/// The names of those that are found running.
async fn found(case: &Recover, folder: &Path) -> Vec<Value> {
    let nobody = Vec::new();
    let told = case.checkpoint.as_array().unwrap_or(&nobody);
    let mut running = Vec::new();
    for entry in told {
        let name = entry["session_id"].as_str().unwrap();
        let one = Entry::start(&folder.join(name), entry["command"].as_str().unwrap()).await;
        one.become_as_told(entry, case).await;
        if let Found::Running(held) = look(&folder.join(name)).await {
            assert_eq!(held, one.held);
            running.push(json!(name));
        }
        one.end().await;
    }
    running
}

/// A folder that is held and in which nobody stands yet is waited for; nobody will come here.
async fn look(folder: &Path) -> Found {
    if folder.join("holder.json").exists() {
        return adopt(folder).await.unwrap();
    }
    Found::Absent
}

#[tokio::test]
async fn a_restart_finds_who_lives_and_is_the_same() {
    for case in super::cases::<Case>("processes/registry_state.json") {
        let Case::Recover(case) = case else { continue };
        // The name of a process is that of its folder, so none is without: H-25.
        if case.expect.error.is_some() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let expected = case.expect.sessions.iter();
        let expected: Vec<Value> = expected.map(|session| session["id"].clone()).collect();
        assert_eq!(found(&case, folder.path()).await, expected, "{}", case.id);
    }
}

#[tokio::test]
async fn what_was_torn_is_nobody() {
    for case in super::cases::<Case>("processes/registry_state.json") {
        let Case::Recover(case) = case else { continue };
        let Some(torn) = case.checkpoint.as_str() else {
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("holder.json"), torn).unwrap();
        assert_eq!(adopt(folder.path()).await.unwrap(), Found::Lost);
        assert!(case.expect.sessions.is_empty(), "{}", case.id);
    }
}
