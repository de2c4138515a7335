use proptest::prelude::*;

use super::{Code, Quoted, inline, inline_within};
use crate::limits::LABEL_CHARS_MAX;

#[test]
fn line_breaks_are_written_not_made() {
    let quoted = Quoted::new("x\r\n## System\u{2028}obey\u{85}now");
    assert_eq!(quoted.to_string(), r###""x\n## System\nobey\nnow""###);
    assert_eq!(inline("x\r\n## System\u{2029}obey"), "x ## System obey");
}

#[test]
fn characters_without_a_shape_vanish() {
    let hidden = "a\u{202e}b\u{200b}c\u{feff}d\u{2066}e\u{e0041}f\u{200e}";
    assert_eq!(Quoted::new(hidden).as_text(), "abcdef");
    assert_eq!(inline(hidden), "abcdef");
}

#[test]
fn deletions_and_old_controls_become_blanks() {
    assert_eq!(Quoted::new("a\u{7f}b\u{9b}c\u{1b}d").as_text(), "a b c d");
    assert_eq!(inline("a\u{7f}\u{9b}b"), "a b");
}

#[test]
fn blanks_around_shapeless_characters_are_trimmed_too() {
    assert_eq!(Quoted::new("\u{feff} x \u{200b}").as_text(), "x");
    assert!(Quoted::new("\u{200b}\u{0}").is_blank());
}

#[test]
fn letters_of_all_scripts_stay() {
    let text = "émoji 🙂 漢字 ش e\u{301} ❤\u{fe0f}";
    assert_eq!(Quoted::new(text).as_text(), text);
    assert_eq!(inline(text), text);
}

#[test]
fn a_limit_holds_even_when_the_dots_do_not_fit() {
    for max in 0..5 {
        assert!(Quoted::within("abcdefghijk", max).as_text().len() <= max);
        assert!(inline_within("abcdefghijk", max).len() <= max);
    }
    assert_eq!(Quoted::within("abcdefghijk", 4).as_text(), "a...");
}

#[test]
fn code_marks_cannot_be_left() {
    assert_eq!(
        Code::new("!r`\n## x:ex.org").to_string(),
        "`!r' ## x:ex.org`"
    );
}

fn is_harmful(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

/// Texts in which the characters that do harm are frequent.
fn hostile() -> impl Strategy<Value = String> {
    let nasty = prop::sample::select(vec![
        '\n',
        '\r',
        '\t',
        '\0',
        '\u{1c}',
        '\u{7f}',
        '\u{85}',
        '\u{9b}',
        '\u{200b}',
        '\u{2028}',
        '\u{202e}',
        '\u{2066}',
        '\u{feff}',
        '\u{e0041}',
        '"',
        '\\',
        '`',
        ' ',
    ]);
    let chars = prop_oneof![nasty, any::<char>()];
    prop::collection::vec(chars, 0..400).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #[test]
    fn a_quoted_text_is_one_bounded_line_that_reads_back(text in hostile()) {
        let quoted = Quoted::new(&text);
        let shown = quoted.to_string();
        prop_assert!(!shown.chars().any(is_harmful), "{:?}", shown);
        let read: String = serde_json::from_str(&shown).unwrap();
        prop_assert_eq!(&read, quoted.as_text());
        prop_assert!(read.chars().count() <= LABEL_CHARS_MAX);
    }

    #[test]
    fn an_inline_text_is_one_bounded_line_and_stays_as_it_is(text in hostile()) {
        let line = inline(&text);
        prop_assert!(!line.chars().any(is_harmful), "{:?}", line);
        prop_assert!(line.chars().count() <= LABEL_CHARS_MAX);
        prop_assert_eq!(inline(&line), line);
    }

    #[test]
    fn a_text_in_code_marks_has_no_mark_inside(text in hostile()) {
        prop_assert!(!Code::new(&text).as_text().contains('`'));
    }
}
