//! The home: the one directory that a gateway owns.
//!
//! ```text
//! <home>/angelia.toml    what the operator chose (may be elsewhere)
//! <home>/angelia.db      every row
//! <home>/processes/      one folder for each background process
//! <home>/agents/         one folder for each agent that is a program of its own
//! <home>/runs/           one folder for each run of a command that is the agent
//! <home>/workspace/      the files that agents work with, unless they are elsewhere
//! <home>/api-token       the access token, for its owner alone
//! <home>/node-id         what this home is known by to others that share its database
//! <home>/agent-key       what the settings of agents are marked with, once there is an agent that keeps processes
//! <home>/pseudonym-key   what the pseudonyms of people and chats are made with, once they are wanted
//! <home>/lock            held by the running gateway and freed by its end, whatever end that is
//! <home>/gateway.json    who holds the lock and where it listens
//! ```
//!
//! The directory is for its owner alone (0700), and so is each file in it (0600).

mod agents;
pub(crate) mod facts;
mod identity;
pub(crate) mod lock;
mod pseudonyms;
mod token;

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use angelia_api::wire::v1::media;

use crate::config::environment::Environment;
use crate::errors::Failure;

/// For its owner alone.
const DIRECTORY_MODE: u32 = 0o700;

/// Where randomness comes from that is fit for secrets.
const RANDOM: &str = "/dev/urandom";

/// As many as cannot be guessed.
const SECRET_BYTES: usize = 32;

/// A gateway's directory.
#[derive(Debug, Clone)]
pub(crate) struct Home {
    path: PathBuf,
}

impl Home {
    /// The home that the flag names, else the environment, else the usual one. Nothing is made yet.
    pub(crate) fn find(flag: Option<PathBuf>, environment: &Environment) -> Result<Self, Failure> {
        let usual = || {
            environment
                .data_home
                .as_ref()
                .map(|data| data.join("angelia"))
        };
        let path = flag
            .or_else(|| environment.home.clone())
            .or_else(usual)
            .ok_or_else(|| {
                let what = "there is no place for the home: neither ANGELIA_HOME nor HOME is set";
                Failure::new(what).hint("say where with `--home DIR`")
            })?;
        let absolute = std::path::absolute(&path);
        let path = absolute.map_err(|error| unusable(&path, &error))?;
        Ok(Self { path })
    }

    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file with every row.
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join("angelia.db")
    }

    /// One folder for each background process.
    pub(crate) fn processes(&self) -> PathBuf {
        self.path.join("processes")
    }

    /// Where pictures are kept.
    pub(crate) fn media(&self) -> PathBuf {
        self.path.join("media")
    }

    /// Where a file is kept that an agent sent.
    pub(crate) fn kept(&self, file: &media::File) -> PathBuf {
        let id = file.id.to_string();
        let digits = id.trim_start_matches("med_");
        self.media().join(format!("{digits}.{}", file.ending))
    }

    /// Where agents that are programs of their own are held.
    pub(crate) fn agents(&self) -> PathBuf {
        self.path.join("agents")
    }

    /// Where the runs of a command that is the agent are held.
    pub(crate) fn runs(&self) -> PathBuf {
        self.path.join("runs")
    }

    /// Where the files of agents usually are.
    pub(crate) fn workspace(&self) -> PathBuf {
        self.path.join("workspace")
    }

    /// Where the configuration usually is.
    pub(crate) fn config(&self) -> PathBuf {
        self.path.join("angelia.toml")
    }

    /// Makes the directory if there is none, and closes it to others if it is open to them.
    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        let prepare = || {
            let mut builder = DirBuilder::new();
            builder
                .recursive(true)
                .mode(DIRECTORY_MODE)
                .create(&self.path)?;
            self.close()
        };
        prepare().map_err(|error| unusable(&self.path, &error))
    }
}

impl Home {
    /// Closes the directory to others. Where that is not ours to do, the files in it are still closed,
    /// so it is said and no more.
    fn close(&self) -> io::Result<()> {
        if fs::metadata(&self.path)?.mode() & 0o077 == 0 {
            return Ok(());
        }
        match fs::set_permissions(&self.path, Permissions::from_mode(DIRECTORY_MODE)) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let home = self.path.display();
                tracing::warn!(%home, "others may look into the home, and it is not ours to close");
                Ok(())
            }
            closed => closed,
        }
    }
}

/// Replaces a file whole, for its owner alone: a reader sees the old one or the new one.
fn replace_file(path: &Path, content: &str, sync: Sync) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content.as_bytes())?;
    if sync == Sync::ToDisk {
        file.as_file().sync_all()?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Replaces a file whole, for its owner alone, and has it on the disk before this returns.
pub(crate) fn write_whole(path: &Path, content: &str) -> io::Result<()> {
    replace_file(path, content, Sync::ToDisk)
}

/// A new secret, in hexadecimal.
fn secret_digits() -> io::Result<String> {
    let mut bytes = [0; SECRET_BYTES];
    File::open(RANDOM)?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads a file with a secret, and closes it to others if it is open to them.
fn read_secret(path: &Path) -> io::Result<String> {
    if fs::metadata(path)?.mode() & 0o077 != 0 {
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
    }
    fs::read_to_string(path)
}

/// Whether a file must outlive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sync {
    /// It must.
    ToDisk,
    /// It means something only while this process runs.
    NotNeeded,
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!(
        "the home {} cannot be used: {error}",
        path.display()
    ))
    .hint("choose another directory with `--home DIR` or ANGELIA_HOME, or mend its rights")
}

#[cfg(test)]
#[path = "home_tests.rs"]
mod tests;
