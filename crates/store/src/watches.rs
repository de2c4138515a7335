//! Processes that are watched: how far their output was looked at, and what is still to be told of it.
//!
//! How far one looked, the state of the limits and the news that follow are written in one transaction, so
//! a crash neither loses a hit nor repeats one. Each look has a number: one that was written although its
//! answer was lost is recognised the second time. News wait here until they are in the inbox, and are
//! numbered for their process, so they can be put there again without being told twice.
//!
//! Reading an output is not done here, nor is masking: no news that come here hold a secret.

use angelia_core::id::ProcessId;
use angelia_core::process::watch::News;
use angelia_core::process::watch::scan::{Found, Scan};
use async_trait::async_trait;

use crate::StoreError;
use crate::processes::{Moved, Process};

/// How far the output of a process was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Looked {
    /// How often that was written down.
    pub looks: u32,
    /// The place in the output to go on from.
    pub place: u64,
    /// What is known of the line there.
    pub scan: Scan,
}

/// A look at the output of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// How far it was looked at now. Its number is that of the look before.
    pub looked: Looked,
    /// What was found.
    pub found: Option<Found>,
}

/// A process to be asked for new output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueCheck {
    /// The process.
    pub process: Process,
    /// How much of its output was there the last time.
    pub bytes: u64,
}

/// A process that was asked for new output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// How much of its output was there the last time.
    pub before: u64,
    /// How much is there now.
    pub bytes: u64,
    /// What is to be told of it. Takes the place of an update that was not told yet.
    pub update: Option<String>,
}

/// Something to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untold {
    /// About which process.
    pub process: Process,
    /// Its number among the news of the process.
    pub number: u32,
    /// What.
    pub news: News,
}

/// Watched processes.
#[async_trait]
pub trait Watches: Send + Sync {
    /// How far the output of a process was looked at; nothing if it is not watched for words, or not any
    /// more.
    async fn looked(&self, id: ProcessId) -> Result<Option<Looked>, StoreError>;

    /// Writes a look down with what is to be told of it. If another look was written meanwhile, or the
    /// process is not watched any more, nothing changes.
    async fn look(&self, id: ProcessId, look: Look) -> Result<Moved, StoreError>;

    /// Processes of this home that live and are to be asked for new output now.
    async fn due_checks(&self, home: &str) -> Result<Vec<DueCheck>, StoreError>;

    /// Writes down that a process was asked; the next time is one interval away. If it was asked
    /// meanwhile, or has ended, nothing changes.
    async fn checked(&self, id: ProcessId, checked: Checked) -> Result<Moved, StoreError>;

    /// What is still to be told about processes of this home, the oldest first.
    async fn untold_news(&self, home: &str, limit: usize) -> Result<Vec<Untold>, StoreError>;

    /// The news were told.
    async fn news_told(&self, id: ProcessId, number: u32) -> Result<(), StoreError>;
}
