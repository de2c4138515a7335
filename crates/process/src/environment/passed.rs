//! Variables of the gateway that the operator lets commands see, by name.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::Arc;

use super::{Hidden, hidden};

/// Names that pass from the gateway's own environment to its commands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Passed(Arc<BTreeSet<String>>);

/// A name that cannot pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` can never be passed to commands: {why}")]
pub struct NotPassed {
    /// The name.
    pub name: String,
    /// What keeps it back.
    pub why: Hidden,
}

impl Passed {
    /// These names. There are no wildcards: who lets a variable pass names it.
    ///
    /// # Errors
    /// The first name that can never pass.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, NotPassed> {
        let names = names.into_iter().map(str::trim);
        let names = names.filter(|name| !name.is_empty()).map(|name| {
            let name = name.to_owned();
            match hidden(&name) {
                Some(why) => Err(NotPassed { name, why }),
                None => Ok(name),
            }
        });
        Ok(Self(Arc::new(names.collect::<Result<_, _>>()?)))
    }

    /// The names in the order of the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(super) fn has(&self, name: &OsString) -> bool {
        name.to_str().is_some_and(|name| self.0.contains(name))
    }
}
