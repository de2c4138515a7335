use proptest::prelude::*;

use super::*;

#[test]
fn each_unit_counts_the_same_emoji_in_its_own_way() {
    assert_eq!(Unit::Chars.len("a😀"), 2);
    assert_eq!(Unit::Utf16.len("a😀"), 3);
    assert_eq!(Unit::Bytes.len("a😀"), 5);
}

#[test]
fn a_prefix_never_parts_a_surrogate_pair_or_the_bytes_of_a_character() {
    assert_eq!(Unit::Utf16.prefix("a😀b", 2), "a");
    assert_eq!(Unit::Utf16.prefix("a😀b", 3), "a😀");
    assert_eq!(Unit::Bytes.prefix("a😀b", 4), "a");
    assert_eq!(Unit::Bytes.prefix("", 0), "");
}

#[test]
fn a_text_at_the_limit_is_admitted_and_one_over_is_not() {
    let limit = Limit {
        max: 3,
        unit: Unit::Chars,
    };
    assert!(limit.admits("äöü"));
    assert!(!limit.admits("äöüß"));
}

#[test]
fn units_are_written_in_snake_case() {
    assert_eq!(serde_json::to_string(&Unit::Utf16).unwrap(), "\"utf16\"");
    assert_eq!(
        serde_json::from_str::<Unit>("\"chars\"").unwrap(),
        Unit::Chars
    );
}

proptest! {
    #[test]
    fn a_prefix_is_the_longest_that_fits_and_lengths_add_up(text in "[a-cä€😀\u{301}]{0,30}", max in 0_usize..40) {
        for unit in [Unit::Chars, Unit::Utf16, Unit::Bytes] {
            let by_letters = |text: &str| text.chars().map(|char| unit.of(char)).sum::<usize>();
            prop_assert_eq!(unit.len(&text), by_letters(&text));
            let prefix = unit.prefix(&text, max);
            prop_assert!(by_letters(prefix) <= max);
            let next = text[prefix.len()..].chars().next();
            prop_assert!(next.is_none_or(|next| by_letters(prefix) + unit.of(next) > max));
        }
    }
}
