//! A server under the care of the loop that keeps it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use angelia_agents::mcp::settings::{Settings, Way};
use angelia_agents::mcp::{Report, Server, State};
use angelia_agents::tools::source::ToolSource as _;
use angelia_core::mask::Masker;
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Longer than anything here takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A server that is kept until the test ends.
pub(crate) struct Kept {
    pub(crate) server: Arc<Server>,
    stop: CancellationToken,
    keeping: JoinHandle<()>,
    notes: tempfile::TempDir,
}

/// The stand-in in this mode.
pub(crate) fn stand_in(mode: &str) -> (Settings, tempfile::TempDir) {
    let notes = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_angelia-mcp-stand-in").to_owned();
    let words = vec![program, mode.to_owned(), file(&notes).display().to_string()];
    let variables = Vec::new();
    (
        Settings::new("stand-in", Way::Program { words, variables }),
        notes,
    )
}

fn file(notes: &tempfile::TempDir) -> PathBuf {
    notes.path().join("notes")
}

impl Kept {
    #[expect(
        clippy::disallowed_methods,
        reason = "there is no gateway here to spawn it"
    )]
    pub(crate) fn new((settings, notes): (Settings, tempfile::TempDir)) -> Self {
        let server = Arc::new(Server::new(settings, Arc::new(Masker::default())));
        let stop = CancellationToken::new();
        let keeping = tokio::spawn(server.clone().keep(stop.clone()));
        Self {
            server,
            stop,
            keeping,
            notes,
        }
    }

    /// One that is ready.
    pub(crate) async fn ready(settings: (Settings, tempfile::TempDir)) -> Self {
        let kept = Self::new(settings);
        kept.until(|report| report.state == State::Ready).await;
        kept
    }

    /// Waits until its report is as wanted.
    pub(crate) async fn until(&self, wanted: impl Fn(&Report) -> bool) -> Report {
        let looking = async {
            while !wanted(&self.server.report()) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            self.server.report()
        };
        let seen = tokio::time::timeout(PATIENCE, looking).await;
        seen.unwrap_or_else(|_| panic!("it is {:?}", self.server.report()))
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let nobody = CancellationToken::new();
        self.server.call(tool, arguments, nobody).await.told
    }

    /// The names of what it offers.
    pub(crate) fn offered(&self) -> Vec<String> {
        let offers = self.server.offers();
        offers.iter().map(|offer| offer.name.clone()).collect()
    }

    /// What the program wrote down.
    pub(crate) fn notes(&self) -> Vec<String> {
        let notes = std::fs::read_to_string(file(&self.notes)).unwrap_or_default();
        notes.lines().map(str::to_owned).collect()
    }

    /// Waits until the program has written this down.
    pub(crate) async fn noted(&self, what: &str) {
        let looking = async {
            while !self.notes().iter().any(|note| note == what) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let seen = tokio::time::timeout(PATIENCE, looking).await;
        assert!(seen.is_ok(), "no {what:?} in {:?}", self.notes());
    }

    /// Lets the server go; what it wrote down, and how it is then.
    pub(crate) async fn end(self) -> (Vec<String>, Report) {
        self.stop.cancel();
        self.keeping.await.unwrap();
        let notes = std::fs::read_to_string(file(&self.notes)).unwrap_or_default();
        (
            notes.lines().map(str::to_owned).collect(),
            self.server.report(),
        )
    }
}
