//! One thing that is wrong: where, what, and what to do about it.
//!
//! Problems print as `path:line: what; what to do`, which editors and people can follow. This
//! module neither finds problems nor decides whether they are fatal: every one of them is.

use std::fmt;

/// A finding of `check`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    /// The file, relative to the repository.
    pub(crate) path: String,
    /// The line, counted from one.
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) what: String,
    /// What makes it right.
    pub(crate) remedy: String,
}

impl Problem {
    pub(crate) fn new(
        path: impl Into<String>,
        line: usize,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            path: path.into(),
            line,
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {}; {}",
            self.path, self.line, self.what, self.remedy
        )
    }
}
