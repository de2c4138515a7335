//! The workspace: the one directory in which files are reached.
//!
//! Whoever sets the house up says where it is; the gateway's own files may not lie in it.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;

use super::beneath;
use super::path::Inner;

/// The one directory in which files are reached.
#[derive(Debug, PartialEq, Eq)]
pub struct Workspace {
    root: PathBuf,
}

/// Why a directory cannot be the workspace.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It cannot be made or opened.
    #[error("{0}")]
    Unusable(io::Error),
    /// Something lies in it that no tool may reach.
    #[error("{} lies in it, which no tool may reach", .0.display())]
    Holds(PathBuf),
    /// It lies among files that no tool may reach.
    #[error("it lies in {}, which no tool may reach", .0.display())]
    Within(PathBuf),
}

impl Workspace {
    /// Makes the directory, for its owner alone, unless it is there. `own` are paths that may neither lie in it
    /// nor hold it; `usual` is the place in the gateway's home that may be it all the same.
    ///
    /// # Errors
    /// It cannot be the workspace; the words say why.
    pub fn prepare(root: &Path, usual: &Path, own: &[PathBuf]) -> Result<Self, Unfit> {
        make(root).map_err(Unfit::Unusable)?;
        Self::at(root, usual, own)
    }

    /// The same without making it: for whoever only looks.
    ///
    /// # Errors
    /// It cannot be the workspace; the words say why.
    pub fn at(root: &Path, usual: &Path, own: &[PathBuf]) -> Result<Self, Unfit> {
        let root = real(root).map_err(Unfit::Unusable)?;
        let is_usual = real(usual).is_ok_and(|usual| root.starts_with(usual));
        for path in own {
            let real = real(path).unwrap_or_else(|_| path.clone());
            if real.starts_with(&root) {
                return Err(Unfit::Holds(real));
            }
            if root.starts_with(&real) && !is_usual {
                return Err(Unfit::Within(real));
            }
        }
        Ok(Self { root })
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory itself. One that was taken away is made again.
    pub(super) fn directory(&self) -> Result<OwnedFd, Errno> {
        let open = || {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            openat(CWD, &self.root, flags, Mode::empty())
        };
        match open() {
            Err(Errno::NOENT) => {
                make(&self.root)
                    .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::NOENT))?;
                open()
            }
            opened => opened,
        }
    }

    /// Where it is, once it is there: for whoever begins something in it.
    pub(in crate::tools) fn ready(&self) -> Result<PathBuf, String> {
        match self.directory() {
            Ok(_opened) => Ok(self.root.clone()),
            Err(error) => {
                let (root, why) = (self.root.display(), io::Error::from(error));
                Err(format!(
                    "Not run: the workspace, {root}, cannot be entered ({why}). Say in `workdir` where this is to run."
                ))
            }
        }
    }

    /// Opens what is at a path within it.
    pub(super) fn open(&self, path: &Inner, flags: OFlags) -> Result<OwnedFd, String> {
        let root = self.directory().map_err(|error| told(path, error))?;
        let opened = beneath::open(root, path.as_path(), flags, Mode::empty());
        opened.map_err(|error| told(path, error))
    }

    /// Whether nothing is at a path within it.
    pub(super) fn lacks(&self, path: &Inner) -> bool {
        let open = |root| {
            beneath::open(
                root,
                path.as_path(),
                OFlags::RDONLY | OFlags::NONBLOCK,
                Mode::empty(),
            )
        };
        matches!(self.directory().and_then(open), Err(Errno::NOENT))
    }
}

/// The path with all links followed. What is not there yet lies where its directory does.
fn real(path: &Path) -> io::Result<PathBuf> {
    match (fs::canonicalize(path), path.parent(), path.file_name()) {
        (Err(error), Some(above), Some(name)) if error.kind() == io::ErrorKind::NotFound => {
            let above = match above.as_os_str().is_empty() {
                true => Path::new("."),
                false => above,
            };
            Ok(real(above)?.join(name))
        }
        (found, _, _) => found,
    }
}

fn make(root: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(root)
}

/// What went wrong with a path, and what to do.
pub(super) fn told(path: &Inner, error: Errno) -> String {
    let shown = path.shown();
    match error {
        Errno::NOENT => format!("there is no `{shown}`; `list_files` shows what is there"),
        Errno::XDEV | Errno::LOOP => {
            format!("`{shown}` leads out of the workspace, or through a link that is not followed")
        }
        Errno::NOTDIR => {
            format!("`{shown}` is a file, or goes through one as if it were a directory")
        }
        Errno::ISDIR => format!("`{shown}` is a directory; name a file in it"),
        Errno::ACCESS | Errno::PERM => {
            format!("`{shown}` may not be opened: its rights do not allow it")
        }
        Errno::NOSPC | Errno::DQUOT => format!("there is no room on the disk for `{shown}`"),
        Errno::NAMETOOLONG => format!("a name in `{shown}` is too long"),
        Errno::ROFS => format!("`{shown}` is on a disk that cannot be written to"),
        other => {
            let why = io::Error::from(other);
            format!("`{shown}` could not be used: {why}")
        }
    }
}

#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
