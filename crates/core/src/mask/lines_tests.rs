use std::sync::Arc;

use proptest::prelude::*;

use super::Lines;
use crate::limits;
use crate::mask::{Masker, Surface};

const KEY: &str = "sk-AbCdEfGhIjKlMnOpQrStUvWx";

fn lines() -> Lines {
    let masker = Masker::new(["known secret".to_owned()]);
    Lines::new(Arc::new(masker), Surface::Output)
}

#[test]
fn whole_lines_are_shown_at_once_and_the_rest_waits() {
    let mut lines = lines();
    assert_eq!(lines.push("one\ntwo"), "one\n");
    assert_eq!(lines.push(" three\r"), "two three\r");
    assert!(!lines.is_holding());
}

#[test]
fn a_secret_in_two_pieces_is_hidden() {
    let mut lines = lines();
    let (one, other) = KEY.split_at(9);
    let shown = lines.push(&format!("key {one}")) + &lines.push(other) + &lines.finish();
    assert_eq!(shown, "key sk-AbC...UvWx");
}

#[test]
fn a_question_without_a_line_end_is_shown_when_it_is_quiet() {
    let mut lines = lines();
    assert_eq!(lines.push("Go on? [y/n] sk-AbC"), "");
    assert_eq!(lines.quiet(), "Go on? [y/n] ");
    assert_eq!(lines.push("dEfGhIjKlMnOpQrStUvWx\n"), "sk-AbC...UvWx\n");
}

#[test]
fn a_private_key_is_held_until_it_is_whole() {
    let mut lines = lines();
    assert_eq!(lines.push("a\n-----BEGIN PRIVATE KEY-----\nMIIE\n"), "a\n");
    assert_eq!(lines.push("abc\n"), "");
    assert_eq!(
        lines.push("-----END PRIVATE KEY-----\nb\n"),
        "[REDACTED PRIVATE KEY]\nb\n"
    );
}

#[test]
fn a_line_without_an_end_is_held_up_to_a_bound() {
    let mut lines = lines();
    let piece = "word ".repeat(100);
    let mut shown = 0;
    for _ in 0..100 {
        shown += lines.push(&piece).len();
        assert!(lines.held.len() <= limits::MASK_HELD_BYTES);
    }
    assert_eq!(shown + lines.finish().len(), piece.len() * 100);
}

#[test]
fn a_key_without_an_end_is_held_up_to_a_bound() {
    let mut lines = lines();
    lines.push("-----BEGIN PRIVATE KEY-----\n");
    for _ in 0..100 {
        lines.push(&"no end\n".repeat(200));
        assert!(lines.held.len() <= limits::MASK_KEY_BYTES + limits::MASK_HELD_BYTES);
    }
}

proptest! {
    #[test]
    fn no_cut_uncovers_a_secret(cuts in proptest::collection::vec(1_usize..20, 1..60)) {
        let text = format!(
            "start\nAuthorization: Bearer {KEY}\nand a known secret, {KEY}\n\
             -----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKC\n-----END RSA PRIVATE KEY-----\nend {KEY}"
        );
        let mut lines = lines();
        let (mut rest, mut shown) = (text.as_str(), String::new());
        for cut in cuts {
            let (piece, left) = rest.split_at(cut.min(rest.len()));
            shown += &lines.push(piece);
            rest = left;
        }
        shown += &lines.push(rest);
        shown += &lines.finish();
        for secret in ["GhIjKl", "known secret", "MIIEp"] {
            prop_assert!(!shown.contains(secret), "{}", shown);
        }
        prop_assert!(shown.starts_with("start\n") && shown.contains("\nend "));
    }
}
