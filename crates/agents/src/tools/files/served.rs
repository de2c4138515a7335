//! Files for an agent that is a program of its own: whole texts, without numbers before their lines.
//!
//! The workspace, the way below it and the masker are those of the tools; only the form of the answer differs.
//! What is written back must not hold what was only shown: a file whose secrets were hidden when it was read
//! would lose them. Which turn may do what, and its journal, are the caller's business.

use std::borrow::Cow;
use std::sync::Arc;

use angelia_core::mask::{Masker, Surface};

use super::path::Inner;
use super::workspace::Workspace;
use super::{apart, read, write};

/// Where files are reached, and what is hidden in them.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    /// The one directory.
    pub(crate) workspace: Arc<Workspace>,
    /// Knows the secrets that nobody may see.
    pub(crate) masker: Arc<Masker>,
}

/// Why there is no text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unread {
    /// There is no such file in the workspace.
    Missing,
    /// Something else, in words.
    Because(String),
}

impl From<String> for Unread {
    fn from(why: String) -> Self {
        Self::Because(why)
    }
}

/// A file that can be written.
#[derive(Debug)]
pub(crate) struct Planned {
    reach: Reach,
    path: Inner,
    content: String,
}

impl Reach {
    /// The text of a file, without secrets.
    pub(crate) async fn text(self, path: &str) -> Result<String, Unread> {
        let path = Inner::read(path, self.workspace.root())?;
        apart(move || Ok(self.shown(&path))).await?
    }

    fn shown(&self, path: &Inner) -> Result<String, Unread> {
        match text(&self.workspace, path) {
            Ok(text) => Ok(self.masker.shown(&text, Surface::File).into_owned()),
            Err(_) if self.workspace.lacks(path) => Err(Unread::Missing),
            Err(why) => Err(Unread::Because(why)),
        }
    }

    /// A write, once it is known that it can be made.
    pub(crate) async fn plan(self, path: &str, content: String) -> Result<Planned, String> {
        let path = Inner::read(path, self.workspace.root())?.named()?;
        apart(move || {
            write::plan(&self, &path, &content)?;
            let reach = self;
            Ok(Planned {
                reach,
                path,
                content,
            })
        })
        .await
    }
}

impl Planned {
    /// Writes the file. `key` is what tells this call from every other.
    pub(crate) async fn make(self, key: String) -> Result<(), String> {
        let Self {
            reach,
            path,
            content,
        } = self;
        apart(move || write::replace(&reach.workspace, &path, (content.as_bytes(), &key))).await
    }
}

/// All of a file, if it is a text and nothing else: one that is shown with holes would be written back so.
fn text(workspace: &Workspace, path: &Inner) -> Result<String, String> {
    let bytes = read::bytes(workspace, path)?;
    match read::text(path, &bytes)? {
        Cow::Borrowed(text) => Ok(text.to_owned()),
        Cow::Owned(_) => Err(format!("`{}` is no text in UTF-8", path.shown())),
    }
}
