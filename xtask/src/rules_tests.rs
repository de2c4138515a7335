use super::{line_of_dependency, problems};
use crate::tree::Tree;

#[test]
fn a_dependency_is_found_at_its_own_line_and_not_at_a_longer_name() {
    let manifest = "[dependencies]\nserde_json = \"1\"\nserde.workspace = true\n";
    let tree = Tree::of(&[("a/Cargo.toml", manifest)]);
    assert_eq!(line_of_dependency(&tree, "a/Cargo.toml", "serde"), 3);
    assert_eq!(line_of_dependency(&tree, "a/Cargo.toml", "tokio"), 1);
    assert_eq!(line_of_dependency(&tree, "b/Cargo.toml", "serde"), 1);
}

#[test]
fn every_rule_is_applied_and_all_problems_are_told_at_once() {
    let long = "x\n".repeat(501);
    let tree = Tree::of(&[
        ("crates/a/Cargo.toml", "[features]\n"),
        ("crates/a/src/long.rs", &long),
        ("crates/a/src/lost_tests.rs", concat!("// TO", "DO\n")),
        ("deny.toml", "#: serde: gone\n"),
    ]);
    let found: Vec<_> = problems(&[], &tree)
        .iter()
        .map(ToString::to_string)
        .collect();
    for part in [
        "no features",
        "501 lines",
        "opens without",
        "never compiled",
        "unfinished",
        "serde",
    ] {
        assert!(
            found.iter().any(|problem| problem.contains(part)),
            "{part} in {found:#?}"
        );
    }
}
