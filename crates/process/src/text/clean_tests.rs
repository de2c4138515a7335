use super::*;

const SAID: &str =
    "caf\u{e9} \u{1b}[1;31mred\u{1b}[0m \u{1b}]0;title\u{7}\u{1f600}\u{1b}(B\u{9b}2Jx";

fn cleaned(bytes: &[u8], size: usize) -> String {
    let mut cleaner = Cleaner::default();
    let mut text = String::new();
    for piece in bytes.chunks(size) {
        text.push_str(&cleaner.push(piece));
    }
    text + &cleaner.finish()
}

#[test]
fn neither_letters_nor_escapes_are_torn_by_the_pieces_they_arrive_in() {
    for size in 1..=SAID.len() {
        assert_eq!(cleaned(SAID.as_bytes(), size), "caf\u{e9} red \u{1f600}x");
    }
}

#[test]
fn what_never_becomes_whole_is_told_at_the_end() {
    assert_eq!(cleaned(b"caf\xc3", 1), "caf\u{fffd}");
    assert_eq!(cleaned(b"a\x1b[31", 1), "a31");
    assert_eq!(cleaned(b"a\x1b", 1), "a\u{1b}");
}

#[test]
fn bytes_that_are_no_text_are_replaced_in_their_place() {
    assert_eq!(cleaned(b"a\xffb\xc3(c", 2), "a\u{fffd}b\u{fffd}(c");
}

#[test]
fn a_string_without_end_does_not_hold_back_the_rest_for_ever() {
    let mut cleaner = Cleaner::default();
    assert_eq!(cleaner.push(b"\x1b]0;never"), "");
    let long = "x".repeat(ESCAPE_BYTES_MAX);
    assert_eq!(cleaner.push(long.as_bytes()), format!("0;never{long}"));
}
