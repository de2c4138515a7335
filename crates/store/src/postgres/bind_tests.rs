use super::{guarded, is_guarded, unguarded};

#[test]
fn a_text_comes_back_as_it_was() {
    for text in [
        "plain",
        "a\0b",
        "\0",
        "\u{fdd3}",
        "\u{fdd3}0",
        "\0\u{fdd3}\0\u{fdd3}1",
        "",
    ] {
        let held = guarded(text);
        assert!(!held.contains('\0'));
        assert_eq!(is_guarded(&held), held != text, "{text:?}");
        assert_eq!(unguarded(&held), text, "{text:?}");
    }
}
