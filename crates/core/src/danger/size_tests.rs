use super::*;

#[test]
fn one_piece_may_be_as_long_as_a_page() {
    assert!(!is_too_large(&"x".repeat(4_096)));
    assert!(is_too_large(&"x".repeat(4_097)));
    assert!(!is_too_large(&format!("echo {}", "x".repeat(4_096))));
}

#[test]
fn the_whole_and_its_separators_are_counted() {
    assert!(!is_too_large(&"x ".repeat(64_000)));
    assert!(is_too_large(&"x ".repeat(64_001)));
    assert!(!is_too_large(&"a;".repeat(25_000)));
    assert!(is_too_large(&"a;".repeat(25_001)));
}

#[test]
fn letters_are_counted_not_bytes() {
    assert!(!is_too_large(&"ä".repeat(4_096)));
}
