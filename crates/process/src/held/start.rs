//! Starts a background process: a folder, a spec in it, and a holder that takes over.
//!
//! A holder takes a moment to wake up, in which its folder is filled; its variables come last and tell it
//! to begin.
//!
//! Nothing is started twice. Whoever starts has the folder locked, and the lock passes to the holder;
//! who comes second, or again after a restart, gets what is there already. A gateway that is killed
//! on the way leaves a holder with all it needs, or one that ends without having started anything.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use angelia_core::limits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::environment::Environment;
use crate::folder::Folder;
use crate::spec::{Errors, Spec};
use crate::{bridge, hold, log};

use super::adopt::{Found, adopt, why_not_started};
use super::{Held, START_TIME};

/// What a holder may say about its start.
const SAID_BYTES_MAX: u64 = 64 * 1024;

/// The program that becomes a holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub(super) path: PathBuf,
    pub(super) name: OsString,
}

impl Program {
    /// This very program, also when its file was replaced by another version since it started.
    ///
    /// # Errors
    /// Where the system does not tell which program this is.
    pub fn this() -> io::Result<Self> {
        let path = std::env::current_exe()?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_owned();
        let itself = PathBuf::from("/proc/self/exe");
        let path = if itself.exists() { itself } else { path };
        Ok(Self { path, name })
    }

    /// The program at `path`, which must call `take_role` first of all.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let name = path.file_name().unwrap_or(path.as_os_str()).to_owned();
        Self { path, name }
    }
}

/// Why a process does not run.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The command itself could not be started; trying again would end the same way.
    #[error("{0}")]
    NotStarted(String),
    /// There is no holder for it, and nothing was started.
    #[error("the process in {} could not be held: {why}", .folder.display())]
    NotHeld {
        /// Where it should have been.
        folder: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// Nobody can tell now whether it was started; whoever looks later can.
    #[error("it is not known whether the process in {} was started: {why}", .folder.display())]
    Unknown {
        /// Where it is, if it is.
        folder: PathBuf,
        /// What went wrong.
        why: String,
    },
}

/// Starts what `spec` says in `folder`, with these variables and no others; or finds what was started
/// there before. What was started and is lost already was started.
pub async fn spawn(
    program: &Program,
    folder: impl AsRef<Path>,
    spec: &Spec,
    environment: &Environment,
) -> Result<Held, SpawnError> {
    let folder = Folder::at(folder.as_ref());
    let held = match start(program, &folder, spec, environment).await {
        Ok(held) => held,
        Err(why) => begun(&folder, &why.to_string()).await?,
    };
    match folder.exit().map(why_not_started) {
        Ok(Some(why)) => Err(SpawnError::NotStarted(why)),
        // What cannot be read now is told by whoever needs it.
        Ok(None) | Err(_) => Ok(held),
    }
}

async fn start(
    program: &Program,
    folder: &Folder,
    spec: &Spec,
    environment: &Environment,
) -> io::Result<Held> {
    folder.make()?;
    let held = Held {
        folder: folder.clone(),
    };
    let Some(lock) = folder.lock()? else {
        return started_by_others(held).await;
    };
    if folder.exit()?.is_some() || folder.has_holding()? {
        return Ok(held);
    }
    let holder = begin(program, (folder, lock.into()), spec.nice)?;
    log::make(&folder.log())?;
    if spec.errors == Errors::Apart {
        log::make(&folder.errors())?;
    }
    folder.write_spec(spec)?;
    if !spec.target.is_local() {
        folder.make_inside()?;
    }
    let variables = match spec.target.is_local() {
        true => hold::encode_variables(environment.variables()),
        false => {
            let over = environment.over_bridge(std::env::vars_os(), bridge::INSIDE);
            hold::encode_variables(over.variables())
        }
    };
    let said = timeout(start_time(spec), introduce(holder, &variables)).await??;
    let is_known = folder.exit()?.is_some();
    if said.trim_end() == hold::STARTED || is_known {
        return Ok(held);
    }
    Err(io::Error::other(format!(
        "{} {}",
        said.trim_end(),
        folder.complaints()
    )))
}

fn start_time(spec: &Spec) -> Duration {
    match spec.target.is_local() {
        true => START_TIME,
        false => START_TIME + limits::TARGET_START_TIME.to_std(),
    }
}

async fn started_by_others(held: Held) -> io::Result<Held> {
    match adopt(held.folder()).await? {
        Found::Running(_) | Found::Ended(_) | Found::Lost => Ok(held),
        Found::Absent => Err(io::Error::other(
            "somebody else began to start it and gave up; try again",
        )),
    }
}

fn begin(program: &Program, (folder, lock): (&Folder, Stdio), nice: u8) -> io::Result<Child> {
    let mut command = Command::new(&program.path);
    command.arg0(&program.name);
    command.arg(hold::ARGUMENT).arg(folder.path());
    if nice > 0 {
        command.arg(nice.to_string());
    }
    command.env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(lock);
    command.spawn()
}

/// Gives the holder what it must not find in files, and hears what it says about the start. When it
/// ends some day, the runtime reaps it.
async fn introduce(mut holder: Child, variables: &[u8]) -> io::Result<String> {
    let missing = || io::Error::other("a holder starts with both pipes");
    let mut input = holder.stdin.take().ok_or_else(missing)?;
    let output = holder.stdout.take().ok_or_else(missing)?;
    // Why it does not listen stands in what it says.
    let _deaf = input.write_all(variables).await.is_err();
    drop(input);
    let mut said = Vec::new();
    output.take(SAID_BYTES_MAX).read_to_end(&mut said).await?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}

/// What was started although its start came to no good end.
async fn begun(folder: &Folder, why: &str) -> Result<Held, SpawnError> {
    let why = why.trim().to_owned();
    match adopt(folder.path()).await {
        Ok(Found::Running(_) | Found::Ended(_) | Found::Lost) => Ok(Held {
            folder: folder.clone(),
        }),
        Ok(Found::Absent) => Err(SpawnError::NotHeld {
            folder: folder.path().to_owned(),
            why,
        }),
        Err(error) => Err(SpawnError::Unknown {
            folder: folder.path().to_owned(),
            why: format!("{why}; {error}"),
        }),
    }
}
