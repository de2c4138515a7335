//! Where commands run: on this machine, or in a target that another program leads to.
//!
//! A target is known by one thing only: the local words that run a POSIX `sh` inside it, with input,
//! output and errors passed through (`enter`). All else is `script`: a folder in the target's temp
//! directory with the log, the exit and who is who, a shell of ours that stays with the command in a
//! session of its own, and a ladder of signals that reaches everybody the command started.
//!
//! ```text
//! foreground   script on the line; the line breaks → everybody inside goes
//! background   holder → bridge → line → script; the line breaks → the bridge finds the command again
//! ```
//!
//! Numbers of processes in a target stay there: none is ever read or signalled on this side. Files are
//! not carried to or from a target.

mod enter;
pub(crate) mod said;
pub(crate) mod script;
mod shown;
pub(crate) mod words;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where a command runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// On this machine.
    #[default]
    Local,
    /// On a machine that `ssh` leads to.
    Ssh(Ssh),
    /// In a container.
    Container(Container),
    /// In an instance of an Apptainer image.
    Apptainer(Apptainer),
    /// Wherever these words lead: they must run `sh -s` in the same place each time, and pass all
    /// three streams through.
    Template(Vec<String>),
}

impl Target {
    /// Whether commands run on this machine, as children of ours.
    pub fn is_local(&self) -> bool {
        *self == Self::Local
    }
}

/// A machine that `ssh` leads to. What is not said here stands in the account's own `ssh` settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ssh {
    /// Its name or address, or an alias of `ssh`.
    pub host: String,
    /// The account there.
    pub user: Option<String>,
    /// Its port.
    pub port: Option<u16>,
    /// The only key that is offered.
    pub identity_file: Option<PathBuf>,
    /// Where the keys of hosts stand. One that is not known is refused.
    pub known_hosts: Option<PathBuf>,
}

/// A container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Container {
    /// What runs it.
    pub engine: Engine,
    /// Which one.
    pub which: Which,
}

/// What runs containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// `docker`.
    Docker,
    /// `podman`.
    Podman,
}

/// Which container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// One that somebody else made; it is started if it stands still.
    Existing(String),
    /// One that is made on first use, with few rights.
    Made(Recipe),
}

/// What a container is made of. Another recipe makes another container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The image.
    pub image: String,
    /// What its name begins with.
    pub name: String,
    /// Folders of this machine that it sees, as `source:place` or `source:place:ro`.
    pub mounts: Vec<String>,
    /// What it reaches.
    pub network: Network,
}

/// What a container reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// What the engine gives to containers.
    Usual,
    /// Nobody.
    None,
}

/// An instance of an Apptainer image, started on first use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Apptainer {
    /// The image: a file, a folder or an address.
    pub image: String,
}
