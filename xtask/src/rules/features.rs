//! No cargo features: there is one build to test and one binary to support.
//!
//! Features of the crates we depend on are not our business here; only tables of our own are.

use crate::problem::Problem;
use crate::tree::Tree;

/// Finds every `[features]` table in our manifests.
pub(crate) fn problems(tree: &Tree) -> Vec<Problem> {
    let manifests = tree.files.iter().filter(|file| file.name() == "Cargo.toml");
    let tables = manifests.flat_map(|file| {
        let lines = file
            .lines()
            .filter(|(_, line)| line.trim_start().starts_with("[features]"));
        lines.map(|(number, _)| (file.path.as_str(), number))
    });
    let problem = |(path, line)| {
        let remedy = "compile it always and let configuration turn it on (ARCHITECTURE.md, §3)";
        Problem::new(path, line, "this house has no features of its own", remedy)
    };
    tables.map(problem).collect()
}

#[cfg(test)]
#[path = "features_tests.rs"]
mod tests;
