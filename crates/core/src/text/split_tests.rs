use proptest::prelude::*;

use super::super::length::Unit;
use super::super::split_laws::{Case, breach};
use super::*;

fn chars(max: usize) -> Limit {
    Limit {
        max,
        unit: Unit::Chars,
    }
}

fn measure(unit: Unit) -> fn(&str) -> usize {
    match unit {
        Unit::Chars => |text| Unit::Chars.len(text),
        Unit::Utf16 => |text| Unit::Utf16.len(text),
        Unit::Bytes => |text| Unit::Bytes.len(text),
    }
}

/// Splits with and without numbers, checks every law, and returns the parts without numbers.
fn lawful(text: &str, limit: Limit) -> Vec<String> {
    let case = Case {
        text,
        max: limit.max,
        len: measure(limit.unit),
    };
    for numbering in [Numbering::Suffix, Numbering::None] {
        let parts = split_numbered(text, limit, numbering);
        assert_eq!(
            breach(&case, &parts),
            None,
            "{limit:?} {numbering:?} {text:?} {parts:#?}"
        );
    }
    split(text, limit)
}

#[test]
fn an_empty_text_has_no_parts() {
    assert!(lawful("", chars(10)).is_empty());
}

#[test]
fn a_text_at_the_limit_is_one_part_and_one_over_is_two() {
    assert_eq!(lawful("  ten chars", chars(11)), ["  ten chars"]);
    assert_eq!(lawful("  ten charss", chars(11)).len(), 2);
}

#[test]
fn several_parts_are_numbered_on_request() {
    let parts = split_numbered(
        "line one\nline two\nline three",
        chars(24),
        Numbering::Suffix,
    );
    assert_eq!(
        parts,
        ["line one (1/3)", "line two (2/3)", "line three (3/3)"]
    );
}

#[test]
fn more_than_999_parts_still_fit_with_their_numbers() {
    let parts = split_numbered(&"a".repeat(20_000), chars(24), Numbering::Suffix);
    assert!(parts.len() > 999);
    assert!(parts.iter().all(|part| part.len() <= 24));
}

#[test]
fn numbers_are_left_out_when_they_would_fill_half_the_limit() {
    let parts = split_numbered(&"a".repeat(40), chars(19), Numbering::Suffix);
    assert!(
        parts
            .iter()
            .all(|part| part.chars().all(|char| char == 'a')),
        "{parts:?}"
    );
}

#[test]
fn a_cut_block_is_closed_and_opened_again_with_its_language() {
    let parts = lawful("```rust ignore\nlet a = 1;\n    let b = 2;\n```", chars(32));
    assert_eq!(
        parts,
        [
            "```rust ignore\nlet a = 1;\n```",
            "```rust\n    let b = 2;\n```"
        ]
    );
}

#[test]
fn tildes_and_longer_fences_are_carried_as_they_are() {
    let parts = lawful("~~~~\nfirst line\n~~~\nsecond line\n~~~~", chars(26));
    assert_eq!(
        parts,
        ["~~~~\nfirst line\n~~~\n~~~~", "~~~~\nsecond line\n~~~~"]
    );
}

#[test]
fn a_block_goes_to_the_next_part_rather_than_be_opened_for_nothing() {
    let parts = lawful(
        "some prose before the code\n```py\nprint('a long line of code')\n```",
        chars(44),
    );
    assert_eq!(parts[0], "some prose before the code");
}

#[test]
fn the_closing_line_stays_with_its_code() {
    let parts = lawful(
        "```py\nprint(1)\nprint(2)\n```\nand then some more prose",
        chars(31),
    );
    assert_eq!(
        parts,
        ["```py\nprint(1)\nprint(2)\n```", "and then some more prose"]
    );
}

#[test]
fn a_limit_too_small_for_fences_still_holds() {
    for max in 1..20 {
        lawful("```python\n    print(1)\n```\n~~~\nüx\n~~~", chars(max));
    }
}

#[test]
fn a_grapheme_longer_than_the_limit_is_cut_between_characters() {
    let family = "👩‍👩‍👧‍👦";
    assert_eq!(
        lawful(
            family,
            Limit {
                max: 2,
                unit: Unit::Utf16
            }
        )
        .concat(),
        family
    );
    assert_eq!(
        lawful(
            family,
            Limit {
                max: 4,
                unit: Unit::Bytes
            }
        )
        .concat(),
        family
    );
    assert_eq!(
        split(
            "é😀",
            Limit {
                max: 1,
                unit: Unit::Bytes
            }
        ),
        ["é", "😀"]
    );
}

/// Texts that have broken splitters, each of some length.
fn hard_texts(size: usize) -> Vec<String> {
    let units = [
        "a",
        "`",
        "```\n",
        "\n",
        " ",
        "\r\n",
        "👩‍👩‍👧‍👦",
        "👩\u{200d}",
        "e\u{301}",
        "\u{301}",
        "שלום עולם ",
        "🇩🇪",
        "a ",
        "```py\n    x = 1\n\n```\n",
        "~~~\n",
        "`a b` ",
        "\\`",
        "漢字",
        "   ```\n",
        "a\u{3000}",
        "- item\n",
        "``` x\n`",
        "word\n\n",
        "क्ष",
        "~~~~~~ x\n\t\n",
    ];
    units
        .iter()
        .map(|unit| unit.repeat(size / unit.len() + 1))
        .collect()
}

#[test]
fn hard_texts_keep_the_laws() {
    for text in hard_texts(700) {
        for max in [7, 24, 300] {
            for unit in [Unit::Chars, Unit::Utf16, Unit::Bytes] {
                lawful(&text, Limit { max, unit });
                lawful(&format!("```rust\n{text}"), Limit { max, unit });
            }
        }
    }
}

#[test]
fn one_word_of_ten_thousand_characters_fills_its_parts() {
    let parts = lawful(&"x".repeat(10_000), chars(4_096));
    assert_eq!(
        parts.iter().map(String::len).collect::<Vec<_>>(),
        [4_092, 4_092, 1_816]
    );
}

#[test]
fn work_grows_with_the_text_and_not_with_its_square() {
    let limit = Limit {
        max: 500,
        unit: Unit::Bytes,
    };
    let megabyte = |unit: &str| unit.repeat((1 << 20) / unit.len());
    let long = ["`", "👩\u{200d}", "```py\n    x = 1\n\n```\n"].map(megabyte);
    let texts = hard_texts(1 << 13).into_iter().chain(long);
    for text in texts {
        let walk = Walk::through(&text, limit);
        // Each window is at most the limit: the text is read eight times over at the very most.
        assert!(
            walk.windows * limit.max <= 8 * text.len(),
            "{}",
            walk.windows
        );
    }
}

fn ingredient() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "```",
        "```rust",
        "````",
        "~~~",
        "~~~~ js x",
        "   ```",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "    ",
        "`",
        "\\`",
        "word",
        "longer-word",
        "👩‍👩‍👧",
        "e\u{301}",
        " \u{301}",
        "🇩🇪🇫🇷",
        "שלום",
        "\t",
        "漢字",
        "\u{200d}",
    ])
    .prop_map(str::to_owned);
    let lined = prop::sample::select(vec![
        "\n```\n",
        "\n```py\n",
        "\n~~~\n",
        "\n````\n",
        "\n  ~~~~ toml\n",
        "\n    indented = code;\n",
        "some words of prose ",
        "\n```  \n",
        "\r\n```\r\n",
    ])
    .prop_map(str::to_owned);
    prop_oneof![3 => fixed, 3 => lined, 1 => "[a-z ]{1,30}", 1 => ".{0,5}"]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(ingredient(), 0..40).prop_map(|words| words.concat())
}

fn unit() -> impl Strategy<Value = Unit> {
    prop::sample::select(vec![Unit::Chars, Unit::Utf16, Unit::Bytes])
}

proptest! {
    #[test]
    fn parts_keep_the_laws(text in text(), max in 4_usize..90, unit in unit()) {
        lawful(&text, Limit { max, unit });
    }
}
