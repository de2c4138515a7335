//! Every dependency from outside has a reason, written down in `deny.toml`.
//!
//! `cargo-deny` refuses keys it does not know, so our reasons are comments of one shape there:
//! `#: name: why we carry it`. This rule reads those, and compares them with what the crates of the
//! workspace name directly: a dependency without a reason is a problem, and so is a reason whose
//! dependency is gone. Licences, bans and sources are `cargo-deny`'s own work.

use std::collections::BTreeMap;

use crate::metadata::Package;
use crate::problem::Problem;
use crate::rules::line_of_dependency;
use crate::tree::Tree;

const LIST: &str = "deny.toml";

/// A dependency's name, and the line of its reason.
type Reasons<'a> = BTreeMap<&'a str, usize>;

/// Finds dependencies without a reason, and reasons without a dependency.
pub(crate) fn problems(packages: &[Package], tree: &Tree) -> Vec<Problem> {
    let reasons = reasons(tree);
    let mut found = unreasoned(packages, tree, &reasons);
    found.extend(idle(packages, &reasons));
    found
}

fn reasons(tree: &Tree) -> Reasons<'_> {
    let lines = tree.file(LIST).into_iter().flat_map(|file| file.lines());
    lines
        .filter_map(|(number, line)| Some((reasoned_name(line)?, number)))
        .collect()
}

/// The name in a line of the list, if the line also says why.
fn reasoned_name(line: &str) -> Option<&str> {
    let (name, why) = line.strip_prefix("#:")?.split_once(':')?;
    (!why.trim().is_empty()).then_some(name.trim())
}

fn unreasoned(packages: &[Package], tree: &Tree, reasons: &Reasons<'_>) -> Vec<Problem> {
    let missing = outside(packages).filter(|(_, name)| !reasons.contains_key(name));
    let problem = |(package, name): (&Package, &str)| {
        let line = line_of_dependency(tree, &package.manifest, name);
        let what = format!("{name} has no reason in {LIST}");
        let remedy = format!("do without it, or add `#: {name}: why we carry it` there");
        Problem::new(&package.manifest, line, what, remedy)
    };
    missing.map(problem).collect()
}

fn idle(packages: &[Package], reasons: &Reasons<'_>) -> Vec<Problem> {
    let used = |name: &str| outside(packages).any(|(_, it)| it == name);
    let unused = reasons.iter().filter(|(name, _)| !used(name));
    let problem = |(name, line): (&&str, &usize)| {
        let remedy = format!("remove the line, and {name} from the root Cargo.toml");
        Problem::new(LIST, *line, format!("no crate depends on {name}"), remedy)
    };
    unused.map(problem).collect()
}

/// Every direct dependency that is not a crate of ours, with the crate that names it.
fn outside(packages: &[Package]) -> impl Iterator<Item = (&Package, &str)> {
    packages.iter().flat_map(|package| {
        let outside = package.dependencies.iter().filter(|it| it.path.is_none());
        outside.map(move |it| (package, it.name.as_str()))
    })
}

#[cfg(test)]
#[path = "reasons_tests.rs"]
mod tests;
