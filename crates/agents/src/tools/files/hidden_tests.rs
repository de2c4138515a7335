use super::*;

use std::path::Path;

use proptest::prelude::*;

const KEY: &str = "sk-abcdef1234567890";

fn masker() -> Masker {
    Masker::new(["the-house-token".to_owned()])
}

fn path() -> Inner {
    Inner::read("conf", Path::new("/nowhere")).unwrap()
}

fn shown(text: &str) -> String {
    masker().shown(text, Surface::File).into_owned()
}

fn kept_from(before: &str, after: &str) -> Result<(), String> {
    kept(&path(), (before, after), &masker())
}

/// A file, and what somebody makes of it who has seen it without secrets.
fn is_refused(file: &str, change: impl Fn(&str) -> String) -> bool {
    let seen = shown(file);
    assert_ne!(seen, file, "nothing is hidden");
    kept_from(file, &change(&seen)).is_err()
}

#[test]
fn another_value_on_the_line_of_a_secret_changes_nothing_about_it() {
    let file = format!("{{\"token\":\"{KEY}\",\"port\":1}}\n");
    assert!(is_refused(&file, str::to_owned));
    let port = |seen: &str| seen.replace("\"port\":1", "\"port\":2");
    assert!(is_refused(&file, port));
    let why = kept_from(&file, &port(&shown(&file))).unwrap_err();
    for part in ["`conf`", "edit_file", "«redacted:"] {
        assert!(why.contains(part), "{why}");
    }
    assert_eq!(kept_from(&file, &port(&file)), Ok(()));
    assert_eq!(kept_from(&file, "{\"port\":2}\n"), Ok(()), "taken out");
    assert_eq!(
        kept_from(&file, "{\"token\":\"a new one\",\"port\":2}\n"),
        Ok(())
    );
}

#[test]
fn blanks_indents_and_layout_change_nothing_about_it() {
    let secrets = [
        format!("a: {KEY}\nport: 1\n"),
        "a: the-house-token\nport: 1\n".to_owned(),
        "Authorization: Bearer abcdefghijklmnopqrstuvwxyz\nport: 1\n".to_owned(),
        "db: postgres://one:password@host/db\nport: 1\n".to_owned(),
        "call: +4912345678901\nport: 1\n".to_owned(),
        "bot: 12345678:abcdefghijklmnopqrstuvwxyzABCDEF\nport: 1\n".to_owned(),
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\nport: 1\n".to_owned(),
    ];
    for file in &secrets {
        assert!(is_refused(file, |seen| seen.replace('\n', " \n")), "{file}");
        assert!(is_refused(file, |seen| format!("  {seen}")), "{file}");
        assert!(
            is_refused(file, |seen| seen.replace('\n', "\r\n")),
            "{file}"
        );
        assert!(is_refused(file, |seen| seen.replace(": ", " = ")), "{file}");
        assert!(
            is_refused(file, |seen| seen.trim_end().to_owned()),
            "{file}"
        );
        assert_eq!(kept_from(file, &file.replace("port: 1", "port: 2")), Ok(()));
    }
}

#[test]
fn each_of_two_secrets_on_a_line_is_kept() {
    let other = "ghp_abcdefghijklmnop";
    let file = format!("{{\"a\":\"{KEY}\",\"port\":1,\"b\":\"{other}\",\"c\":\"{KEY}\"}}\n");
    let seen = shown(&file);
    let change = |text: &str| text.replace(":1", ":2");
    assert!(is_refused(&file, change));
    // Whoever knows one of them does not write over the others.
    let half = seen.replacen("«redacted:sk-…»", KEY, 1);
    assert!(kept_from(&file, &change(&half)).is_err());
    let most = half.replacen("«redacted:sk-…»", KEY, 1);
    assert!(kept_from(&file, &change(&most)).is_err());
    assert_eq!(kept_from(&file, &change(&file)), Ok(()));
}

#[test]
fn what_stood_in_the_file_as_words_may_stand_there_again() {
    let words = "A key is shown as «redacted:sk-…», a password as ***.";
    let plain = format!("{words}\nport: 1\n");
    assert_eq!(kept_from(&plain, &format!("{words} {words}\n")), Ok(()));
    let file = format!("{words}\na: {KEY}\nb: the-house-token\nport: 1\n");
    assert_eq!(
        kept_from(&file, &file.replace("port: 1", "port: 2")),
        Ok(())
    );
    assert_eq!(kept_from(&file, words), Ok(()));
    assert!(is_refused(&file, |seen| seen.replace("port: 1", "port: 2")));
    let one = file.replace("b: the-house-token", "b: ***");
    assert!(kept_from(&file, &one).is_err(), "the other one is lost");
}

proptest! {
    #[test]
    fn whatever_else_is_changed_no_mark_takes_the_place_of_a_secret(
        before in "[ a-z{}\",:\n]{0,30}",
        after in "[ a-z{}\",:\n]{0,30}",
        secret in prop_oneof![Just(KEY), Just("the-house-token"), Just("+4912345678901")],
    ) {
        let line = |before: &str, secret: &str, after: &str| format!("{before} {secret} {after}\n");
        let file = line("{\"port\":1, \"a\":", secret, ", \"b\": 1}");
        let changed = line(&before, &shown(secret), &after);
        prop_assert!(kept_from(&file, &changed).is_err(), "{}", changed);
        let changed = line(&before, secret, &after);
        prop_assert_eq!(kept_from(&file, &changed), Ok(()));
    }
}
