use super::problems;
use crate::tree::Tree;

#[test]
fn a_features_table_is_refused_at_its_line() {
    let tree = Tree::of(&[(
        "crates/a/Cargo.toml",
        "[package]\n\n[features]\nextra = []\n",
    )]);
    let found = problems(&tree);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].path.as_str(), found[0].line),
        ("crates/a/Cargo.toml", 3)
    );
}

#[test]
fn features_of_a_dependency_are_fine() {
    let manifest = "[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n";
    let tree = Tree::of(&[("Cargo.toml", manifest), ("notes.toml", "[features]\n")]);
    assert!(problems(&tree).is_empty());
}
