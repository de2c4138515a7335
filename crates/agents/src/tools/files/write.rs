//! Makes a file, or replaces one whole: somebody who reads it sees the old one or the new one.
//!
//! The new bytes go into a file beside it, to the disk, and take its name. The file beside has a name made of
//! the call, so a call that is made again after a crash takes away what it left behind the first time.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::path::Path;

use angelia_core::limits;
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::fs::{fchmod, fsync, mkdirat, openat, readlinkat, renameat, statat, unlinkat};
use rustix::io::Errno;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::beneath;
use super::path::Inner;
use super::workspace::{Workspace, told};

/// What a new file allows, before the mask of the process.
const FILE_MODE: u32 = 0o666;

/// Makes or replaces a file. `key` is what tells this call from every other.
pub(super) fn whole(
    workspace: &Workspace,
    path: &Inner,
    (content, key): (&str, &str),
) -> Result<Value, String> {
    let before = replace(workspace, path, (content.as_bytes(), key))?;
    Ok(json!({
        "path": path.shown(),
        "status": match before {
            Before::Nothing => "created",
            Before::File(_) => "replaced",
        },
        "bytes": content.len(),
        "lines": content.lines().count(),
    }))
}

/// What stood there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing.
    Nothing,
    /// A file with these rights.
    File(Mode),
}

/// Puts bytes into the file of this name.
pub(super) fn replace(
    workspace: &Workspace,
    path: &Inner,
    (bytes, key): (&[u8], &str),
) -> Result<Before, String> {
    if bytes.len() > limits::FILE_BYTES_MAX {
        let most = limits::FILE_BYTES_MAX;
        return Err(format!(
            "a file may have {most} bytes; this would have {}",
            bytes.len()
        ));
    }
    let parent = path.as_path().parent().unwrap_or(Path::new(""));
    let name = path.as_path().file_name().map(Path::new);
    let name = name.ok_or_else(|| told(path, Errno::ISDIR))?;
    let directory = made(workspace, parent).map_err(|error| told(path, error))?;
    let before = standing(&directory, name, path)?;
    let beside = format!(".{}.angelia-new", &digest(key.as_bytes())[..16]);
    let written = put(&directory, (&beside, name), (bytes, before));
    written.map_err(|error| {
        // What is left behind is taken away by the next call of this name at the latest.
        let _left = unlinkat(&directory, beside.as_str(), AtFlags::empty());
        told(path, error)
    })?;
    Ok(before)
}

/// The directory of a file; those that are missing on the way are made.
fn made(workspace: &Workspace, path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let root = workspace.directory()?;
    match beneath::open(&root, path, flags, Mode::empty()) {
        Err(Errno::NOENT) => (),
        opened => return opened,
    }
    let above = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().ok_or(Errno::NOENT)?;
    let above = made(workspace, above)?;
    match mkdirat(above, name, Mode::from_raw_mode(0o777)) {
        Ok(()) | Err(Errno::EXIST) => beneath::open(&root, path, flags, Mode::empty()),
        Err(error) => Err(error),
    }
}

/// What stands under the name now. Nothing but a file is replaced by one.
fn standing(directory: &OwnedFd, name: &Path, path: &Inner) -> Result<Before, String> {
    let about = match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(about) => about,
        Err(Errno::NOENT) => return Ok(Before::Nothing),
        Err(error) => return Err(told(path, error)),
    };
    let shown = path.shown();
    match FileType::from_raw_mode(about.st_mode) {
        FileType::RegularFile => Ok(Before::File(Mode::from_raw_mode(about.st_mode & 0o777))),
        FileType::Directory => Err(told(path, Errno::ISDIR)),
        FileType::Symlink => {
            let to = readlinkat(directory, name, Vec::new()).unwrap_or_default();
            let to = to.to_string_lossy();
            Err(format!(
                "`{shown}` is a link to `{to}`; write to the file that it leads to"
            ))
        }
        FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => Err(format!("`{shown}` is no file, and is not replaced by one")),
    }
}

fn put(
    directory: &OwnedFd,
    (beside, name): (&str, &Path),
    (bytes, before): (&[u8], Before),
) -> Result<(), Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let new = || openat(directory, beside, flags, Mode::from_raw_mode(FILE_MODE));
    let opened = match new() {
        Err(Errno::EXIST) => {
            unlinkat(directory, beside, AtFlags::empty())?;
            new()
        }
        opened => opened,
    };
    let mut file = File::from(opened?);
    let io = |error: std::io::Error| Errno::from_io_error(&error).unwrap_or(Errno::IO);
    file.write_all(bytes).map_err(io)?;
    if let Before::File(mode) = before {
        fchmod(&file, mode)?;
    }
    file.sync_all().map_err(io)?;
    renameat(directory, beside, directory, name)?;
    fsync(directory)
}

/// What recognises bytes, in hexadecimal.
pub(super) fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
