use super::problems;
use crate::tree::Tree;

fn found(files: &[(&str, &str)]) -> Vec<String> {
    problems(&Tree::of(files))
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn an_integration_test_without_its_mod_is_refused() {
    let lost = found(&[
        (
            "crates/a/tests/it/main.rs",
            "mod one;\n// mod two;\nmod two_more;\n",
        ),
        ("crates/a/tests/it/one.rs", ""),
        ("crates/a/tests/it/two.rs", ""),
        ("crates/a/tests/it/two_more.rs", ""),
    ]);
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].starts_with("crates/a/tests/it/two.rs:1: these tests are never compiled; "));
    assert!(lost[0].contains("add `mod two;` to crates/a/tests/it/main.rs"));
}

#[test]
fn an_integration_test_without_any_main_is_refused() {
    assert_eq!(found(&[("crates/a/tests/it/one.rs", "")]).len(), 1);
}

#[test]
fn unit_tests_that_no_file_points_at_are_refused() {
    let lost = found(&[
        ("crates/a/src/x.rs", "//! X.\n// #[path = \"x_tests.rs\"]\n"),
        ("crates/a/src/x_tests.rs", ""),
        ("crates/b/src/x.rs", "//! X.\n#[path = \"x_tests.rs\"]\n"),
    ]);
    assert_eq!(
        lost.len(),
        1,
        "a comment and another crate do not count: {lost:?}"
    );
    assert!(
        lost[0].starts_with("crates/a/src/x_tests.rs:1:"),
        "{lost:?}"
    );
}

#[test]
fn unit_tests_are_reached_from_beside_from_above_and_from_below() {
    let lost = found(&[
        (
            "crates/a/src/x.rs",
            "#[cfg(test)] #[path = \"x_tests.rs\"] mod tests;\n",
        ),
        ("crates/a/src/x_tests.rs", ""),
        ("crates/a/src/y.rs", "#[path = \"y/y_tests.rs\"]\n"),
        ("crates/a/src/y/y_tests.rs", ""),
        (
            "crates/a/src/z/mod.rs",
            "    #[path = \"./../z_tests.rs\"]\n",
        ),
        ("crates/a/src/z_tests.rs", ""),
    ]);
    assert!(lost.is_empty(), "{lost:?}");
}
