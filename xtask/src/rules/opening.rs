//! Every module opens with `//!`: what it is for, how it flows, what it does not do.
//!
//! Only the presence on the very first line is checked here; whether the words are any good is for
//! the reviewer. Files of unit tests are exempt: their names are sentences already.

use crate::problem::Problem;
use crate::tree::{SourceFile, Tree};

/// Finds source files that begin with anything but a module doc.
pub(crate) fn problems(tree: &Tree) -> Vec<Problem> {
    let sources = tree.files.iter().filter(|file| file.is_crate_source());
    let silent = sources.filter(|file| !file.holds_unit_tests() && !opens_with_words(file));
    let problem = |file: &SourceFile| {
        let remedy = "say in the first line what the module is for, then how it flows";
        Problem::new(&file.path, 1, "the file opens without a `//!` line", remedy)
    };
    silent.map(problem).collect()
}

fn opens_with_words(file: &SourceFile) -> bool {
    let first = file.text.lines().next().unwrap_or_default();
    first
        .strip_prefix("//!")
        .is_some_and(|words| !words.trim().is_empty())
}

#[cfg(test)]
#[path = "opening_tests.rs"]
mod tests;
