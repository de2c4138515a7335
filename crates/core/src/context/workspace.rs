//! The line that tells a model where its files are and where its commands begin.
//!
//! It is told with what stays the same from turn to turn, so nothing may be in it that changes: no directory that a
//! command left off in, no name of a conversation. The path is the operator's own, and stands as it is.

/// Whether a turn has tools for files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Files {
    /// It has none.
    Missing,
    /// It has at least one.
    Reached,
}

/// Where the commands of a turn run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commands {
    /// Nowhere: it may not run any.
    Missing,
    /// On the machine that the workspace is on.
    Here,
    /// In another place, which knows its own directories.
    Elsewhere,
}

/// The line about the workspace at `root`; nothing where nothing of it is reached.
#[must_use]
pub fn line(root: &str, files: Files, commands: Commands) -> Option<String> {
    let rest = match (files, commands) {
        (Files::Missing, Commands::Missing | Commands::Elsewhere) => return None,
        (Files::Missing, Commands::Here) => "the first command of a conversation begins in it.",
        (Files::Reached, Commands::Missing) => "paths of the tools for files count from it.",
        (Files::Reached, Commands::Here) => {
            "paths of the tools for files count from it, and the first command of a conversation begins in it."
        }
        (Files::Reached, Commands::Elsewhere) => {
            "paths of the tools for files count from it. Commands run in another place, which may not have these files."
        }
    };
    Some(format!("Your workspace is the directory `{root}`: {rest}"))
}

#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
