use super::*;

#[test]
fn an_address_is_one_of_the_web_and_is_never_repeated() {
    assert!(address("https://example.com/mcp?key=abc").is_ok());
    assert!(address(" http://127.0.0.1:9/mcp ").is_ok());
    for wrong in ["", "example.com", "ftp://a/b", "https://user:word@a/b"] {
        let why = address(wrong).unwrap_err();
        assert!(!why.contains("user:word"));
    }
}

#[test]
fn a_header_is_named_without_its_value() {
    assert!(header("Authorization", "Bearer x").is_ok());
    let why = header("X-Word", "a\nb").unwrap_err();
    assert!(why.contains("X-Word") && !why.contains("a\nb"));
    assert!(header("no name", "x").is_err());
}

#[test]
fn a_failure_is_told_by_its_first_cause() {
    let cause = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
    let outer = std::io::Error::other(cause);
    assert_eq!(inmost(&outer), "connection refused");
}
