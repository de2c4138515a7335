//! The variables that a command sees: a short list of harmless ones, and what the caller adds.
//!
//! The gateway's environment holds tokens and addresses that no command must see. A list of what to
//! hide is never complete, so the list says what to show. A name that looks like a secret is refused
//! even if the list would show it.
//!
//! Values are not looked at; proxy variables are left out because their values often hold passwords.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

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

/// All variables of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// What may be shown of the gateway's own environment.
    pub fn inherited() -> Self {
        Self::of(std::env::vars_os())
    }

    /// What may be shown of `variables`.
    pub fn of(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(
            variables
                .into_iter()
                .filter(|(name, _)| may_be_shown(name))
                .collect(),
        )
    }

    /// Adds a variable. What the caller names is shown, whatever it looks like.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// The variables in the order of their names.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

fn may_be_shown(name: &OsStr) -> bool {
    // A name that is not text is on no list.
    name.to_str()
        .is_some_and(|name| is_listed(name) && !looks_secret(name))
}

fn is_listed(name: &str) -> bool {
    SHOWN.contains(&name) || name.starts_with(SHOWN_PREFIX)
}

fn looks_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    SECRET_PARTS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
#[path = "environment_tests.rs"]
mod tests;
