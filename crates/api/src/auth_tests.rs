//! Who gets in, and who does not.

use super::*;
use axum::http::HeaderValue;

fn locks() -> Locks {
    Locks::of(&Token::new("s3cret\n"))
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let pair = |(name, value): &(&'static str, &str)| {
        (
            HeaderName::from_static(name),
            HeaderValue::from_str(value).unwrap(),
        )
    };
    pairs.iter().map(pair).collect()
}

fn admitted(method: Method, pairs: &[(&'static str, &str)]) -> bool {
    locks().admit(&method, &headers(pairs)).is_ok()
}

fn cookie() -> String {
    let header = locks().sign_in_cookie();
    header.split(';').next().unwrap().to_owned()
}

#[test]
fn the_token_opens_and_nothing_like_it_does() {
    assert!(admitted(
        Method::POST,
        &[("authorization", "Bearer s3cret")]
    ));
    assert!(admitted(
        Method::GET,
        &[("authorization", "bearer  s3cret")]
    ));
    for wrong in [
        "Bearer s3cre",
        "Bearer s3crets",
        "Bearer ",
        "Basic s3cret",
        "s3cret",
        "",
    ] {
        assert!(
            !admitted(Method::GET, &[("authorization", wrong)]),
            "{wrong}"
        );
    }
    assert!(!admitted(Method::GET, &[]));
}

#[test]
fn an_empty_token_opens_nothing() {
    assert!(!Locks::of(&Token::new("")).opens(""));
}

#[test]
fn the_cookie_opens_also_among_others_and_is_not_the_token() {
    let cookie = cookie();
    assert!(!cookie.contains("s3cret"));
    assert!(admitted(Method::GET, &[("cookie", &cookie)]));
    assert!(admitted(
        Method::GET,
        &[("cookie", &format!("a=b; {cookie}; c"))]
    ));
    assert!(!admitted(
        Method::GET,
        &[("cookie", "angelia_console=s3cret")]
    ));
    assert!(!admitted(Method::GET, &[("cookie", "angelia_console=")]));
}

#[test]
fn a_wrong_token_is_not_saved_by_a_cookie() {
    let pairs = [("authorization", "Bearer no"), ("cookie", &cookie())];
    assert!(!admitted(Method::GET, &pairs));
}

#[test]
fn another_page_can_change_nothing_with_the_cookie() {
    let cookie = cookie();
    let post = |extra: &[(&'static str, &str)]| {
        let own = [("cookie", cookie.as_str()), ("host", "127.0.0.1:8787")];
        admitted(Method::POST, &[&own, extra].concat())
    };
    assert!(post(&[]));
    assert!(post(&[
        ("origin", "http://127.0.0.1:8787"),
        ("sec-fetch-site", "same-origin")
    ]));
    // A proxy may call us by another name than the browser knows.
    let proxied = [
        ("origin", "https://home.example"),
        ("sec-fetch-site", "same-origin"),
    ];
    assert!(post(&proxied));
    assert!(!post(&[("origin", "http://127.0.0.1:9999")]));
    assert!(!post(&[("origin", "null")]));
    assert!(!post(&[("sec-fetch-site", "same-site")]));
    assert!(!post(&[("sec-fetch-site", "cross-site")]));
}

#[test]
fn a_program_with_the_token_may_come_from_anywhere() {
    let pairs = [
        ("authorization", "Bearer s3cret"),
        ("origin", "http://elsewhere"),
    ];
    assert!(admitted(Method::POST, &pairs));
}

#[test]
fn the_token_never_prints() {
    assert_eq!(format!("{:?}", Token::new("s3cret")), "***");
}
