use super::*;

use crate::stream::{Manner, Step};
use crate::text::{Limit, Unit};
use crate::time::{Span, Timestamp};

const SECRET: &str = "sk-abcdefghijklmnop1234";

fn veil(reader: Reader) -> (Veil, Draft) {
    let limit = Limit {
        max: 4096,
        unit: Unit::Utf16,
    };
    let manner = Manner::live(limit, Span::seconds(1));
    let masker = Arc::new(Masker::default());
    let draft = Draft::new(manner, Timestamp::from_ms(0));
    (Veil::new(reader, &masker), draft)
}

/// What a draft would send now.
fn sent(draft: &Draft) -> String {
    match draft.clone().next(Timestamp::from_ms(10_000)) {
        Step::Send(message) => message.text,
        other @ (Step::Wait(_) | Step::Edit(..) | Step::Delete(_) | Step::Done) => {
            panic!("nothing is sent but {other:?}")
        }
    }
}

#[test]
fn a_secret_that_comes_letter_by_letter_is_never_drawn() {
    let (mut veil, mut draft) = veil(Reader::People);
    veil.say("The key that you asked me for is ");
    for letter in format!("{SECRET} and that is all of it").chars() {
        veil.say(&letter.to_string());
        veil.lift(&mut draft);
        let seen = sent(&draft);
        assert!(!seen.contains("efgh"), "{seen}");
        assert!(!seen.contains("sk-") || seen.contains("1234"), "{seen}");
    }
    let seen = sent(&draft);
    assert!(
        seen.starts_with("The key that you asked me for is sk-abc...1234 and that is all of it"),
        "{seen}"
    );
}

#[test]
fn a_part_that_ended_is_drawn_to_its_end() {
    let (mut veil, mut draft) = veil(Reader::People);
    veil.say("I look");
    veil.lift(&mut draft);
    veil.part();
    veil.say(SECRET);
    veil.lift(&mut draft);
    assert_eq!(veil.drawn.text, "I look");
    assert_eq!(veil.drawn.breaks, [6]);
    veil.part();
    veil.say("Found");
    veil.lift(&mut draft);
    assert_eq!(veil.drawn.text, "I looksk-abc...1234Found");
    assert_eq!(veil.drawn.breaks, [6, 19]);
}

#[test]
fn words_that_were_taken_back_are_drawn_anew() {
    let (mut veil, mut draft) = veil(Reader::People);
    veil.say("Some words that are long enough to see.");
    veil.lift(&mut draft);
    veil.rewrite("Other words that are long enough.".to_owned(), Vec::new());
    veil.lift(&mut draft);
    let seen = sent(&draft);
    assert!(
        seen.starts_with("Other words that are long enough."),
        "{seen}"
    );
}

#[test]
fn where_programs_read_nothing_is_held_or_hidden() {
    let (mut veil, mut draft) = veil(Reader::Program);
    veil.say(SECRET);
    veil.think("sk-abcdefgh");
    veil.lift(&mut draft);
    assert_eq!(veil.drawn.text, SECRET);
    assert_eq!(draft.thoughts(), "sk-abcdefgh");
}

#[test]
fn what_is_thought_of_a_secret_is_not_seen_either() {
    let (mut veil, mut draft) = veil(Reader::People);
    for letter in format!("so {SECRET} is it,\ntoken: abcdefghijklmnopqrstuvwxyz\nthen ").chars() {
        veil.think(&letter.to_string());
        veil.lift(&mut draft);
        let seen = draft.thoughts();
        assert!(!seen.contains("efgh") && !seen.contains("pqrs"), "{seen}");
    }
    let seen = draft.thoughts();
    assert_eq!(seen, "so sk-abc...1234 is it,\ntoken: abcdef...wxyz\nthen ");
}

#[test]
fn an_error_of_a_provider_is_not_begun() {
    let (mut veil, mut draft) = veil(Reader::People);
    for piece in [
        "API",
        " call fai",
        "led after 3 tries: HTTP 401",
        " invalid key",
    ] {
        veil.say(piece);
        veil.lift(&mut draft);
        assert_eq!(veil.drawn, Parted::default());
    }
}
