use super::*;

fn names(variables: &[&str]) -> Vec<String> {
    let variables = variables
        .iter()
        .map(|name| (OsString::from(name), OsString::from("value")));
    let shown = Environment::of(variables, &Passed::default());
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
    let environment = Environment::of([("TERM".into(), "xterm".into())], &Passed::default())
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
        Environment::of([(name, "value".into())], &Passed::default()),
        Environment::default()
    );
}

#[test]
fn the_names_that_are_hidden_are_in_order() {
    assert!(denied::DENIED.is_sorted());
}

#[test]
fn what_is_known_as_a_secret_is_hidden_even_if_the_caller_adds_it() {
    let names = [
        "OPENAI_API_KEY",
        "openai_api_key",
        "Telegram_Bot_Token",
        "AUXILIARY_VISION_API_KEY",
        "gateway_relay_new_token",
        "ANGELIA_HOME",
        "ANGELIA_AGENT_API_KEY",
        "VIRTUAL_ENV",
        "CONDA_PREFIX",
        "",
        "A=B",
        "A B",
    ];
    for name in names.into_iter().chain(denied()) {
        let added = Environment::default().with(name, "value");
        assert_eq!(added, Environment::default(), "{name}");
        assert!(Passed::new([name]).is_err() || name.is_empty(), "{name}");
    }
    assert_ne!(
        Environment::default().with("ANGELIA_SESSION_KEY", "value"),
        Environment::default()
    );
}

#[test]
fn what_the_operator_names_passes_and_nothing_beside_it() {
    let passed = Passed::new(["MY_TOKEN", " EDITOR ", ""]).unwrap();
    let variables = ["MY_TOKEN", "EDITOR", "MY_TOKEN_2", "VISUAL"];
    let variables = variables.map(|name| (OsString::from(name), OsString::from("value")));
    let shown = Environment::of(variables, &passed);
    let names: Vec<_> = shown.variables().map(|(name, _)| name).collect();
    assert_eq!(names, ["EDITOR", "MY_TOKEN"]);
    let refused = Passed::new(["EDITOR", "GITHUB_TOKEN"]).unwrap_err();
    assert_eq!(refused.name, "GITHUB_TOKEN");
    assert!(refused.to_string().contains("can never be passed"));
}
