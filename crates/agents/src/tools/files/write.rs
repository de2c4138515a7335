//! Makes a file, or replaces one whole: somebody who reads it sees the old one or the new one.
//!
//! `plan` looks what stands there, which is written down before anything happens: a call that is made again
//! after a crash finds its own file there, and tells what the first one would have told.
//!
//! The new bytes go into a file beside it, to the disk, and take its name. The file beside has a name made of
//! the call, so a call that is made again takes away what it left behind the first time.

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

use super::path::Inner;
use super::served::Reach;
use super::workspace::{Workspace, told};
use super::{beneath, hidden, read};

/// What a new file allows, before the mask of the process.
const FILE_MODE: u32 = 0o666;

/// What a write does to the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools) enum Turnout {
    /// There was no such file.
    Created,
    /// There was one.
    Replaced,
}

impl Turnout {
    fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Replaced => "replaced",
        }
    }

    /// As it stands in the journal.
    pub(super) fn noted(self) -> Value {
        json!({ "status": self.name() })
    }

    /// From the journal.
    pub(super) fn of(noted: &Value) -> Option<Self> {
        let name = noted.get("status")?.as_str()?;
        let all = [Self::Created, Self::Replaced];
        all.into_iter().find(|one| one.name() == name)
    }
}

/// What a write would do; or why it cannot be made.
pub(super) fn plan(reach: &Reach, path: &Inner, content: &str) -> Result<Turnout, String> {
    match found(&reach.workspace, path)? {
        Before::Nothing => Ok(Turnout::Created),
        Before::File(_) => keeps_secrets(reach, path, content).map(|()| Turnout::Replaced),
    }
}

/// What stands at a path now.
fn found(workspace: &Workspace, path: &Inner) -> Result<Before, String> {
    let (parent, name) = divided(path)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let root = workspace.directory().map_err(|error| told(path, error))?;
    match beneath::open(&root, parent, flags, Mode::empty()) {
        Ok(directory) => standing(&directory, name, path),
        Err(Errno::NOENT) => Ok(Before::Nothing),
        Err(error) => Err(told(path, error)),
    }
}

/// Whether the secrets of what is there outlive a new text. What is no text, or too long to be read, was never shown.
fn keeps_secrets(reach: &Reach, path: &Inner, content: &str) -> Result<(), String> {
    let bytes = read::bytes(&reach.workspace, path).unwrap_or_default();
    match read::text(path, &bytes) {
        Ok(before) => hidden::kept(path, (&before, content), &reach.masker),
        Err(_) => Ok(()),
    }
}

/// Makes or replaces a file as it was planned. `key` is what tells this call from every other.
pub(super) fn whole(
    workspace: &Workspace,
    path: &Inner,
    (content, turnout, key): (&str, Turnout, &str),
) -> Result<Value, String> {
    replace(workspace, path, (content.as_bytes(), key))?;
    Ok(json!({
        "path": path.shown(),
        "status": turnout.name(),
        "bytes": content.len(),
        "lines": content.lines().count(),
    }))
}

/// What stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
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
) -> Result<(), String> {
    if bytes.len() > limits::FILE_BYTES_MAX {
        let most = limits::FILE_BYTES_MAX;
        return Err(format!(
            "a file may have {most} bytes; this would have {}",
            bytes.len()
        ));
    }
    let (parent, name) = divided(path)?;
    let directory = made(workspace, parent).map_err(|error| told(path, error))?;
    let before = standing(&directory, name, path)?;
    let beside = format!(".{}.angelia-new", &digest(key.as_bytes())[..16]);
    let written = put(&directory, (&beside, name), (bytes, before));
    written.map_err(|error| {
        // What is left behind is taken away by the next call of this name at the latest.
        let _left = unlinkat(&directory, beside.as_str(), AtFlags::empty());
        told(path, error)
    })
}

/// The directory of a file, and its name there.
fn divided(path: &Inner) -> Result<(&Path, &Path), String> {
    let parent = path.as_path().parent().unwrap_or(Path::new(""));
    let name = path.as_path().file_name().map(Path::new);
    Ok((parent, name.ok_or_else(|| told(path, Errno::ISDIR))?))
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
