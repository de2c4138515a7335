use super::*;
use crate::approval::inquiry;
use crate::command::{Reading, read_text};
use crate::danger::reply::{Answer, Reach};
use crate::limits;

const ID: ApprovalId = ApprovalId::from_bits(u128::MAX);

fn offering(choices: &[&str]) -> Asks {
    Asks {
        question: ID,
        choices: Some(choices.iter().map(|&choice| choice.to_owned()).collect()),
    }
}

fn labels(asks: &Asks) -> Vec<String> {
    of(asks).into_iter().map(|button| button.label).collect()
}

#[test]
fn every_button_is_a_command_for_this_question_that_platforms_can_carry() {
    let wants_yes = Asks {
        question: ID,
        choices: None,
    };
    let many = ["x"; limits::INQUIRY_CHOICES_MAX];
    for (asks, count) in [(wants_yes, 4), (offering(&many), many.len())] {
        assert_eq!(of(&asks).len(), count);
        for button in of(&asks) {
            assert!(button.says.len() <= limits::platform::BUTTON_BYTES_MAX);
            let reading = read_text(&button.says);
            assert!(matches!(reading, Reading::Command(_)), "{}", button.says);
            let answer = reading.answer().unwrap().unwrap();
            assert_eq!(answer.reach, Reach::This(ID));
            assert_eq!(answer.answer.is_words(), asks.choices.is_some());
        }
    }
}

#[test]
fn the_button_of_a_choice_answers_with_that_choice() {
    // Also where choices are numbers, and where two are the same but for their case.
    let asks = offering(&["2", "1", "red", "RED", "a long one: ".repeat(9).trim()]);
    let choices = asks.choices.clone().unwrap();
    for (button, choice) in of(&asks).iter().zip(&choices) {
        let reading = read_text(&button.says);
        let Some(Ok(reply)) = reading.answer() else {
            panic!("{} is no answer", button.says);
        };
        let Answer::Words(words) = &reply.answer else {
            panic!("{} is no words", button.says);
        };
        assert_eq!(&inquiry::meant(words, &choices), choice);
    }
}

#[test]
fn a_long_choice_is_cut_on_its_button_behind_its_number() {
    let long = format!("{} and then some", "x".repeat(BUTTON_LABEL_CHARS));
    let labels = labels(&offering(&["short", &long, "two\nlines", "turned\u{202e}"]));
    assert_eq!(labels[0], "short");
    assert!(
        labels[1].starts_with("2. xxx") && labels[1].ends_with('…'),
        "{labels:?}"
    );
    assert!(labels[1].chars().count() <= BUTTON_LABEL_CHARS);
    assert_eq!(labels[2..], ["two lines", "turned\u{fffd}"]);
}

#[test]
fn there_are_no_more_buttons_than_a_message_has_room_for() {
    assert_eq!(of(&offering(&["x"; BUTTONS_MAX + 3])).len(), BUTTONS_MAX);
    assert!(of(&offering(&[])).is_empty());
}
