//! Which files an agent may send to people.
//!
//! An agent reads much that nobody outside should. So a file goes out if it lies where the operator said that files are
//! (the roots), if it is one that people sent, or if it was just made; and never if it is the gateway's own, opens a
//! door, or belongs to the system. The path is the one behind all links: whoever asks has followed them.
//!
//! Pure: nothing is opened here.

use std::path::{Path, PathBuf};

use crate::time::{Span, Timestamp};

/// What is known of the places, each behind all links.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// Where files are that may be sent.
    pub roots: Vec<PathBuf>,
    /// What is the gateway's own.
    pub own: Vec<PathBuf>,
    /// The parts of that which may be sent all the same: what people sent, and where agents work.
    pub shared: Vec<PathBuf>,
    /// What `~` stands for.
    pub user: Option<PathBuf>,
    /// How old a file may be that lies elsewhere.
    pub fresh: Span,
}

/// Why a file is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is the gateway's own.
    #[error("it belongs to the gateway")]
    Own,
    /// Its name is that of something that opens doors.
    #[error("it may hold a secret")]
    Secret,
    /// It is the system's.
    #[error("it belongs to the system")]
    System,
    /// It lies where nobody said that files may be sent from, and is not new.
    #[error("it does not lie where files are sent from, and was not made just now")]
    Elsewhere,
}

/// Places of the system.
const SYSTEM: [&str; 11] = [
    "/etc",
    "/proc",
    "/sys",
    "/dev",
    "/boot",
    "/root",
    "/run",
    "/var/log",
    "/var/lib",
    "/var/run",
    "/var/spool",
];

/// Names of what opens doors, wherever it lies.
const SECRETS: [&str; 18] = [
    ".config",
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".pgpass",
    ".password-store",
    "gcloud",
    "keyrings",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
];

impl Policy {
    /// Where a path leads that an agent wrote.
    #[must_use]
    pub fn place(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), &self.user) {
            (Some(rest), Some(user)) => user.join(rest),
            _ => PathBuf::from(path),
        }
    }

    /// Whether a file may be sent that was last written at `written_at`.
    ///
    /// # Errors
    /// Why not.
    pub fn decide(
        &self,
        path: &Path,
        written_at: Timestamp,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        let is_in = |places: &[PathBuf]| places.iter().any(|place| path.starts_with(place));
        if is_in(&self.own) && !is_in(&self.shared) {
            return Err(Refusal::Own);
        }
        if opens_doors(path) {
            return Err(Refusal::Secret);
        }
        if is_in(&self.shared) || is_in(&self.roots) {
            return Ok(());
        }
        if SYSTEM.iter().any(|place| path.starts_with(place)) {
            return Err(Refusal::System);
        }
        match now.since(written_at) <= self.fresh && self.fresh > Span::ms(0) {
            true => Ok(()),
            false => Err(Refusal::Elsewhere),
        }
    }
}

fn opens_doors(path: &Path) -> bool {
    let names = path.iter().filter_map(|name| name.to_str());
    let is_secret = |name: &str| {
        let name = name.to_lowercase();
        SECRETS.contains(&name.as_str())
            || name == ".env"
            || name.starts_with(".env.")
            || name.starts_with("id_ed25519")
            || name.ends_with(".pem")
            || name.ends_with(".key")
    };
    names.into_iter().any(is_secret)
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
