//! What is wrong with the configuration: where, and what was expected.

use std::fmt;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    /// Where it was written.
    pub(crate) place: Place,
    /// What is wrong and what would be right.
    pub(crate) says: String,
}

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// On a line of the file, counted from one.
    Line(usize),
    /// In an environment variable.
    Variable(&'static str),
    /// In a flag of the command line.
    Flag(&'static str),
    /// Nowhere itself: it holds because of this key.
    Key(&'static str),
    /// Nowhere: the machine is set so.
    Machine,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(out, "line {number}"),
            Self::Variable(name) | Self::Flag(name) | Self::Key(name) => out.write_str(name),
            Self::Machine => out.write_str("this machine"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.says)
    }
}

/// The line on which the byte `offset` of `text` stands, counted from one.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    1 + before.filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one_and_never_run_past_the_end() {
        assert_eq!(line_of("a\nb\nc", 0), 1);
        assert_eq!(line_of("a\nb\nc", 2), 2);
        assert_eq!(line_of("a\nb\nc", 99), 3);
        assert_eq!(line_of("", 0), 1);
    }
}
