use std::time::Duration;

use proptest::prelude::*;

use super::{Masker, Surface, shown};

const KEY: &str = "ghp_AbCdEfGhIjKlMnOpQrStUvWx";

fn log(text: &str) -> String {
    shown(text, Surface::Log).into_owned()
}

fn output(text: &str) -> String {
    shown(text, Surface::Output).into_owned()
}

fn egress(text: &str) -> String {
    shown(text, Surface::Egress).into_owned()
}

#[test]
fn a_key_is_hidden_as_a_whole_token_only() {
    assert_eq!(output(&format!("a {KEY}, b")), "a ghp_Ab...UvWx, b");
    let part = format!("x{KEY}");
    assert_eq!(output(&part), part);
    assert_eq!(output("ghp_tooShort"), "ghp_tooShort");
    assert_eq!(
        output("fc-some-hyphenated-words"),
        "fc-some-hyphenated-words"
    );
}

#[test]
fn both_parts_of_a_dotted_key_are_hidden() {
    let text = "SG.AbCdEfGhIjKlMnOp.QrStUvWxYz0123456789.";
    assert_eq!(output(text), "SG.AbC...6789.");
}

#[test]
fn a_value_in_quotes_is_hidden_with_its_blanks() {
    assert_eq!(log("DB_PASSWORD='two words' x"), "DB_PASSWORD='***' x");
    assert_eq!(log(r#"MY_TOKEN="a\"b" x"#), r#"MY_TOKEN="***" x"#);
}

#[test]
fn an_empty_value_hides_nothing_of_the_next_line() {
    assert_eq!(log("MY_TOKEN=\nPATH=/bin"), "MY_TOKEN=\nPATH=/bin");
    assert_eq!(log("if TOKEN == other"), "if TOKEN == other");
}

#[test]
fn a_url_on_one_line_uncovers_nothing_on_another() {
    let text = "see https://example.org\npassword=hunter2\n";
    assert_eq!(log(text), "see https://example.org\npassword=***\n");
}

#[test]
fn a_credential_of_many_parts_goes_as_a_whole() {
    let text = "Authorization: Digest username=\"u\", response=\"0123456789abcdef\"";
    assert!(
        !output(text).contains("0123456789abcdef"),
        "{}",
        output(text)
    );
    let text = r#"{"Authorization": "Bearer AbCdEfGhIjKlMnOpQrStUvWx"}"#;
    assert_eq!(output(text), r#"{"Authorization": "Bearer AbCdEf...UvWx"}"#);
}

#[test]
fn a_private_key_that_was_cut_is_hidden_too() {
    let begun = "before\n-----BEGIN PRIVATE KEY-----\nMIIE\nabc";
    assert_eq!(output(begun), "before\n[REDACTED PRIVATE KEY]");
    let ended = "hello there!\nMIIE\nabc=\n-----END PRIVATE KEY-----\nafter";
    assert_eq!(output(ended), "hello there!\n[REDACTED PRIVATE KEY]\nafter");
    let public = "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----";
    assert_eq!(output(public), public);
}

#[test]
fn a_password_with_signs_in_it_is_hidden_to_its_end() {
    assert_eq!(output("redis://:p@ss@host/0"), "redis://:***@host/0");
    assert_eq!(
        output("postgres://u:a/b@host/db"),
        "postgres://u:***@host/db"
    );
    assert_eq!(output("postgres://host:5432/db"), "postgres://host:5432/db");
}

#[test]
fn nothing_inside_a_url_leaves_the_house() {
    let text = "https://u:p@h/x?a=1&token=t0ken&next=https://v:q@h/#access_token=z";
    let hidden = "https://u:***@h/x?a=1&token=***&next=https://v:***@h/#access_token=***";
    assert_eq!(egress(text), hidden);
    assert_eq!(output(text), text);
}

#[test]
fn the_body_of_a_form_keeps_what_is_no_secret() {
    assert_eq!(
        output("user=bob&password=x&n=1"),
        "user=bob&password=***&n=1"
    );
    assert_eq!(log("PASSWORD=x&n=1"), "PASSWORD=***&n=1");
    assert_eq!(output("a && password=x"), "a && password=x");
}

#[test]
fn a_sum_is_no_telephone_number() {
    assert_eq!(output("1+15551234567"), "1+15551234567");
    assert_eq!(output("+00000000"), "+00000000");
    assert_eq!(output("tel:+15551234567"), "tel:+155****4567");
}

#[test]
fn values_of_this_install_are_hidden_whatever_they_look_like() {
    let known = ["plain words here", "here and more", "short", ""];
    let masker = Masker::new(known.map(str::to_owned));
    let text = "say plain words here and more, short";
    assert_eq!(
        masker.shown(text, Surface::Output),
        "say *** and more, short"
    );
    assert_eq!(format!("{masker:?}"), "Masker(2 known)");
}

#[test]
fn the_longer_of_two_known_values_is_hidden_first() {
    let masker = Masker::new(["abcdefgh".to_owned(), "abcdefghijkl".to_owned()]);
    assert_eq!(masker.shown("abcdefghijkl", Surface::Log), "***");
}

/// Texts that would take a careless scanner the square of their length.
#[test]
fn no_text_takes_long() {
    let parts = [
        "a=",
        "a.token=",
        "TOKEN='",
        "http://",
        "-----",
        "-----BEGIN ",
        "eyJ",
        "12345678:",
        "\"token\":",
        "authorization:",
        "x-api-key:",
        "sk-",
        "sk_a-",
        "SG.",
        "+1",
        "a&b=",
        "  ",
        "password: ",
        "://:@",
        "TOKEN=os.getenv",
        "postgres://u:",
        "-----END PRIVATE KEY-----",
        "ghp_",
    ];
    for part in parts {
        let text = part.repeat(64 * 1024 / part.len());
        let began = clock();
        for surface in [
            Surface::Log,
            Surface::Output,
            Surface::File,
            Surface::Egress,
            Surface::Question,
        ] {
            let _shown = shown(&text, surface);
        }
        assert!(clock() - began < Duration::from_secs(20), "{part}");
    }
}

#[test]
fn a_question_shows_what_would_run_and_hides_what_would_not() {
    for (text, seen) in [
        ("TOKEN=\"$(rm -rf ~)\" ls", "TOKEN=\"$(rm -rf ~)\" ls"),
        ("TOKEN=`id` ls", "TOKEN=`id` ls"),
        ("TOKEN=x;rm y", "TOKEN=x;rm y"),
        ("export token=a|sh", "export token=a|sh"),
        (
            "curl -H 'Authorization: Bearer $(id)'",
            "curl -H 'Authorization: Bearer $(id)'",
        ),
        ("TOKEN='a;b' ls", "TOKEN='***' ls"),
        (
            "TOKEN=\"$(curl -H 'Authorization: Bearer abcdef')\"",
            "TOKEN=\"$(curl -H 'Authorization: Bearer ***')\"",
        ),
        (
            "curl https://u:pw@x/?token=abc",
            "curl https://u:***@x/?token=***",
        ),
    ] {
        assert_eq!(shown(text, Surface::Question), seen);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test of how long something takes"
)]
fn clock() -> std::time::Instant {
    std::time::Instant::now()
}

fn surface() -> impl Strategy<Value = Surface> {
    prop_oneof![
        Just(Surface::Log),
        Just(Surface::Output),
        Just(Surface::File),
        Just(Surface::Egress),
        Just(Surface::Question),
    ]
}

proptest! {
    #[test]
    fn any_text_can_be_shown(text in "\\PC{0,200}", surface in surface()) {
        let _shown = shown(&text, surface);
    }

    #[test]
    fn texts_near_the_rules_can_be_shown(
        text in "([\"':=&@/ \n+é-]|TOKEN|sk-|token|eyJ|://|https|12345678|Authorization|-----BEGIN|PRIVATE KEY-----|a{1,20}){0,30}",
        surface in surface(),
    ) {
        let _shown = shown(&text, surface);
    }

    #[test]
    fn a_key_is_nowhere_shown(before in "[ a-z\"'=:,(\n]{0,20}[ \"'=:,(\n]", after in "[ \"',)\n][ a-z]{0,20}", surface in surface()) {
        let text = format!("{before}{KEY}{after}");
        prop_assert!(!shown(&text, surface).contains(KEY));
    }

    #[test]
    fn prose_is_shown_as_it_is(text in "[ a-z.,;()\n]{0,100}", surface in surface()) {
        prop_assert_eq!(&*shown(&text, surface), text.as_str());
    }
}
