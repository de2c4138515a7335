//! The environment: every variable that Angelia looks at, read here and nowhere else.
//!
//! An empty variable counts as absent, as most shells and unit files mean it. Nothing is judged here;
//! `home` and `config::resolve` decide what the values mean.

use std::ffi::OsString;
use std::path::PathBuf;

/// What the environment says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    /// `ANGELIA_HOME`: the data directory.
    pub(crate) home: Option<PathBuf>,
    /// `ANGELIA_CONFIG`: the configuration file.
    pub(crate) config: Option<PathBuf>,
    /// `ANGELIA_DATABASE`: takes the place of `database` in the file.
    pub(crate) database: Option<String>,
    /// `ANGELIA_LOG`: what is logged.
    pub(crate) log: Option<String>,
    /// Where programs of this user keep their data.
    pub(crate) data_home: Option<PathBuf>,
    /// `USER`: the name under which the terminal speaks.
    pub(crate) user: Option<String>,
    /// The name of the machine's time zone, which `TZ` may set.
    pub(crate) zone: Option<String>,
    /// Whether colours are wanted where they can be shown.
    pub(crate) colour: Colour,
}

/// Whether colours are wanted where they can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Colour {
    /// On a terminal.
    #[default]
    Wanted,
    /// `NO_COLOR` is set.
    Unwanted,
}

impl Environment {
    /// Reads the variables.
    pub(crate) fn read() -> Self {
        let colour = present("NO_COLOR").map_or(Colour::Wanted, |_| Colour::Unwanted);
        let below_home =
            || present("HOME").map(|home| PathBuf::from(home).join(".local").join("share"));
        Self {
            home: present("ANGELIA_HOME").map(PathBuf::from),
            config: present("ANGELIA_CONFIG").map(PathBuf::from),
            database: text("ANGELIA_DATABASE"),
            log: text("ANGELIA_LOG"),
            data_home: present("XDG_DATA_HOME")
                .map(PathBuf::from)
                .or_else(below_home),
            user: text("USER"),
            zone: super::zone::of_this_machine(),
            colour,
        }
    }
}

/// A variable that the configuration names.
pub(crate) fn variable(name: &str) -> Option<String> {
    text(name)
}

fn present(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn text(name: &str) -> Option<String> {
    present(name).map(|value| value.to_string_lossy().into_owned())
}
