use super::*;

fn choices(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn an_answer_names_a_choice_by_its_number_or_its_words() {
    let offered = choices(&["Red", "dark blue", "7"]);
    for (said, is) in [
        ("1", "Red"),
        (" 2. ", "dark blue"),
        ("2)", "dark blue"),
        ("red", "Red"),
        ("Dark Blue", "dark blue"),
        ("7", "7"),
        ("0", "0"),
        ("4", "4"),
        (" neither, green ", "neither, green"),
    ] {
        assert_eq!(meant(said, &offered), is, "{said}");
    }
    assert_eq!(meant("1", &[]), "1");
}

#[test]
fn a_question_is_shown_with_its_choices_and_how_to_answer() {
    let text = shown("Which?", &choices(&["a", "b\u{202e}"]), Span::minutes(20));
    assert_eq!(
        text,
        "Which?\n\n1. a\n2. b\u{fffd}\n\n(Answer with a number or in your own words, within 20 minutes.)"
    );
    let text = shown("Why?", &[], Span::minutes(1));
    assert_eq!(
        text,
        "Why?\n\n(Answer with your next message, within a minute.)"
    );
}

#[test]
fn another_question_has_another_fingerprint() {
    let of = |question: &str, words: &[&str]| fingerprint(question, &choices(words));
    assert_eq!(of("a", &["b"]), of("a", &["b"]));
    for other in [
        of("a", &[]),
        of("ab", &[]),
        of("a", &["b", ""]),
        of("", &["a", "b"]),
    ] {
        assert_ne!(other, of("a", &["b"]));
    }
}
