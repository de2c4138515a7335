//! Who holds the lock, and where it listens: how commands find the running gateway.
//!
//! The facts are written by the holder of the lock and mean nothing without it: a killed gateway
//! leaves them behind. The holder writes them first thing, so stale ones live for an instant only.

use std::path::PathBuf;
use std::{fs, io};

use angelia_core::time::Span;
use serde::{Deserialize, Serialize};

use super::{Home, Sync, replace_file};
use crate::errors::Failure;

/// What a running gateway says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Its process.
    pub(crate) pid: u32,
    /// Where it listens, as `http://address:port`; nothing while it starts.
    pub(crate) address: Option<String>,
    /// Its release.
    pub(crate) version: String,
    /// When it began, RFC 3339.
    pub(crate) started_at: String,
    /// How long it lets its turns run on when it is asked to stop.
    pub(crate) drain_ms: i64,
}

impl Facts {
    /// How long it lets its turns run on when it is asked to stop.
    pub(crate) fn drain(&self) -> Span {
        Span::ms(self.drain_ms)
    }
}

impl Home {
    fn facts_path(&self) -> PathBuf {
        self.path().join("gateway.json")
    }

    /// What the last gateway said about itself; nothing if there is none, or not in these words.
    pub(crate) fn facts(&self) -> Option<Facts> {
        let text = fs::read_to_string(self.facts_path()).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Says it. Only the holder of the lock may.
    pub(crate) fn tell(&self, facts: &Facts) -> Result<(), Failure> {
        let text = serde_json::to_string(facts).unwrap_or_default();
        let told = replace_file(&self.facts_path(), &format!("{text}\n"), Sync::NotNeeded);
        told.map_err(|error| super::unusable(self.path(), &error))
    }

    /// Unsays it. Only the holder of the lock may.
    pub(crate) fn forget(&self) {
        match fs::remove_file(self.facts_path()) {
            Ok(()) => (),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => tracing::warn!(%error, "gateway.json stays behind; it does no harm"),
        }
    }
}
