//! The variables that a command sees: a short list of harmless ones, what the operator lets pass by name,
//! and what the caller adds.
//!
//! ```text
//! the gateway's own ──shown or passed by name──┐
//! what the caller adds ────────────────────────┴─▶ never hidden ones ─▶ the command
//! ```
//!
//! The gateway's environment holds tokens and addresses that no command must see. A list of what to
//! hide is never complete, so the list says what to show. A name that looks like a secret is refused
//! even if the list would show it. Behind that is a second net for everything that is added: names that
//! are known to be secrets, and our own.
//!
//! Values are not looked at; proxy variables are left out because their values often hold passwords.

mod denied;
mod passed;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;

pub use passed::{NotPassed, Passed};

/// Variables that tell a program where it is and how its user wants to be spoken to.
const SHOWN: [&str; 12] = [
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
];

/// Variables of the locale: one per aspect.
const SHOWN_PREFIX: &str = "LC_";

/// Parts of a name that make it look like a secret.
const SECRET_PARTS: [&str; 9] = [
    "AUTH",
    "COOKIE",
    "CREDENTIAL",
    "KEY",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "SECRET",
    "TOKEN",
];

/// What our own variables begin with. Nothing of ours is for commands but whose turn it is.
const OWN_PREFIX: &str = "ANGELIA_";
const OWN_SHOWN_PREFIX: &str = "ANGELIA_SESSION_";

/// Marks of the Python that the gateway was started from, which is not the one a command should use.
const MARKS: [&str; 2] = ["CONDA_PREFIX", "VIRTUAL_ENV"];

/// Names that are made up as needed: how they begin, and how they end.
const MADE_UP: [(&str, &[&str]); 2] = [
    ("AUXILIARY_", &["_API_KEY", "_BASE_URL"]),
    ("GATEWAY_RELAY_", &["_SECRET", "_KEY", "_TOKEN"]),
];

/// How another gateway forces secrets upon its commands. What is set up for it stays hidden here.
const FORCED_PREFIX: &str = "_HERMES_FORCE_";

/// Why no command ever sees a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// It is known to hold a secret, or to set up a program that holds one.
    Secret,
    /// It is the gateway's own.
    Own,
    /// It says which Python the gateway runs beside.
    Mark,
    /// It is no name of a variable.
    NoName,
}

impl fmt::Display for Hidden {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Secret => "it is known as a secret, or as the setting of a program that has one",
            Self::Own => "it is a setting of the gateway itself",
            Self::Mark => "it belongs to the surroundings of the gateway",
            Self::NoName => "a variable has a name of letters, digits and `_`",
        })
    }
}

/// Why no command ever sees a variable of this name, in capitals or not, if none does.
pub fn hidden(name: &str) -> Option<Hidden> {
    let is_name = |sign: char| sign == '_' || sign.is_ascii_alphanumeric();
    let upper = name.to_ascii_uppercase();
    if name.is_empty() || !name.chars().all(is_name) {
        Some(Hidden::NoName)
    } else if denied::DENIED.binary_search(&upper.as_str()).is_ok() || is_made_up(&upper) {
        Some(Hidden::Secret)
    } else if upper.starts_with(OWN_PREFIX) && !name.starts_with(OWN_SHOWN_PREFIX) {
        Some(Hidden::Own)
    } else if MARKS.contains(&upper.as_str()) {
        Some(Hidden::Mark)
    } else {
        None
    }
}

fn is_made_up(upper: &str) -> bool {
    upper.starts_with(FORCED_PREFIX)
        || MADE_UP.iter().any(|(start, ends)| {
            upper.starts_with(start) && ends.iter().any(|end| upper.ends_with(end))
        })
}

/// Every name that is known to be hidden, for those who check.
pub fn denied() -> impl Iterator<Item = &'static str> {
    denied::DENIED.into_iter().chain(MARKS)
}

/// Variables that programs which lead to a target need. They are for them alone.
const ON_THE_WAY: [&str; 11] = [
    "APPTAINER_CACHEDIR",
    "APPTAINER_CONFIGDIR",
    "CONTAINERS_CONF",
    "CONTAINER_HOST",
    "DBUS_SESSION_BUS_ADDRESS",
    "DOCKER_CONFIG",
    "DOCKER_CONTEXT",
    "DOCKER_HOST",
    "SSH_AUTH_SOCK",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
];

/// All variables of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// Of the gateway's own.
    shown: BTreeMap<OsString, OsString>,
    /// By the caller or the operator. Only these go along to another place.
    added: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// What may be shown of the gateway's own environment.
    pub fn inherited() -> Self {
        Self::passing(&Passed::default())
    }

    /// What may be shown of the gateway's own environment, and what the operator lets pass.
    pub fn passing(passed: &Passed) -> Self {
        Self::of(std::env::vars_os(), passed)
    }

    /// What may be shown of `variables`, and what passes.
    pub fn of(variables: impl IntoIterator<Item = (OsString, OsString)>, passed: &Passed) -> Self {
        let mut of = Self::default();
        for (name, value) in variables {
            if may_be_shown(&name) {
                of.shown.insert(name, value);
            } else if passed.has(&name) {
                of.added.insert(name, value);
            }
        }
        of
    }

    /// Adds a variable. What the caller names is shown, also if it looks like a secret: it is the
    /// caller's. One that is known to be somebody else's is left out.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        let name = name.into();
        if name.to_str().is_some_and(|name| hidden(name).is_none()) {
            self.added.insert(name, value.into());
        }
        self
    }

    /// Adds a variable that the operator set for this very program. It is shown whatever it is called:
    /// nobody else's can be meant.
    #[must_use]
    pub fn given(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.added.insert(name.into(), value.into());
        self
    }

    /// The variables as text, for those who check.
    pub fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let text = |part: &OsStr| part.to_string_lossy().into_owned();
        self.variables()
            .map(move |(name, value)| (text(name), text(value)))
    }

    /// The variables.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let hidden = |name: &OsString| self.added.contains_key(name);
        let shown = self.shown.iter().filter(move |(name, _)| !hidden(name));
        let both = shown.chain(&self.added);
        both.map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// What goes along to another place, as text.
    pub(crate) fn inside(&self) -> Vec<(String, String)> {
        let text = |(name, value): (&OsString, &OsString)| {
            Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
        };
        self.added.iter().filter_map(text).collect()
    }

    /// The variables of a program that leads to another place, given those of the gateway. What the
    /// command there is to see is not among them.
    pub(crate) fn on_the_way(
        &self,
        gateway: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let needed = |name: &OsString| name.to_str().is_some_and(|name| ON_THE_WAY.contains(&name));
        let needed = gateway.into_iter().filter(|(name, _)| needed(name));
        Self {
            shown: self.shown.clone().into_iter().chain(needed).collect(),
            added: BTreeMap::new(),
        }
    }

    /// The variables of a bridge: what leads to the other place, what goes along, and, in the variable
    /// `naming`, the names of those that do.
    pub(crate) fn over_bridge(
        &self,
        gateway: impl IntoIterator<Item = (OsString, OsString)>,
        naming: &str,
    ) -> Self {
        let inside = self.inside();
        let names: Vec<&str> = inside.iter().map(|(name, _)| name.as_str()).collect();
        let mut both = self.on_the_way(gateway);
        both.added.insert(naming.into(), names.join("\n").into());
        let inside = inside.into_iter();
        both.added
            .extend(inside.map(|(name, value)| (name.into(), value.into())));
        both
    }
}

fn may_be_shown(name: &OsStr) -> bool {
    // A name that is not text is on no list.
    name.to_str()
        .is_some_and(|name| is_listed(name) && !looks_secret(name) && hidden(name).is_none())
}

fn is_listed(name: &str) -> bool {
    SHOWN.contains(&name) || name.starts_with(SHOWN_PREFIX)
}

/// Whether a variable or a header of this name most likely holds a secret.
pub fn looks_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    SECRET_PARTS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
#[path = "environment_tests.rs"]
mod tests;
