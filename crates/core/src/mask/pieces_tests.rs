use std::sync::Arc;

use proptest::prelude::*;

use super::{Before, Patience, Pieces, ready};
use crate::limits;
use crate::mask::{Masker, Surface};

const KEY: &str = "sk-AbCdEfGhIjKlMnOpQrStUvWx";

fn pieces() -> Pieces {
    let masker = Masker::new(["known secret".to_owned()]);
    Pieces::new(Arc::new(masker), Surface::Output)
}

#[test]
fn whole_lines_are_ready_and_the_rest_waits() {
    assert_eq!(ready(b"one\ntwo", Patience::Line), 4);
    assert_eq!(ready(b"50%\r60%\r", Patience::Line), 8);
    assert_eq!(ready(b"no line", Patience::Line), 0);
    assert_eq!(ready(b"no line", Patience::None), 7);
}

#[test]
fn a_question_without_a_line_end_is_ready_when_it_is_quiet() {
    assert_eq!(ready(b"Go on? [y/n] ", Patience::Word), 13);
    assert_eq!(ready(b"login: sk-AbCdEf", Patience::Word), 7);
    assert_eq!(ready(b"$ ls", Patience::Word), 4);
    assert_eq!(ready(b"Username:", Patience::Word), 9);
    assert_eq!(ready(b"a \x1b[?25lprompt", Patience::Word), 14);
    assert_eq!(ready(b"a \x1b[31mghp_AbCd", Patience::Word), 2);
    assert_eq!(ready(b"-----BEGIN", Patience::Word), 0);
}

#[test]
fn what_is_too_long_is_not_waited_for() {
    let words = "word ".repeat(limits::MASK_HELD_BYTES / 4);
    assert_eq!(ready(words.as_bytes(), Patience::Line), words.len());
    let word = "w".repeat(limits::MASK_HELD_BYTES + 1);
    assert_eq!(ready(word.as_bytes(), Patience::Line), word.len());
    assert_eq!(ready(&word.as_bytes()[1..], Patience::Line), 0);
}

#[test]
fn a_piece_is_judged_with_what_went_before_it_in_its_line() {
    let mut pieces = pieces();
    assert_eq!(pieces.shown("a\nx-api-key: "), "a\nx-api-key: ");
    assert_eq!(
        pieces.shown("AbCdEfGhIjKlMnOpQrStUvWx\nb"),
        "AbCdEf...UvWx\nb"
    );
}

#[test]
fn the_rest_of_a_secret_whose_beginning_was_seen_is_hidden_with_its_line() {
    let mut pieces = pieces().after("key sk-AbCdEfGh");
    assert_eq!(pieces.shown("IjKlMnOpQrStUvWx and\nmore"), "***\nmore");
}

#[test]
fn a_private_key_is_hidden_from_its_beginning_to_its_end() {
    let mut pieces = pieces();
    let begun = pieces.shown("a\n-----BEGIN PRIVATE KEY-----\nMIIE\n");
    assert_eq!(begun, "a\n[REDACTED PRIVATE KEY]");
    assert_eq!(pieces.shown("abc\n"), "");
    assert_eq!(pieces.shown("-----END PRIVATE KEY-----\nb\n"), "\nb\n");
    assert_eq!(pieces.shown("c\n"), "c\n");
}

#[test]
fn a_beginning_without_an_end_does_not_hide_all_that_follows() {
    let mut pieces = pieces();
    pieces.shown("-----BEGIN PRIVATE KEY-----\n");
    let lines = "no end\n".repeat(limits::MASK_KEY_BYTES / 7 + 1);
    assert_eq!(pieces.shown(&lines), "");
    assert_eq!(pieces.shown("seen\n"), "seen\n");
}

#[test]
fn what_is_remembered_of_a_line_is_bounded() {
    let mut pieces = pieces();
    for _ in 0..10 {
        pieces.shown(&"é ".repeat(limits::MASK_HELD_BYTES));
    }
    assert!(matches!(&pieces.before, Before::Line(line) if line.len() <= limits::MASK_HELD_BYTES));
}

/// Shows a text that comes in these pieces, as a follower does.
fn follow<'a>(chunks: impl Iterator<Item = &'a str>, patience: Patience) -> String {
    let (mut pieces, mut held, mut shown) = (pieces(), String::new(), String::new());
    for chunk in chunks {
        held.push_str(chunk);
        let bytes = ready(held.as_bytes(), patience);
        shown += &pieces.shown(&held[..bytes]);
        held.drain(..bytes);
    }
    shown + &pieces.shown(&held)
}

proptest! {
    #[test]
    fn no_cut_uncovers_a_secret(
        cuts in proptest::collection::vec(1_usize..20, 60),
        patience in prop_oneof![Just(Patience::Line), Just(Patience::Word)],
    ) {
        let text = format!(
            "start\nAuthorization: Bearer {KEY}\nand {KEY}, a known secret\n\
             -----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKC\n-----END RSA PRIVATE KEY-----\nend {KEY}"
        );
        let mut rest = text.as_str();
        let chunks = cuts.into_iter().map(|cut| {
            let (piece, left) = rest.split_at(cut.min(rest.len()));
            rest = left;
            piece
        });
        let shown = follow(chunks, patience);
        for secret in ["GhIjKl", "MIIEp", "StUvWx\n"] {
            prop_assert!(!shown.contains(secret), "{}", shown);
        }
        prop_assert!(shown.starts_with("start\n"), "{}", shown);
        prop_assert!(patience == Patience::Word || !shown.contains("known secret"), "{}", shown);
    }
}
