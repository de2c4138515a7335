//! The rules of the house that neither the compiler nor clippy knows.
//!
//! Each rule is one file with one function: texts in, problems out, no disk and no clock. All rules
//! always run, so one call of `check` tells everything. A rule that cannot fail is a defect: beside
//! each one stands a test with a made-up tree on which it bites.

mod features;
mod forgotten;
mod leftovers;
mod opening;
mod reasons;
mod size;

use crate::edges;
use crate::exceptions;
use crate::metadata::Package;
use crate::problem::Problem;
use crate::tree::Tree;

/// Applies every rule.
pub(crate) fn problems(packages: &[Package], tree: &Tree) -> Vec<Problem> {
    let found = [
        edges::problems(packages, tree),
        reasons::problems(packages, tree),
        features::problems(tree),
        size::problems(tree, exceptions::LONG_FILES),
        opening::problems(tree),
        forgotten::problems(tree),
        leftovers::problems(tree),
    ];
    found.into_iter().flatten().collect()
}

/// The line of a manifest that names a dependency; the first line when it cannot be found.
pub(crate) fn line_of_dependency(tree: &Tree, manifest: &str, dependency: &str) -> usize {
    let named = |line: &str| {
        let rest = line.trim_start().strip_prefix(dependency)?;
        rest.trim_start().starts_with(['.', '=']).then_some(())
    };
    let mut lines = tree
        .file(manifest)
        .into_iter()
        .flat_map(|file| file.lines());
    lines
        .find_map(|(number, line)| named(line).map(|()| number))
        .unwrap_or(1)
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
