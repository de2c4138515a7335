use std::path::PathBuf;

use super::{ALLOWED, problems};
use crate::metadata::{Dependency, Kind, Package};
use crate::tree::Tree;

fn ours(name: &str, kind: Option<Kind>) -> Dependency {
    Dependency {
        name: name.to_owned(),
        kind,
        path: Some(PathBuf::from("/repo")),
    }
}

fn theirs(name: &str, kind: Option<Kind>) -> Dependency {
    Dependency {
        name: name.to_owned(),
        kind,
        path: None,
    }
}

fn refused(name: &str, dependencies: Vec<Dependency>) -> Vec<String> {
    let package = Package {
        name: name.to_owned(),
        manifest: "c/Cargo.toml".to_owned(),
        dependencies,
    };
    let manifest = "[dependencies]\nserde.workspace = true\nangelia-store = { workspace = true }\n";
    let tree = Tree::of(&[("c/Cargo.toml", manifest)]);
    problems(&[package], &tree)
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn an_edge_downward_is_allowed() {
    assert!(refused("angelia-store", vec![ours("angelia-core", None)]).is_empty());
    assert!(refused("angelia-agents", vec![ours("angelia-process", None)]).is_empty());
    assert!(refused("angelia", vec![ours("angelia-api", None)]).is_empty());
}

#[test]
fn an_edge_sideways_is_refused_at_its_line() {
    let found = refused("angelia-platforms", vec![ours("angelia-store", None)]);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("c/Cargo.toml:3: angelia-platforms may not depend on angelia-store;"),
        "{found:?}"
    );
}

#[test]
fn an_edge_upward_is_refused_even_for_tests_and_builds() {
    for kind in [None, Some(Kind::Dev), Some(Kind::Build)] {
        assert_eq!(
            refused("angelia-core", vec![ours("angelia-store", kind)]).len(),
            1
        );
    }
}

#[test]
fn the_testkit_is_for_tests_only_except_here() {
    assert!(
        refused(
            "angelia-core",
            vec![ours("angelia-testkit", Some(Kind::Dev))]
        )
        .is_empty()
    );
    assert!(refused("xtask", vec![ours("angelia-testkit", None)]).is_empty());
    let found = refused("angelia", vec![ours("angelia-testkit", None)]);
    assert!(
        found[0].contains("angelia ships angelia-testkit; move the line"),
        "{found:?}"
    );
}

#[test]
fn the_testkit_may_not_depend_on_the_binary() {
    assert_eq!(
        refused("angelia-testkit", vec![ours("angelia", None)]).len(),
        1
    );
}

#[test]
fn a_crate_the_table_does_not_know_is_refused() {
    let found = refused("angelia-common", vec![]);
    assert!(
        found[0].contains("angelia-common is not in the table"),
        "{found:?}"
    );
}

#[test]
fn the_core_takes_nothing_from_outside_that_could_do_io() {
    assert!(refused("angelia-core", vec![theirs("jiff", None)]).is_empty());
    assert!(refused("angelia-core", vec![theirs("tokio", Some(Kind::Dev))]).is_empty());
    assert!(refused("angelia-store", vec![theirs("tokio", None)]).is_empty());
    assert_eq!(
        refused("angelia-core", vec![theirs("tokio", None)]).len(),
        1
    );
}

#[test]
fn the_table_has_no_circle() {
    // Each crate names only crates listed before it, so following arrows always ends.
    for (index, edges) in ALLOWED.iter().enumerate() {
        for to in edges.to {
            assert!(
                ALLOWED[..index].iter().any(|below| below.from == *to),
                "{} → {to}",
                edges.from
            );
        }
    }
}
