//! Ends every process of a scope, such as all that one episode started.
//!
//! The folders tell who belongs to it, so whoever ends a scope need not be who started it, and need not
//! have been there since. What nobody holds any more is ended as far as that is safe. The scope is gone
//! over until a look finds nobody alive: what is started meanwhile is ended too.
//!
//! Folders stay; whoever owns them removes them when their logs are no longer wanted.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use angelia_core::time::Span;
use tokio::task::JoinSet;

use crate::folder::Folder;
use crate::scope::Scope;

use super::adopt::{Found, adopt};
use super::lost::end_lost;
use super::start::Program;
use super::{Held, HeldError, Outcome};

/// How many are ended at the same time: each takes a connection.
const AT_ONCE: usize = 64;

/// How often a scope is gone over. Somebody who still starts processes then will not stop.
const LOOKS_MAX: usize = 16;

/// A process of the scope that lived, and what came of ending it.
#[derive(Debug)]
pub struct Left {
    /// Its folder.
    pub folder: PathBuf,
    /// How it ended, or why it could not be ended.
    pub end: Result<Outcome, HeldError>,
}

/// Ends every living process of `scope` whose folder is in `root`: asked, given `grace`, then killed.
/// Returns those who lived, in no order, once none is left that could be ended.
///
/// # Errors
/// When the folders cannot be read, or processes of the scope are started without end.
pub async fn end_scope(
    program: &Program,
    root: &Path,
    scope: &Scope,
    grace: Span,
) -> io::Result<Vec<Left>> {
    let mut left: Vec<Left> = Vec::new();
    for _ in 0..LOOKS_MAX {
        let before = left.len();
        for some in others(root, scope, &left)?.chunks(AT_ONCE) {
            left.extend(end_all(program, some, grace).await?);
        }
        if left.len() == before {
            return Ok(left);
        }
    }
    let why =
        "processes of this scope are started faster than they end; stop who starts them first";
    Err(io::Error::other(why))
}

/// The folders of the scope, but for those that were dealt with.
fn others(root: &Path, scope: &Scope, left: &[Left]) -> io::Result<Vec<PathBuf>> {
    let done: BTreeSet<&Path> = left.iter().map(|left| left.folder.as_path()).collect();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root)? {
        let path = entry?.path();
        if !done.contains(path.as_path()) && belongs(&path, scope)? {
            found.push(path);
        }
    }
    Ok(found)
}

fn belongs(path: &Path, scope: &Scope) -> io::Result<bool> {
    match Folder::at(path).spec() {
        Ok(spec) => Ok(spec.is_some_and(|spec| spec.scopes.contains(scope))),
        // A file beside the folders, or one that was removed since.
        Err(why)
            if matches!(
                why.kind(),
                io::ErrorKind::NotADirectory | io::ErrorKind::NotFound
            ) =>
        {
            Ok(false)
        }
        Err(why) => Err(why),
    }
}

async fn end_all(program: &Program, folders: &[PathBuf], grace: Span) -> io::Result<Vec<Left>> {
    let mut ending = JoinSet::new();
    for folder in folders {
        ending.spawn(end(program.clone(), folder.clone(), grace));
    }
    let ended = ending.join_all().await;
    let ended: io::Result<Vec<Option<Left>>> = ended.into_iter().collect();
    Ok(ended?.into_iter().flatten().collect())
}

/// Ends one, if it lives.
async fn end(program: Program, folder: PathBuf, grace: Span) -> io::Result<Option<Left>> {
    let end = match adopt(&folder).await? {
        Found::Running(held) => Held::kill(&held, grace).await,
        Found::Lost => {
            end_lost(&program, &folder)?;
            Ok(Outcome::Lost)
        }
        Found::Ended(_) | Found::Absent => return Ok(None),
    };
    Ok(Some(Left { folder, end }))
}
