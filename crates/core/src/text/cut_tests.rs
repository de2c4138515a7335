use proptest::prelude::*;

use super::super::length::Unit;
use super::*;

fn piece(text: &str, max: usize) -> Option<&str> {
    place(
        text,
        Limit {
            max,
            unit: Unit::Chars,
        },
        0,
    )
    .map(|at| &text[..at])
}

#[test]
fn the_last_line_break_in_the_second_half_is_best() {
    assert_eq!(piece("one two\nthree four", 13), Some("one two"));
}

#[test]
fn a_line_break_in_the_first_half_yields_to_the_last_blank() {
    assert_eq!(piece("one\ntwo three four", 14), Some("one\ntwo three"));
}

#[test]
fn without_a_gap_the_room_is_filled() {
    assert_eq!(piece("abcdefgh", 5), Some("abcde"));
    assert_eq!(piece(" abcdefgh", 5), Some(" abcd"));
}

#[test]
fn inline_code_is_kept_whole_if_enough_stays() {
    assert_eq!(piece("see the `inline code` here", 16), Some("see the"));
    assert_eq!(piece("a `inline code here`", 16), Some("a `inline code"));
    assert_eq!(
        piece("see the \\`inline code here", 18),
        Some("see the \\`inline")
    );
}

#[test]
fn a_grapheme_is_never_parted() {
    assert_eq!(piece("ab👩‍👩‍👧", 5), Some("ab"));
    assert_eq!(piece("ab👩‍👩‍👧", 7), Some("ab👩‍👩‍👧"));
    assert_eq!(piece("👩‍👩‍👧", 4), None);
    assert_eq!(piece("abc\r\ndef", 4), Some("abc"));
    assert_eq!(piece("abc \u{301}def", 4), Some("abc"));
}

#[test]
fn gaps_up_to_the_floor_are_not_used() {
    let room = Limit {
        max: 10,
        unit: Unit::Chars,
    };
    assert_eq!(place("```js a=b\ncode code", room, 9), Some(10));
}

proptest! {
    #[test]
    fn plain_text_is_cut_where_its_letters_say(
        text in "[ab `\\\\\r\n]{0,40}",
        half in 0_usize..24,
        floor in 0_usize..24,
    ) {
        prop_assert_eq!(
            gap_or_end(&text, half, floor),
            gap_or_end_by_letters(&text, half, floor)
        );
        prop_assert_eq!(
            before_inline_code(&text, floor),
            before_inline_code_by_letters(&text, floor)
        );
    }
}
