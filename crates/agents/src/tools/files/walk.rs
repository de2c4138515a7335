//! Goes through directories, name by name in order, without following any link.
//!
//! Each directory is opened below the one before it, so nothing outside is ever looked at. What is made by
//! tools and would drown everything else is named but not entered.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use angelia_core::limits;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};
use tokio_util::sync::CancellationToken;

/// Directories that nobody means who looks for something.
const NOT_ENTERED: [&str; 4] = [".git", "node_modules", "target", "__pycache__"];

/// What was come across.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// Its path, from where the walk began.
    pub(super) path: PathBuf,
    /// What it is.
    pub(super) kind: FileType,
    /// Its size in bytes.
    pub(super) bytes: u64,
    /// The directory that it is in.
    pub(super) directory: &'a OwnedFd,
}

impl Found<'_> {
    /// Its name.
    pub(super) fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// There is no more.
    All,
    /// Whoever walked had enough.
    Enough,
    /// There is more than anybody looks at, or the time was up.
    Cut,
}

/// A walk.
pub(super) struct Walk<'a, V> {
    /// How many levels are entered.
    pub(super) depth: usize,
    /// Ends it.
    pub(super) stop: &'a CancellationToken,
    /// How many were come across.
    seen: usize,
    visit: V,
}

impl<'a, V: FnMut(Found<'_>) -> ControlFlow<()>> Walk<'a, V> {
    /// Calls `visit` for everything below a directory.
    pub(super) fn new(depth: usize, stop: &'a CancellationToken, visit: V) -> Self {
        Self {
            depth,
            stop,
            seen: 0,
            visit,
        }
    }

    /// Goes.
    pub(super) fn go(&mut self, from: &OwnedFd) -> End {
        match self.enter(from, Path::new(""), 1) {
            ControlFlow::Continue(()) => End::All,
            ControlFlow::Break(end) => end,
        }
    }

    fn enter(&mut self, at: &OwnedFd, path: &Path, level: usize) -> ControlFlow<End> {
        for name in names(at) {
            self.seen += 1;
            if self.seen > limits::FILES_SEEN_MAX || self.stop.is_cancelled() {
                return ControlFlow::Break(End::Cut);
            }
            let name = OsStr::from_bytes(&name);
            let Ok(about) = statat(at, name, AtFlags::SYMLINK_NOFOLLOW) else {
                // It went away meanwhile.
                continue;
            };
            let kind = FileType::from_raw_mode(about.st_mode);
            let path = path.join(name);
            let found = Found {
                path: path.clone(),
                kind,
                bytes: about.st_size.unsigned_abs(),
                directory: at,
            };
            if (self.visit)(found).is_break() {
                return ControlFlow::Break(End::Enough);
            }
            if kind == FileType::Directory && level < self.depth && is_entered(name) {
                self.below(at, &path, level)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// A directory that may not be read, or went away, has nothing in it.
    fn below(&mut self, at: &OwnedFd, path: &Path, level: usize) -> ControlFlow<End> {
        let name = path.file_name().unwrap_or_default();
        match directory(at, name) {
            Ok(opened) => self.enter(&opened, path, level + 1),
            Err(_) => ControlFlow::Continue(()),
        }
    }
}

fn directory(at: impl AsFd, name: &OsStr) -> Result<OwnedFd, rustix::io::Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, name, flags, Mode::empty())
}

fn is_entered(name: &OsStr) -> bool {
    !NOT_ENTERED.iter().any(|one| OsStr::new(one) == name)
}

/// The names in a directory, in order; as many as anybody looks at.
fn names(directory: &OwnedFd) -> Vec<Vec<u8>> {
    let Ok(entries) = Dir::read_from(directory) else {
        return Vec::new();
    };
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_bytes().to_vec());
    let named = names.filter(|name| name != b"." && name != b"..");
    let mut names: Vec<_> = named.take(limits::FILES_SEEN_MAX + 1).collect();
    names.sort_unstable();
    names
}
