use proptest::prelude::*;

use super::*;

#[test]
fn a_block_goes_with_what_is_in_it() {
    assert_eq!(
        removed("hello <memory-context>secret</memory-context> world"),
        "hello  world"
    );
    assert_eq!(
        removed("< Memory-Context >a\nb</ MEMORY-CONTEXT>text"),
        "text"
    );
}

#[test]
fn a_tag_without_its_partner_goes_alone() {
    assert_eq!(removed("x </memory-context> y"), "x  y");
    assert_eq!(removed("<memory-context>z"), "z");
}

#[test]
fn a_block_reaches_from_its_first_opening_to_its_first_closing() {
    let text = "a<memory-context>1<memory-context>2</memory-context>b</memory-context>c";
    assert_eq!(removed(text), "abc");
}

#[test]
fn a_tag_that_only_appears_when_another_is_gone_goes_too() {
    assert_eq!(removed("<memory-<memory-context>context>x"), "x");
    assert_eq!(
        removed("<mem<memory-context>hidden</memory-context>ory-context>x"),
        "x"
    );
}

#[test]
fn other_brackets_stay() {
    let text = "if a < b && b > c <memory> <memory-context x> ü>";
    assert_eq!(removed(text), text);
}

proptest! {
    #[test]
    fn once_is_enough(text in "(<|>|/| |memory-|context|memory-context|<memory-context>|</memory-context>|ü|x){0,12}") {
        let once = removed(&text);
        prop_assert_eq!(removed(&once), once.as_ref());
    }

    #[test]
    fn a_text_without_brackets_only_loses_white_space_around_it(text in "[^<>]{0,40}") {
        prop_assert_eq!(removed(&text), text.trim());
    }
}
