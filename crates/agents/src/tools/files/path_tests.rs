use super::*;

fn read(text: &str) -> Result<String, String> {
    Inner::read(text, Path::new("/home/one/workspace")).map(|inner| inner.shown())
}

#[test]
fn a_path_is_names_within_the_workspace() {
    for (written, is) in [
        ("a", "a"),
        (" a/b.txt ", "a/b.txt"),
        ("./a//b/", "a/b"),
        ("a/../b", "b"),
        (".", "."),
        ("", "."),
        ("a/..", "."),
        ("/home/one/workspace", "."),
        ("/home/one/workspace/a/./b", "a/b"),
        ("...", "..."),
        ("~/x", "~/x"),
    ] {
        assert_eq!(read(written).as_deref(), Ok(is), "{written}");
    }
}

#[test]
fn what_climbs_out_is_refused() {
    for written in [
        "..",
        "../x",
        "a/../../x",
        "/etc/passwd",
        "/home/one/workspace/../x",
        "/home/one/workspace-of-another/x",
        "/",
        "a\0b",
    ] {
        assert!(read(written).is_err(), "{written}");
    }
    assert!(read(&"x".repeat(2_000)).is_err());
    assert!(read(&"x/".repeat(100)).is_err());
}
