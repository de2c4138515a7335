//! Settings: from a file, the environment and flags to values that the parts consume.
//!
//! ```text
//! environment ─┐
//! flags ───────┼─► resolve ─► Settings (typed) + where each value came from
//! file ─► raw ─┘      ▲
//!                   keys: the one table of what may be written
//! ```
//!
//! Every error is collected before giving up, each with its line. Nothing is reloaded in pieces: a
//! changed file holds after the next start.

mod access;
mod acp;
mod agent;
mod agents;
mod approvals;
mod busy;
mod command;
mod costs;
pub(crate) mod database;
pub(crate) mod edit;
pub(crate) mod environment;
mod fallback;
mod instructions;
pub(crate) mod keys;
mod mcp;
mod platforms;
mod problem;
mod processes;
mod profiles;
mod raw;
mod request;
mod resolve;
mod schema;
pub(crate) mod secret;
mod sessions;
mod show;
pub(crate) mod speech;
pub(crate) mod stickers;
mod suggest;
mod target;
mod terminal;
mod tools;
pub(crate) mod transcription;
mod zone;

use std::path::{Path, PathBuf};
use std::{fs, io};

pub(crate) use acp::Acp;
pub(crate) use agent::{Agent, Model, Wish};
pub(crate) use agents::Agents;
pub(crate) use command::Exec;
pub(crate) use database::Database;
pub(crate) use mcp::{McpServer, McpWay};
pub(crate) use platforms::Account;
pub(crate) use processes::Processes;
pub(crate) use resolve::{Effective, Overrides, Resolved, RestartBy, Settings};
pub(crate) use schema::schema;
pub(crate) use show::show;

use crate::errors::Failure;

/// The file that is read.
#[derive(Debug, Clone)]
pub(crate) struct ConfigFile {
    path: PathBuf,
    named: Named,
    state: State,
}

/// Whether someone named the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// A flag or a variable did: it must be there.
    Explicitly,
    /// It is the usual one in the home: it may be absent.
    Usually,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unread,
    Present,
    Absent,
}

impl ConfigFile {
    /// The file at `path`, not read yet.
    pub(crate) fn new(path: PathBuf, named: Named) -> Self {
        Self {
            path,
            named,
            state: State::Unread,
        }
    }

    /// Where it is, or would be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Its name without folders.
    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Where it is and whether it is there, in a few words.
    fn words(&self) -> String {
        let path = self.path.display();
        match self.state {
            State::Unread | State::Present => path.to_string(),
            State::Absent => format!("{path} does not exist, so the defaults hold"),
        }
    }

    /// What a check that found nothing says.
    pub(crate) fn verdict(&self) -> String {
        match self.state {
            State::Unread | State::Present => format!("{}: no errors", self.path.display()),
            State::Absent => self.words(),
        }
    }

    /// Reads the file and resolves it with what stands above it.
    ///
    /// # Errors
    /// The file cannot be read, or something in it or above it is wrong: all of it is told.
    pub(crate) fn load(&mut self, overrides: &Overrides) -> Result<Resolved, Failure> {
        let text = self.text()?;
        let resolved = resolve::resolve(raw::read(&text), overrides);
        resolved.map_err(|problems| {
            let list: Vec<String> = problems.iter().map(|one| format!("  {one}")).collect();
            let errors = if list.len() == 1 {
                "an error"
            } else {
                "errors"
            };
            let what = format!("{} has {errors}\n{}", self.path.display(), list.join("\n"));
            Failure::new(what).hint("every key is explained by `angelia config schema`")
        })
    }

    fn text(&mut self) -> Result<String, Failure> {
        let read = fs::read_to_string(&self.path);
        self.state = match &read {
            Err(error) if self.named == Named::Usually && is_absence(error) => State::Absent,
            Ok(_) | Err(_) => State::Present,
        };
        match (self.state, read) {
            (State::Absent, _) => Ok(String::new()),
            (State::Present | State::Unread, read) => read.map_err(|error| self.unreadable(&error)),
        }
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        let what = format!(
            "the configuration {} cannot be read: {error}",
            self.path.display()
        );
        Failure::new(what).hint("check the path given by `--config` or `ANGELIA_CONFIG`")
    }
}

/// What this text would mean as a configuration; else what is wrong with it.
pub(crate) fn judge(text: &str, overrides: &Overrides) -> Result<Settings, String> {
    let resolved = resolve::resolve(raw::read(text), overrides);
    let settings = resolved.map(|resolved| resolved.settings);
    settings.map_err(|problems| {
        let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
        list.join("; ")
    })
}

/// Whether the file, or a folder on the way to it, is not there.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
