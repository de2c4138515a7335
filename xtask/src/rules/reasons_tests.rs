use std::path::PathBuf;

use super::problems;
use crate::metadata::{Dependency, Kind, Package};
use crate::tree::Tree;

fn found(deny: &str, dependencies: &[&str]) -> Vec<String> {
    let outside = |name: &&str| Dependency {
        name: (*name).to_owned(),
        kind: Some(Kind::Dev),
        path: None,
    };
    let ours = Dependency {
        name: "angelia-core".to_owned(),
        kind: None,
        path: Some(PathBuf::from("/repo/crates/core")),
    };
    let package = Package {
        name: "angelia-store".to_owned(),
        manifest: "c/Cargo.toml".to_owned(),
        dependencies: dependencies.iter().map(outside).chain([ours]).collect(),
    };
    let tree = Tree::of(&[
        ("deny.toml", deny),
        ("c/Cargo.toml", "[dev-dependencies]\nserde = \"1\"\n"),
    ]);
    problems(&[package], &tree)
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_dependency_with_its_reason_is_fine_and_our_own_crates_need_none() {
    assert!(found("[bans]\n#: serde: turns values into text\n", &["serde"]).is_empty());
}

#[test]
fn a_dependency_without_a_reason_is_refused_at_its_line() {
    for deny in [
        "",
        "#: serde:\n",
        "# serde: an ordinary comment\n",
        "#: serde_json: other\n",
    ] {
        let found = found(deny, &["serde"]);
        assert!(
            found[0].starts_with("c/Cargo.toml:2: serde has no reason in deny.toml;"),
            "{found:?}"
        );
    }
}

#[test]
fn a_reason_whose_dependency_is_gone_is_refused() {
    let found = found("#: serde: text\n#: left-pad: pads\n", &["serde"]);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("deny.toml:2: no crate depends on left-pad;"),
        "{found:?}"
    );
}
