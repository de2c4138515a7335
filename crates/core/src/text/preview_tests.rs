use proptest::prelude::*;

use super::*;

#[test]
fn white_space_runs_become_one_blank_and_vanish_at_the_ends() {
    assert_eq!(preview(" \n a\t\tb\r\nc  ", 20), "a b c");
    assert_eq!(preview(" \n ", 20), "");
}

#[test]
fn control_and_direction_characters_are_dropped() {
    assert_eq!(
        preview("a\u{1b}[31m\u{202e}b\u{2066}c\u{200f}\u{7}", 20),
        "a[31mbc"
    );
}

#[test]
fn a_long_text_ends_with_an_ellipsis_inside_the_limit() {
    assert_eq!(preview("one two three", 13), "one two three");
    assert_eq!(preview("one two three", 12), "one two thr…");
    assert_eq!(preview("one two three", 5), "one…");
    assert_eq!(preview("one", 0), "");
}

#[test]
fn a_cut_keeps_graphemes_whole() {
    assert_eq!(preview("a👩‍👩‍👧b c d", 5), "a…");
    assert_eq!(preview("a👩‍👩‍👧b c d", 7), "a👩‍👩‍👧…");
    assert_eq!(preview("e\u{301}e\u{301}e\u{301}", 4), "e\u{301}…");
}

proptest! {
    #[test]
    fn a_preview_is_one_plain_line_within_the_limit(text in "\\PC{0,40}|.{0,40}", max in 0_usize..30) {
        let shown = preview(&text, max);
        prop_assert!(shown.chars().count() <= max);
        prop_assert!(shown.chars().all(is_visible));
        prop_assert_eq!(preview(&shown, max), shown.clone());
    }
}
