//! Opens what is below a directory, and never anything else.
//!
//! The kernel does it in one step where it can (`openat2`, `RESOLVE_BENEATH`): links are followed as long as
//! they stay below, and nobody can put another one there in between. Where it cannot, each name is opened
//! below the one before, and links are not followed at all.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

/// How often a look-up is begun again that somebody disturbed by moving directories.
#[cfg(target_os = "linux")]
const DISTURBED_MAX: usize = 8;

/// Opens what is at `path` below `root`. An empty path is `root` itself.
pub(super) fn open(
    root: impl AsFd,
    path: &Path,
    flags: OFlags,
    mode: Mode,
) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlags::CLOEXEC;
    let root = root.as_fd();
    if path.as_os_str().is_empty() {
        return openat(root, ".", flags, mode);
    }
    #[cfg(target_os = "linux")]
    match at_once(root, path, (flags, mode)) {
        // Kernels before 5.6 have no such call, and some sandboxes do not let it through.
        Err(Errno::NOSYS | Errno::PERM) => (),
        opened => return opened,
    }
    by_name(root, path, (flags, mode))
}

#[cfg(target_os = "linux")]
fn at_once(
    root: BorrowedFd<'_>,
    path: &Path,
    (flags, mode): (OFlags, Mode),
) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};
    let within = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..DISTURBED_MAX {
        match openat2(root, path, flags, mode, within) {
            Err(Errno::AGAIN | Errno::INTR) => (),
            opened => return opened,
        }
    }
    Err(Errno::AGAIN)
}

/// The same without the kernel's help: no link is followed.
fn by_name(
    root: BorrowedFd<'_>,
    path: &Path,
    (flags, mode): (OFlags, Mode),
) -> Result<OwnedFd, Errno> {
    let on_the_way = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut names = path.components().peekable();
    let mut at = openat(root, ".", on_the_way, Mode::empty())?;
    while let Some(name) = names.next() {
        let name = name.as_os_str();
        at = match names.peek() {
            Some(_) => openat(&at, name, on_the_way, Mode::empty())?,
            None => return openat(&at, name, flags | OFlags::NOFOLLOW, mode),
        };
    }
    Ok(at)
}

#[cfg(test)]
#[path = "beneath_tests.rs"]
mod tests;
