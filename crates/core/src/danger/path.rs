//! Paths in a command: what a file is, told by its name alone.
//!
//! Nothing is looked up. `~`, `$HOME` and `/home/name` are the same home; `.` and `..` are followed as
//! far as the text goes. A name that says no beginning is read from the directory that the command would
//! run in, if that is known; what it finds there is near, unless the directory is the system's.

/// A path, read from a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path {
    parts: Vec<String>,
    begins: Begins,
}

/// Where a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begins {
    /// At the root, or at a home, as it says itself.
    Named,
    /// Where the command would run.
    Joined,
    /// Nobody knows.
    Unknown,
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

/// Directories in which nobody has files of their own.
const FOREIGN: &[&str] = &[
    "etc", "usr", "var", "bin", "sbin", "boot", "lib", "lib64", "dev", "proc", "sys",
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
    /// Reads a path as it stands.
    #[cfg(test)]
    pub(super) fn read(text: &str) -> Self {
        Self::read_in("", text)
    }

    /// Reads a path in a directory. Letters of either case are the same, as on some filesystems.
    pub(super) fn read_in(directory: &str, text: &str) -> Self {
        let text = with_home(&text.to_lowercase());
        if is_named(&text) {
            return Self::of(&text, Begins::Named);
        }
        let whole = joined(directory, &text);
        let begins = match is_named(&whole) {
            true => Begins::Joined,
            false => Begins::Unknown,
        };
        Self::of(&whole, begins)
    }

    fn of(text: &str, begins: Begins) -> Self {
        let mut parts: Vec<String> = Vec::new();
        let rest = match text.strip_prefix('~') {
            Some(rest) => {
                parts.extend(["home".into(), "~".into()]);
                rest.split_once('/').map_or("", |(_, rest)| rest)
            }
            None => text,
        };
        let anchored = begins != Begins::Unknown;
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
        Self { parts, begins }
    }

    /// What would be gone with it.
    pub(super) fn loss(&self) -> Loss {
        if self.begins == Begins::Unknown {
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
            [top, _, ..] if self.begins == Begins::Joined && !FOREIGN.contains(&top.as_str()) => {
                Loss::Near
            }
            _ => Loss::Absolute,
        }
    }

    /// What is written when it is, if that matters.
    pub(super) fn written(&self) -> Option<Written> {
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let found = match self.begins {
            Begins::Named | Begins::Joined => anchored(&parts),
            Begins::Unknown => None,
        };
        own(&parts).or(found).or_else(|| project(&parts))
    }
}

/// Where `text` leads from `directory`: itself if it says where it begins, or if nobody can say.
pub(super) fn joined(directory: &str, text: &str) -> String {
    let is_whole = is_named(&with_home(&text.to_lowercase())) || text.starts_with('$');
    match directory.is_empty() || is_whole {
        true => text.to_owned(),
        false => with_home(&format!("{}/{text}", directory.to_lowercase())),
    }
}

fn is_named(text: &str) -> bool {
    text.starts_with(['/', '~'])
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
