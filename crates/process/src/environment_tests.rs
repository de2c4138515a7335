use super::*;

fn names(variables: &[&str]) -> Vec<String> {
    let variables = variables
        .iter()
        .map(|name| (OsString::from(name), OsString::from("value")));
    let shown = Environment::of(variables);
    shown
        .variables()
        .map(|(name, _)| name.to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_list_is_shown_and_nothing_else() {
    let ours = [
        "PATH",
        "HOME",
        "LC_TIME",
        "LANG",
        "EDITOR",
        "LD_PRELOAD",
        "https_proxy",
        "path",
    ];
    assert_eq!(names(&ours), ["HOME", "LANG", "LC_TIME", "PATH"]);
}

#[test]
fn what_looks_like_a_secret_is_refused_even_if_its_name_is_listed() {
    let secrets = [
        "LC_API_KEY",
        "LC_token",
        "LC_PASSWORD",
        "LC_MY_SECRET",
        "LC_AUTH",
    ];
    assert!(names(&secrets).is_empty());
    let usual = [
        "OPENAI_API_KEY",
        "GITHUB_TOKEN",
        "ANGELIA_HOME",
        "AWS_SECRET_ACCESS_KEY",
    ];
    assert!(names(&usual).is_empty());
}

#[test]
fn what_the_caller_adds_is_shown_and_wins() {
    let environment = Environment::of([("TERM".into(), "xterm".into())])
        .with("TERM", "dumb")
        .with("BUILD_TOKEN", "t");
    let shown: Vec<_> = environment.variables().collect();
    let expected = [("BUILD_TOKEN", "t"), ("TERM", "dumb")];
    assert_eq!(
        shown,
        expected.map(|(name, value)| (OsStr::new(name), OsStr::new(value)))
    );
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_text_is_not_shown() {
    use std::os::unix::ffi::OsStringExt;
    let name = OsString::from_vec(b"LC_\xff".to_vec());
    assert_eq!(
        Environment::of([(name, "value".into())]),
        Environment::default()
    );
}
