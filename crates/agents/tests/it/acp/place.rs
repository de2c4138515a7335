//! Where the agents of one test live, and what they keep. All of them end with it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use angelia_agents::acp::Setup;
use angelia_agents::model::provider::Secret;
use angelia_agents::tools::files::Workspace;
use angelia_core::limits;
use angelia_process::held::{Held, Program};
use tempfile::TempDir;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(60);

/// A place for agents.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for name in ["kept", "work"] {
            fs::create_dir(place.0.path().join(name)).unwrap();
        }
        place
    }

    /// The scripted agent, with these words after its folder.
    pub(crate) fn setup(&self, words: &[&str]) -> Setup {
        let peer = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/acp/peer.py");
        let kept = self.0.path().join("kept");
        let command = ["python3", "-u", peer, kept.to_str().unwrap()];
        let command = command.into_iter().chain(words.iter().copied());
        let work = self.0.path().join("work");
        let workspace = Workspace::prepare(&work, &work, &[]).unwrap();
        Setup {
            name: "peer".to_owned(),
            command: command.map(str::to_owned).collect(),
            variables: BTreeMap::new(),
            workspace: Arc::new(workspace),
            sign_in: None,
            folder: self.agents(),
            program: Program::at(env!("CARGO_BIN_EXE_angelia-agents-holder")),
            pool: 2,
            silence: LONG,
            servers: Vec::new(),
            key: Secret::new("key"),
        }
    }

    /// Where agents are held.
    pub(crate) fn agents(&self) -> PathBuf {
        self.0.path().join("agents")
    }

    /// What the agents wrote down under `name`, line by line.
    pub(crate) fn kept(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.0.path().join("kept").join(name));
        let text = text.unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for Place {
    /// Ends every agent together with whoever holds it, before the folder goes: a holder that finds no folder
    /// cannot be found any more.
    fn drop(&mut self) {
        let folders = fs::read_dir(self.agents());
        let folders: Vec<PathBuf> = folders
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        // The test's own runtime cannot wait here.
        std::thread::scope(|scope| {
            let ending = scope.spawn(|| end_all(folders));
            // A test that has failed already tells why; this must not hide it.
            let _ended = ending.join().is_err();
        });
    }
}

fn end_all(folders: Vec<PathBuf>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for folder in folders {
        let _gone = runtime.block_on(Held::at(folder).kill(limits::KILL_GRACE));
    }
}
