//! Looks for what is wrong, and names the command that mends it.
//!
//! ```text
//! house: home, configuration, database, disk, processes      nothing has to run
//! node:  gateway, its loops, the service manager             asked over HTTP
//! agent: certificates, the agent itself by a tiny call, where its commands run
//! costs: whether caps can be kept
//! servers: those that bring tools
//! ```
//!
//! Nothing is changed: the database is looked at and not brought to another version, no right is mended.
//! What is found never holds a secret. Each check stands alone, so one that fails hides no other.

pub(crate) mod agent;
mod costs;
mod house;
mod node;
mod servers;

use serde::Serialize;

use crate::config::Settings;
use crate::home::Home;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// What.
    pub(crate) check: &'static str,
    /// How it is.
    pub(crate) verdict: Verdict,
    /// What was found, in words.
    pub(crate) says: String,
    /// What to do about it: a command where there is one.
    pub(crate) mend: Option<String>,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// As it should be.
    Fine,
    /// It works, and somebody may want to know.
    Note,
    /// It does not work, or will not.
    Wrong,
    /// It was not looked at.
    Skipped,
}

/// How far the agent is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trial {
    /// As far as it costs next to nothing.
    Usual,
    /// Also programs are run.
    Call,
    /// Not at all.
    None,
}

/// What is looked at.
pub(crate) struct Patient<'a> {
    /// The home.
    pub(crate) home: &'a Home,
    /// The configuration file.
    pub(crate) config: &'a std::path::Path,
    /// What it says, or why it cannot be read.
    pub(crate) settings: Result<Settings, String>,
    /// How far the agent is tried.
    pub(crate) trial: Trial,
}

impl Finding {
    pub(crate) fn fine(check: &'static str, says: impl Into<String>) -> Self {
        Self::new(check, Verdict::Fine, says)
    }

    pub(crate) fn note(check: &'static str, says: impl Into<String>) -> Self {
        Self::new(check, Verdict::Note, says)
    }

    pub(crate) fn wrong(check: &'static str, says: impl Into<String>) -> Self {
        Self::new(check, Verdict::Wrong, says)
    }

    pub(crate) fn skipped(check: &'static str, says: impl Into<String>) -> Self {
        Self::new(check, Verdict::Skipped, says)
    }

    fn new(check: &'static str, verdict: Verdict, says: impl Into<String>) -> Self {
        Self {
            check,
            verdict,
            says: says.into(),
            mend: None,
        }
    }

    /// With what to do about it.
    pub(crate) fn mend(self, mend: impl Into<String>) -> Self {
        Self {
            mend: Some(mend.into()),
            ..self
        }
    }
}

/// Looks at everything, in the order in which one thing needs the other.
pub(crate) async fn examine(patient: &Patient<'_>) -> Vec<Finding> {
    let mut found = house::look(patient);
    let (node, status) = node::look(patient).await;
    found.extend(node);
    found.extend(agent::look(patient).await);
    found.extend(costs::look(patient));
    found.extend(servers::look(patient, status.as_ref()).await);
    found
}
