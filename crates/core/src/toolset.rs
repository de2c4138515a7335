//! Which tools a turn may use: decided purely, by the place of its messages and the role of who wrote them.
//!
//! A rule names tools, or whole families of them (`files`, or all that come from one source). Two rules hold
//! for a turn, that of its place and that of its role, and a tool is there if both let it be: a role never
//! gets back what its place has not.
//!
//! What a tool is, and what it does, is not known here.

use std::collections::BTreeSet;

/// Which tools there are, by their names or the names of their families.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Rule {
    /// These alone, if anything is said.
    pub enable: Option<BTreeSet<String>>,
    /// Not these, whatever else is said.
    pub disable: BTreeSet<String>,
}

impl Rule {
    fn allows(&self, names: [&str; 2]) -> bool {
        let has = |set: &BTreeSet<String>| names.iter().any(|name| set.contains(*name));
        self.enable.as_ref().is_none_or(has) && !has(&self.disable)
    }
}

/// Which tools one turn may use.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Choice {
    /// What holds where the turn is.
    pub place: Rule,
    /// What holds for whose turn it is.
    pub role: Rule,
}

impl Choice {
    /// Whether a tool of this family and name is there.
    #[must_use]
    pub fn allows(&self, family: &str, name: &str) -> bool {
        [&self.place, &self.role]
            .iter()
            .all(|rule| rule.allows([family, name]))
    }
}

#[cfg(test)]
#[path = "toolset_tests.rs"]
mod tests;
