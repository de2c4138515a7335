//! Paths in a command: what a file is, told by its name alone.
//!
//! Nothing is looked up. `~`, `$HOME` and `/home/name` are the same home; `.` and `..` are followed as
//! far as the text goes.

/// A path, read from a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path {
    parts: Vec<String>,
    /// Whether it begins at the root, or at a home.
    anchored: bool,
}

/// What would be gone if a path were deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    Root,
    System,
    Home,
    /// Something below a home, or near the working directory.
    Near,
    /// Anything else that is named from the root.
    Absolute,
}

/// What is written when a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Disk,
    Kernel,
    Own,
    Sensitive,
    System,
    Project,
}

const SYSTEM: &[&str] = &[
    "home", "root", "etc", "usr", "var", "bin", "sbin", "boot", "lib",
];

const DISKS: &[&str] = &[
    "sd", "nvme", "hd", "mmcblk", "vd", "xvd", "dm-", "md", "disk", "rdisk", "mapper",
];

const START_UP: &[&str] = &[
    ".bashrc",
    ".zshrc",
    ".profile",
    ".bash_profile",
    ".zprofile",
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
];

impl Path {
    /// Reads a path. Letters of either case are the same, as on some filesystems.
    pub(super) fn read(text: &str) -> Self {
        let text = with_home(&text.to_lowercase());
        let anchored = text.starts_with(['/', '~']);
        let mut parts: Vec<String> = Vec::new();
        let rest = match text.strip_prefix('~') {
            Some(rest) => {
                parts.extend(["home".into(), "~".into()]);
                rest.split_once('/').map_or("", |(_, rest)| rest)
            }
            None => text.as_str(),
        };
        for part in rest.split('/') {
            match part {
                "" | "." => (),
                ".." if anchored => drop(parts.pop()),
                part => parts.push(part.into()),
            }
        }
        if anchored && parts.first().is_some_and(|part| part == "users") {
            parts[0] = "home".into();
        }
        Self { parts, anchored }
    }

    /// What would be gone with it.
    pub(super) fn loss(&self) -> Loss {
        if !self.anchored {
            return Loss::Near;
        }
        // Everything in a directory is as much as the directory.
        let whole = self.parts.last().is_some_and(|part| is_everything(part));
        let parts = &self.parts[..self.parts.len() - usize::from(whole)];
        match parts {
            [] => Loss::Root,
            [only] if SYSTEM.contains(&only.as_str()) => Loss::System,
            [home, _] if home == "home" => Loss::Home,
            [home, _, ..] if home == "home" => Loss::Near,
            _ => Loss::Absolute,
        }
    }

    /// What is written when it is, if that matters.
    pub(super) fn written(&self) -> Option<Written> {
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let found = if self.anchored {
            anchored(&parts)
        } else {
            None
        };
        own(&parts).or(found).or_else(|| project(&parts))
    }
}

/// The text with the variable of the home written as `~`. Others may begin with the same letters.
fn with_home(text: &str) -> String {
    let braces = text
        .strip_prefix("${home")
        .and_then(|rest| rest.split_once('}'));
    let bare = text.strip_prefix("$home");
    let rest = match (braces, bare) {
        (Some((changed, rest)), _) if !changed.starts_with(is_name) => rest,
        (None, Some(rest)) if !rest.starts_with(is_name) => rest,
        _ => return text.to_owned(),
    };
    format!("~{rest}")
}

fn is_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn anchored(parts: &[&str]) -> Option<Written> {
    match parts {
        ["dev", disk, ..] if DISKS.iter().any(|kind| disk.starts_with(kind)) => Some(Written::Disk),
        ["proc", "sysrq-trigger"] | ["proc", "sys", ..] => Some(Written::Kernel),
        ["etc", ..] | ["private", "etc" | "var" | "tmp" | "home", ..] => Some(Written::System),
        ["home", _, ".ssh", ..] | ["root", ".ssh", ..] => Some(Written::Sensitive),
        ["home", _, file] | ["root", file] if START_UP.contains(file) => Some(Written::Sensitive),
        _ => None,
    }
}

/// The home of the gateway, wherever it is, and its configuration.
fn own(parts: &[&str]) -> Option<Written> {
    let inside =
        parts.contains(&".angelia") || parts.windows(2).any(|pair| pair == ["share", "angelia"]);
    let named = parts.last() == Some(&"angelia.toml");
    (inside || named).then_some(Written::Own)
}

fn project(parts: &[&str]) -> Option<Written> {
    let file = parts.last()?;
    let name = *file == ".env" || file.starts_with(".env.") || *file == "config.yaml";
    // A hash is part of a name, and such a name is a copy that somebody set aside.
    (name && !file.contains('#')).then_some(Written::Project)
}

fn is_everything(part: &str) -> bool {
    part.contains(['*', '?']) && part.chars().all(|char| "*?.![]".contains(char))
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
