//! A path as somebody wrote it, made one within the workspace.
//!
//! Pure: nothing is looked up. What climbs out is refused here with words; what leads out by a link is
//! refused where it is opened (`beneath`).

use std::path::{Component, Path, PathBuf};

use angelia_core::limits;

/// A path within the workspace: names alone, no `.` or `..` among them. The workspace itself has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::tools) struct Inner(PathBuf);

impl Inner {
    /// Reads a path. One that begins with the workspace's own is one within it.
    pub(super) fn read(text: &str, root: &Path) -> Result<Self, String> {
        if text.len() > limits::PATH_BYTES_MAX || text.contains('\0') {
            let most = limits::PATH_BYTES_MAX;
            return Err(format!(
                "a path has at most {most} bytes, and no zero among them"
            ));
        }
        let path = Path::new(text.trim());
        if path.starts_with("~") {
            return Err(outside(text, root));
        }
        let within = path.strip_prefix(root).unwrap_or(path);
        let mut names = PathBuf::new();
        for component in within.components() {
            match component {
                Component::Normal(name) => names.push(name),
                Component::CurDir => (),
                Component::ParentDir if names.pop() => (),
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(outside(text, root));
                }
            }
        }
        if names.components().count() > limits::FILES_DEPTH_MAX {
            let most = limits::FILES_DEPTH_MAX;
            return Err(format!("a path has at most {most} directories"));
        }
        Ok(Self(names))
    }

    /// The same, if it is not the workspace itself.
    pub(super) fn named(self) -> Result<Self, String> {
        match self.0.as_os_str().is_empty() {
            true => {
                Err("`path` is the workspace itself, which is a directory; name a file".to_owned())
            }
            false => Ok(self),
        }
    }

    /// The path of a file, as somebody wrote it: one that ends with a slash is none.
    pub(super) fn of_file(text: &str, root: &Path) -> Result<Self, String> {
        let path = Self::read(text, root)?.named()?;
        match text.trim().ends_with('/') {
            true => Err(format!(
                "`{}/` is the path of a directory; name a file in it",
                path.shown()
            )),
            false => Ok(path),
        }
    }

    pub(super) fn as_path(&self) -> &Path {
        &self.0
    }

    /// As people and models see it.
    pub(super) fn shown(&self) -> String {
        match self.0.as_os_str().is_empty() {
            true => ".".to_owned(),
            false => self.0.display().to_string(),
        }
    }
}

fn outside(text: &str, root: &Path) -> String {
    let shown: String = text.chars().take(64).collect();
    format!(
        "`{shown}` is outside the workspace; paths begin there, such as notes/today.md, or with {}",
        root.display()
    )
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
