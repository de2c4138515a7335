//! No test file is forgotten: one that nobody declares is never compiled, and passes for ever.
//!
//! Two places can lose one. Integration tests are one binary per crate, so each `tests/it/x.rs` needs
//! its `mod x;` in `tests/it/main.rs`. Unit tests sit in a sibling, so each `x_tests.rs` needs its
//! `#[path = "x_tests.rs"]` in some source file. Ordinary modules are not looked at: code that
//! nobody compiles cannot be called either.

use std::collections::BTreeSet;

use crate::problem::Problem;
use crate::tree::{SourceFile, Tree};

/// Finds test files that no build reaches.
pub(crate) fn problems(tree: &Tree) -> Vec<Problem> {
    let mut found = lost_integration_tests(tree);
    found.extend(lost_unit_tests(tree));
    found
}

fn lost_integration_tests(tree: &Tree) -> Vec<Problem> {
    let tests = tree.files.iter().filter(|file| {
        file.folder().ends_with("tests/it") && file.ends_in(&["rs"]) && file.name() != "main.rs"
    });
    let lost = tests.filter_map(|file| {
        let main = format!("{}/main.rs", file.folder());
        let module = file.name().trim_end_matches(".rs");
        let declared = tree.file(&main).is_some_and(|main| declares(main, module));
        let remedy = || format!("add `mod {module};` to {main}");
        (!declared).then(|| never_compiled(file, remedy()))
    });
    lost.collect()
}

fn declares(main: &SourceFile, module: &str) -> bool {
    let declaration = format!("mod {module};");
    main.lines()
        .any(|(_, line)| line.trim_start() == declaration)
}

fn lost_unit_tests(tree: &Tree) -> Vec<Problem> {
    let reached: BTreeSet<_> = tree.files.iter().flat_map(pointed_at).collect();
    let tests = tree
        .files
        .iter()
        .filter(|file| file.is_crate_source() && file.holds_unit_tests());
    let lost = tests.filter(|file| !reached.contains(&file.path));
    let remedy = |file: &SourceFile| {
        let name = file.name();
        format!("add `#[cfg(test)] #[path = \"{name}\"] mod tests;` to the file it tests")
    };
    lost.map(|file| never_compiled(file, remedy(file)))
        .collect()
}

fn never_compiled(file: &SourceFile, remedy: String) -> Problem {
    Problem::new(&file.path, 1, "these tests are never compiled", remedy)
}

/// The files that a file's `#[path = "…"]` attributes name.
fn pointed_at(file: &SourceFile) -> impl Iterator<Item = String> {
    let targets = file.lines().filter_map(|(_, line)| path_attribute(line));
    targets.map(|target| join(file.folder(), target))
}

fn path_attribute(line: &str) -> Option<&str> {
    // The attribute may follow `#[cfg(test)]` on one line, but not a comment mark.
    let (before, rest) = line.split_once("#[path = \"")?;
    let commented = before.contains("//");
    rest.split_once('"')
        .map(|(target, _)| target)
        .filter(|_| !commented)
}

/// Joins as the compiler does for a module that is not inside another one's braces.
fn join(folder: &str, target: &str) -> String {
    let mut names: Vec<_> = folder.split('/').collect();
    for name in target.split('/') {
        match name {
            ".." => drop(names.pop()),
            "." => {}
            name => names.push(name),
        }
    }
    names.join("/")
}

#[cfg(test)]
#[path = "forgotten_tests.rs"]
mod tests;
