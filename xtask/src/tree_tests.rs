use std::fs;

use super::Tree;

fn paths(tree: &Tree) -> Vec<&str> {
    tree.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn the_tree_holds_our_texts_and_neither_build_output_nor_hidden_folders() {
    let root = tempfile::tempdir().unwrap();
    for folder in ["crates/a/src", "target/debug", "out/debug", ".git"] {
        fs::create_dir_all(root.path().join(folder)).unwrap();
    }
    for file in [
        "crates/a/src/lib.rs",
        "target/x.rs",
        "out/debug/x.rs",
        ".git/x.rs",
        "notes.txt",
    ] {
        fs::write(root.path().join(file), "//! A.\n").unwrap();
    }
    fs::write(root.path().join("out/CACHEDIR.TAG"), "").unwrap();
    let tree = Tree::read(root.path()).unwrap();
    assert_eq!(paths(&tree), ["crates/a/src/lib.rs"]);
}

#[test]
fn a_file_knows_its_name_folder_and_kind() {
    let tree = Tree::of(&[("crates/a/src/x_tests.rs", "one\ntwo\n"), ("deny.toml", "")]);
    let tests = tree.file("crates/a/src/x_tests.rs").unwrap();
    assert_eq!(
        (tests.name(), tests.folder()),
        ("x_tests.rs", "crates/a/src")
    );
    assert!(tests.holds_unit_tests() && tests.is_crate_source());
    assert_eq!(tests.lines().last(), Some((2, "two")));
    let deny = tree.file("deny.toml").unwrap();
    assert_eq!((deny.name(), deny.folder()), ("deny.toml", ""));
    assert!(!deny.is_crate_source());
}
