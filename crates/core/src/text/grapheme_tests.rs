use proptest::prelude::*;

use super::*;

fn as_the_crate_says(text: &str) -> Vec<(usize, &str)> {
    text.grapheme_indices(true).collect()
}

#[test]
fn a_line_break_of_two_characters_is_one_letter() {
    let letters: Vec<_> = graphemes("a\r\n\rb").collect();
    assert_eq!(letters, [(0, "a"), (1, "\r\n"), (3, "\r"), (4, "b")]);
}

#[test]
fn a_blank_with_an_accent_is_one_letter() {
    let letters: Vec<_> = graphemes("a \u{308}b").collect();
    assert_eq!(letters, [(0, "a"), (1, " \u{308}"), (4, "b")]);
}

/// Characters that join with others in every way there is, among ASCII.
fn joining() -> impl Strategy<Value = String> {
    let letter = prop::sample::select(vec![
        "a",
        " ",
        "\r",
        "\n",
        "`",
        "\u{308}",
        "\u{200d}",
        "👩",
        "🏽",
        "🇩",
        "🇪",
        "\u{600}",
        "\u{1100}",
        "\u{1161}",
        "\u{11a8}",
        "क",
        "\u{94d}",
        "\u{e0020}",
        "ß",
    ]);
    prop::collection::vec(letter, 0..24).prop_map(|letters| letters.concat())
}

proptest! {
    #[test]
    fn letters_are_those_of_the_crate(text in joining()) {
        prop_assert_eq!(graphemes(&text).collect::<Vec<_>>(), as_the_crate_says(&text));
    }

    #[test]
    fn letters_of_any_text_are_those_of_the_crate(text in "\\PC{0,40}") {
        prop_assert_eq!(graphemes(&text).collect::<Vec<_>>(), as_the_crate_says(&text));
    }
}
