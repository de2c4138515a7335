use super::*;

fn fits(pattern: &str, path: &str) -> bool {
    Glob::new(pattern).unwrap().fits(Path::new(path))
}

#[test]
fn a_name_is_looked_for_in_every_directory_and_a_path_where_it_is() {
    for (pattern, path, is) in [
        ("*.rs", "main.rs", true),
        ("*.rs", "a/b/main.rs", true),
        ("*.rs", "main.rsx", false),
        ("main.??", "a/main.rs", true),
        ("main.??", "main.r", false),
        ("src/*.rs", "src/a.rs", true),
        ("src/*.rs", "src/a/b.rs", false),
        ("src/*.rs", "x/src/a.rs", false),
        ("src/**/*.rs", "src/a.rs", true),
        ("src/**/*.rs", "src/a/b/c.rs", true),
        ("**/test/*", "a/test/b", true),
        ("./src/**", "src/a/b", true),
        ("./*.rs", "main.rs", true),
        (" *.rs ", "main.rs", true),
        ("src/", "src/a/b", true),
        ("src/", "x/src/a", false),
        ("a[1].md", "a[1].md", true),
        ("*.{md,txt}", "a/b.txt", true),
        ("*.{md,txt}", "a/b.rs", false),
        ("{a,b}/{c,d}.x", "b/c.x", true),
        ("a*b*c", "axxbyybc", true),
        ("a*b*c", "axxbyyb", false),
        ("*", "any", true),
        ("é?", "éx", true),
    ] {
        assert_eq!(fits(pattern, path), is, "{pattern} {path}");
    }
}

#[test]
fn a_pattern_that_grows_without_end_is_refused_and_a_hard_one_is_quick() {
    assert!(Glob::new(&"{a,b}".repeat(20)).is_err());
    assert!(Glob::new(&"x".repeat(5_000)).is_err());
    let hard = format!("{}b", "*a".repeat(200));
    assert!(!fits(&hard, &"a".repeat(5_000)));
}
