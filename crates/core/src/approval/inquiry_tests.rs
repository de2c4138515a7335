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

#[test]
fn a_question_that_is_over_says_what_was_chosen_and_repeats_no_other_words() {
    let offered = choices(&["Red", "blue\u{202e}"]);
    let of = |decision, said| outcome(decision, said, &offered);
    assert_eq!(of(Decision::Answered, Some("Red")), "Chosen: Red");
    assert_eq!(
        of(Decision::Answered, Some("blue\u{202e}")),
        "Chosen: blue\u{fffd}"
    );
    assert_eq!(of(Decision::Answered, Some("my secret")), "Answered.");
    assert_eq!(of(Decision::Expired, None), "Nobody answered in time.");
    assert!(of(Decision::Withdrawn, None).starts_with("Withdrawn:"));
}

#[test]
fn the_longest_question_and_what_was_chosen_are_one_message() {
    let longest = "x".repeat(limits::INQUIRY_CHOICE_CHARS_MAX);
    let offered = vec![longest.clone(); limits::INQUIRY_CHOICES_MAX];
    let question = "x".repeat(limits::INQUIRY_CHARS_MAX);
    let text = shown(&question, &offered, limits::INQUIRY_TIME);
    let over = outcome(Decision::Answered, Some(&longest), &offered);
    let units = format!("{text}\n\n{over}").encode_utf16().count();
    assert!(units <= 4_096, "{units} units do not fit on Telegram");
}
