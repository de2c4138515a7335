use super::*;

use std::fs;
use std::path::Path;

use crate::tools::files::forms::SEARCH;

fn workspace() -> (tempfile::TempDir, Workspace) {
    let world = tempfile::tempdir().unwrap();
    let workspace = Workspace::prepare(&world.path().join("w"), world.path(), &[]).unwrap();
    let put = |path: &str, text: &[u8]| {
        let path = workspace.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("a.rs", b"fn one() {}\nfn two() {}\n");
    put("src/b.rs", b"// Two\n");
    put("src/c.md", b"two words\n");
    put("bin", b"fn two\0");
    put("node_modules/x/y.rs", b"fn two\n");
    put(
        "key",
        b"-----BEGIN PRIVATE KEY-----\nfn two AAAA\n-----END PRIVATE KEY-----\n",
    );
    fs::write(world.path().join("outside.rs"), "fn two").unwrap();
    std::os::unix::fs::symlink("..", workspace.root().join("up")).unwrap();
    (world, workspace)
}

fn look(workspace: &Workspace, arguments: Value) -> Result<Value, String> {
    let given = SEARCH.read(arguments)?;
    let path = Inner::read(given.text("path").unwrap_or("."), Path::new("/nowhere"))?;
    let hunt = Hunt::read(path, &given)?;
    found(
        workspace,
        &hunt,
        &Masker::default(),
        &CancellationToken::new(),
    )
}

#[test]
fn files_are_found_by_name_and_lines_by_what_is_in_them() {
    let (_world, workspace) = workspace();
    for (arguments, output) in [
        (json!({ "name": "*.rs" }), "a.rs\nsrc/b.rs\n"),
        (json!({ "name": "src/*" }), "src/b.rs\nsrc/c.md\n"),
        (
            json!({ "content": r"fn \w+\(\)" }),
            "a.rs:1:fn one() {}\na.rs:2:fn two() {}\n",
        ),
        (
            json!({ "content": "TWO", "ignore_case": true, "path": "src" }),
            "src/b.rs:1:// Two\nsrc/c.md:1:two words\n",
        ),
        (
            json!({ "content": "two", "name": "*.md" }),
            "src/c.md:1:two words\n",
        ),
        (
            json!({ "content": "one", "path": "a.rs" }),
            "a.rs:1:fn one() {}\n",
        ),
        (json!({ "content": "AAAA", "path": "key" }), ""),
        (json!({ "content": "nowhere" }), ""),
    ] {
        let told = look(&workspace, arguments.clone()).unwrap();
        assert_eq!(told["output"], output, "{arguments}");
        assert!(told.get("note").is_none(), "{told}");
    }
}

#[test]
fn a_search_that_ends_early_says_so() {
    let (_world, workspace) = workspace();
    let told = look(&workspace, json!({ "name": "*.rs", "limit": 1 })).unwrap();
    assert_eq!(
        (&told["found"], &told["output"]),
        (&json!(1), &json!("a.rs\n"))
    );
    assert!(told["note"].as_str().unwrap().contains("may be more"));
    let stop = CancellationToken::new();
    stop.cancel();
    let given = SEARCH.read(json!({ "name": "*" })).unwrap();
    let hunt = Hunt::read(Inner::default(), &given).unwrap();
    let told = found(&workspace, &hunt, &Masker::default(), &stop).unwrap();
    assert!(
        told["note"]
            .as_str()
            .unwrap()
            .contains("more than one search")
    );
}

#[test]
fn a_pattern_with_brackets_that_nothing_fits_is_explained() {
    let (_world, workspace) = workspace();
    let told = look(&workspace, json!({ "name": "*.[rs]" })).unwrap();
    let note = told["note"].as_str().unwrap();
    assert!(note.contains("{c,h}"), "{note}");
    let told = look(&workspace, json!({ "name": "*.{rs,[x]}" })).unwrap();
    assert!(told.get("note").is_none(), "{told}");
}

#[test]
fn what_cannot_be_looked_for_is_said() {
    let (_world, workspace) = workspace();
    for (arguments, part) in [
        (json!({}), "say what to look for"),
        (json!({ "content": "(" }), "no regular expression"),
        (
            json!({ "content": r"(\w{100}){1000}" }),
            "no regular expression",
        ),
        (json!({ "name": "*", "path": "a.rs" }), "is a file"),
        (
            json!({ "content": "x", "path": "nowhere" }),
            "there is no `nowhere`",
        ),
        (json!({ "content": "x", "path": "bin" }), "binary"),
        (json!({ "name": "*", "path": "up" }), "leads out"),
    ] {
        let why = look(&workspace, arguments).unwrap_err();
        assert!(why.contains(part), "{why}");
    }
}
