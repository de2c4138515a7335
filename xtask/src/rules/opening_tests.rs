use super::problems;
use crate::tree::Tree;

#[test]
fn a_module_that_does_not_say_what_it_is_for_is_refused() {
    for text in [
        "use std::fmt;\n",
        "",
        "//!\n",
        "// A comment.\n",
        "use a;\n//! Too late.\n",
    ] {
        let found = problems(&Tree::of(&[("crates/a/src/b/c.rs", text)]));
        assert_eq!(found.len(), 1, "{text:?}");
        assert_eq!(
            (found[0].path.as_str(), found[0].line),
            ("crates/a/src/b/c.rs", 1)
        );
    }
}

#[test]
fn a_module_with_words_and_files_of_tests_are_fine() {
    let tree = Tree::of(&[
        ("crates/a/src/lib.rs", "//! Decides things.\n"),
        ("crates/a/src/lib_tests.rs", "use super::x;\n"),
        ("crates/a/tests/it/main.rs", "mod one;\n"),
    ]);
    assert!(problems(&tree).is_empty());
}
