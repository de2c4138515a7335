//! The name of a profile: one of several agents, each with conversations of its own.
//!
//! Flow: a name comes from the configuration, a routing rule or a stored row, is trimmed and
//! lower-cased, and is checked once, here. From then on it is a [`Profile`], which can stand in a
//! session key without being mistaken for another part of it: no name has a colon, and the name that
//! the keys of no profile use cannot be taken.
//!
//! It does not say which profile a message goes to; that is `rules`.

pub mod rules;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::name::{LENGTH_MAX, is_well_formed};

/// The namespace of every message that goes to no profile of its own.
pub const MAIN: &str = "main";

/// The name that means no profile of its own.
const DEFAULT: &str = "default";

/// Names that would be mistaken for something else: a namespace, a command, a scratch place.
const RESERVED: [&str; 6] = [MAIN, "angelia", "test", "tmp", "root", "sudo"];

/// The checked name of a profile.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Profile(String);

/// A text that cannot name a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadProfile {
    /// It has characters that are not allowed, or too many, or none.
    #[error(
        "`{0}` cannot name a profile: use 1 to {LENGTH_MAX} of a-z, 0-9, `_` and `-`, beginning with \
         a letter or digit"
    )]
    Shape(String),
    /// It means something else already.
    #[error("`{0}` cannot name a profile, because it is reserved: choose another name")]
    Reserved(String),
}

impl Profile {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the name of no profile of its own.
    pub fn is_main(&self) -> bool {
        self.0 == DEFAULT
    }

    /// The part of a session key that stands for `profile`.
    pub fn namespace(profile: Option<&Self>) -> &str {
        match profile {
            Some(profile) if !profile.is_main() => &profile.0,
            Some(_) | None => MAIN,
        }
    }
}

impl FromStr for Profile {
    type Err = BadProfile;

    fn from_str(text: &str) -> Result<Self, BadProfile> {
        let name = text.trim().to_lowercase();
        if !is_well_formed(&name) {
            return Err(BadProfile::Shape(name));
        }
        if RESERVED.contains(&name.as_str()) {
            return Err(BadProfile::Reserved(name));
        }
        Ok(Self(name))
    }
}

impl TryFrom<String> for Profile {
    type Error = BadProfile;

    fn try_from(text: String) -> Result<Self, BadProfile> {
        text.parse()
    }
}

impl From<Profile> for String {
    fn from(profile: Profile) -> Self {
        profile.0
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
#[path = "profile_tests.rs"]
mod tests;
