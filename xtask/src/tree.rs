//! The texts of the repository, read once and handed to the rules.
//!
//! A rule sees paths and texts and never the disk, so a test can make up a tree of three lines.
//! Build output and hidden folders are left out, and so is every kind of file no rule reads.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The endings of the files that some rule reads.
const READ: [&str; 5] = ["rs", "toml", "js", "css", "html"];

/// One text file.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// Relative to the repository, with `/` between the names.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// All texts, in the order of their paths.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) files: Vec<SourceFile>,
}

impl SourceFile {
    /// The name without its folders.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The folder, empty for a file at the root.
    pub(crate) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Whether the name ends in one of these endings.
    pub(crate) fn ends_in(&self, endings: &[&str]) -> bool {
        self.name()
            .rsplit_once('.')
            .is_some_and(|(_, ending)| endings.contains(&ending))
    }

    /// Whether it is the sibling file that holds a module's unit tests.
    pub(crate) fn holds_unit_tests(&self) -> bool {
        self.name().ends_with("_tests.rs")
    }

    /// Whether it is a Rust file under some crate's `src`.
    pub(crate) fn is_crate_source(&self) -> bool {
        self.ends_in(&["rs"]) && self.path.contains("/src/")
    }

    /// The lines with their numbers, counted from one.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
    }
}

impl Tree {
    /// Reads every file below `root` that a rule may want.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.read_folder(root, "")?;
        tree.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    /// Makes up a tree for a test.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        Self {
            files: files.iter().map(file).collect(),
        }
    }

    /// The file at this path, if the tree has it.
    pub(crate) fn file(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path == path)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        let entries = fs::read_dir(folder)
            .with_context(|| format!("cannot list {}; check its permissions", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if kind.is_dir() && is_ours(&name, &entry.path()) {
                self.read_folder(&entry.path(), &format!("{prefix}{name}/"))?;
            } else if kind.is_file() {
                self.read_file(&entry.path(), format!("{prefix}{name}"))?;
            }
        }
        Ok(())
    }

    fn read_file(&mut self, at: &Path, path: String) -> Result<()> {
        let mut file = SourceFile {
            path,
            text: String::new(),
        };
        if file.ends_in(&READ) {
            file.text = fs::read_to_string(at)
                .with_context(|| format!("cannot read {} as UTF-8 text", file.path))?;
            self.files.push(file);
        }
        Ok(())
    }
}

/// Whether a folder holds our own work: hidden folders and build output do not. Cargo marks build
/// output it made itself with a tag, whatever the folder is called.
fn is_ours(name: &str, folder: &Path) -> bool {
    !name.starts_with('.') && name != "target" && !folder.join("CACHEDIR.TAG").exists()
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
