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
        ("./~/x", "~/x"),
        ("~x", "~x"),
    ] {
        assert_eq!(read(written).as_deref(), Ok(is), "{written}");
    }
}

#[test]
fn a_file_has_a_name_without_a_slash_behind_it() {
    let file = |text| Inner::of_file(text, Path::new("/home/one/workspace"));
    assert_eq!(file("./a/b").unwrap().shown(), "a/b");
    for written in ["a/", "a/b/ ", ".", "", "/home/one/workspace", "../x"] {
        assert!(file(written).is_err(), "{written}");
    }
    let why = file("a/b/").unwrap_err();
    assert!(why.contains("`a/b/`") && why.contains("directory"), "{why}");
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
        "~",
        "~/x",
        "a\0b",
    ] {
        assert!(read(written).is_err(), "{written}");
    }
    assert!(read(&"x".repeat(2_000)).is_err());
    assert!(read(&"x/".repeat(100)).is_err());
}
