//! Files that an agent reads and writes through us: those below its workspace, and no others.
//!
//! A path is followed to its end before it is judged, so neither `..` nor a link leads out. A reading changes
//! nothing and leaves no trace; a writing is a step of the journal, so that a turn that is run again does not
//! write over what was written since.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use angelia_core::recovery::EffectClass;
use angelia_core::turn::journal::{self, Progress, Recorded, Step};
use serde_json::{Value, json};

use super::host::Served;
use super::peer::{BAD_PARAMS, FAILED, Failure};
use crate::events::{Ended, Events};

/// The longest file that is read or written in one piece.
const FILE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// What is said once a file is written.
const WRITTEN: &str = "written";

/// Reads a file, or some lines of it.
pub(super) fn read(root: &Path, params: &Value) -> Served {
    let path = inside(root, params)?;
    let text = text_of(&path).map_err(|why| failed(&path, &why))?;
    let first = params["line"].as_u64().unwrap_or(1).max(1) - 1;
    let limit = params["limit"].as_u64();
    if first == 0 && limit.is_none() {
        return Ok(json!({ "content": text }));
    }
    let skip = usize::try_from(first).unwrap_or(usize::MAX);
    let take = limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    });
    let lines = text.split_inclusive('\n').skip(skip).take(take);
    Ok(json!({ "content": lines.collect::<String>() }))
}

fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let mut file = File::open(path)?.take(FILE_BYTES_MAX + 1);
    file.read_to_string(&mut text)?;
    match text.len() as u64 > FILE_BYTES_MAX {
        true => Err(io::Error::other("it is too long to be read in one piece")),
        false => Ok(text),
    }
}

/// What a writing needs.
pub(super) struct Writing<'a> {
    pub(super) root: &'a Path,
    pub(super) journal: &'a [Recorded],
    pub(super) events: &'a Events,
}

impl Writing<'_> {
    /// Writes a file, unless the journal says that this was done.
    pub(super) async fn write(&self, call: String, params: &Value) -> Result<Served, Ended> {
        let progress = journal::progress(self.journal, &call);
        if let Progress::Finished(said) = progress {
            return Ok(again(&said));
        }
        let (path, content) = match wanted(self.root, params) {
            Ok(wanted) => wanted,
            Err(why) => return Ok(Err(why)),
        };
        if progress == Progress::Unbegun {
            let step = Step::ToolBegun {
                call: call.clone(),
                tool: "write".to_owned(),
                arguments: json!({ "path": path, "bytes": content.len() }),
                effect: EffectClass::Keyed,
            };
            self.events.record(step).await?;
        }
        let written = fs::write(&path, content).map_err(|why| failed(&path, &why));
        let output = match &written {
            Ok(()) => WRITTEN.to_owned(),
            Err(failure) => failure.message.clone(),
        };
        self.events.record(Step::finished(call, output)).await?;
        Ok(written.map(|()| json!({})))
    }
}

fn again(said: &str) -> Served {
    match said == WRITTEN {
        true => Ok(json!({})),
        false => Err(Failure::new(FAILED, said)),
    }
}

fn wanted<'a>(root: &Path, params: &'a Value) -> Result<(PathBuf, &'a str), Failure> {
    let content = params["content"].as_str();
    let content = content.ok_or_else(|| Failure::new(BAD_PARAMS, "there is no `content`"))?;
    if content.len() as u64 > FILE_BYTES_MAX {
        let why = "the content is too long to be written in one piece";
        return Err(Failure::new(BAD_PARAMS, why));
    }
    Ok((inside(root, params)?, content))
}

fn failed(path: &Path, why: &io::Error) -> Failure {
    Failure::new(FAILED, format!("{}: {why}", path.display()))
}

/// The file that is meant, with all links followed.
fn inside(root: &Path, params: &Value) -> Result<PathBuf, Failure> {
    let refused = |why: &str| Failure::new(BAD_PARAMS, why);
    let path = params["path"].as_str().map(Path::new);
    let path = path.ok_or_else(|| refused("there is no `path`"))?;
    if !path.is_absolute() {
        return Err(refused("`path` has to be absolute"));
    }
    let outside =
        || refused("`path` leads out of the workspace; only files below it can be reached");
    let root = root.canonicalize().map_err(|why| failed(root, &why))?;
    let real = real(path).map_err(|why| failed(path, &why))?;
    let real = real.filter(|real| real.starts_with(&root));
    real.ok_or_else(outside)
}

/// The path with all links followed as far as it exists; nothing if what does not exist is no plain name.
fn real(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut missing: Vec<OsString> = Vec::new();
    let mut known = path.to_owned();
    loop {
        match fs::symlink_metadata(&known) {
            Ok(_) => break,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => (),
        }
        let Some(Component::Normal(name)) = known.components().next_back() else {
            return Ok(None);
        };
        missing.push(name.to_owned());
        if !known.pop() {
            return Ok(None);
        }
    }
    let known = known.canonicalize()?;
    Ok(Some(
        missing
            .into_iter()
            .rev()
            .fold(known, |path, name| path.join(name)),
    ))
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
