use proptest::prelude::*;

use super::super::world::{Event, World, play};
use super::super::{Answer, Edits, Manner, Step};
use super::Draft;
use crate::outbound::Receipt;
use crate::text::render::{Dialect, render};
use crate::text::silence::Ending;
use crate::text::{Limit, Unit};
use crate::time::{Span, Timestamp};

const INTERVAL_MS: i64 = 1000;

fn manner(max: usize) -> Manner {
    Manner {
        dialect: Some(Dialect::Plain),
        limit: Limit {
            max,
            unit: Unit::Utf16,
        },
        interval: Span::ms(INTERVAL_MS),
        caret: " ▉".to_owned(),
        edits: Edits::Possible,
    }
}

fn words(at: i64, words: &str) -> (i64, Event) {
    (at, Event::Words(words.to_owned()))
}

fn finish(at: i64, text: &str) -> (i64, Event) {
    (at, Event::Finish(text.to_owned()))
}

fn asked(world: &World) -> Vec<(i64, &'static str, &str)> {
    let asked = world.asked.iter();
    asked
        .map(|(at, what, text)| (*at, *what, text.as_str()))
        .collect()
}

#[test]
fn enough_words_are_shown_at_once_and_then_at_the_platform_s_pace() {
    let long = "Some words that are more than a few";
    let whole = format!("{long} and more and more");
    let script = [
        words(0, long),
        words(100, " and more"),
        words(200, " and more"),
        finish(1500, &whole),
    ];
    let world = play(manner(4096), &script, &[]);
    let with_caret = format!("{whole} ▉");
    assert_eq!(
        asked(&world),
        [
            (0, "send", long),
            (1000, "edit", &with_caret),
            (1500, "edit", &whole)
        ]
    );
}

#[test]
fn a_few_words_wait_for_an_interval_and_hardly_any_for_the_end() {
    let script = [words(0, "Hi you"), finish(5000, "Hi you")];
    assert_eq!(
        asked(&play(manner(99), &script, &[])),
        [(1000, "send", "Hi you")]
    );
    let script = [words(0, "Hi"), finish(5000, "Hi")];
    assert_eq!(
        asked(&play(manner(99), &script, &[])),
        [(5000, "send", "Hi")]
    );
}

#[test]
fn a_final_text_that_is_already_seen_is_not_sent_again() {
    let script = [
        words(0, "All of it is here already."),
        finish(300, "All of it is here already."),
    ];
    assert_eq!(play(manner(99), &script, &[]).asked.len(), 1);
}

#[test]
fn not_now_is_a_deadline_also_for_the_final_text() {
    let text = "More than enough words to be shown";
    let whole = format!("{text} and the end");
    let answers = [
        Answer::Done(None),
        Answer::Later(Some(Timestamp::from_ms(60_000))),
    ];
    let script = [words(0, text), words(500, " and"), finish(2000, &whole)];
    let world = play(manner(4096), &script, &answers);
    let times: Vec<i64> = world.asked.iter().map(|(at, _, _)| *at).collect();
    assert_eq!(times, [0, 1000, 60_000]);
    assert_eq!(world.texts(), [whole]);
}

#[test]
fn who_shows_everything_waits_for_words_and_not_for_a_time() {
    let mut draft = Draft::new(manner(99), Timestamp::from_ms(0));
    draft.push("More than enough words to be shown");
    let at = Timestamp::from_ms;
    assert!(matches!(draft.next(at(0)), Step::Send(_)));
    draft.answered(Answer::Done(Some(Receipt("1".to_owned()))), at(100));
    assert_eq!(draft.next(at(100)), Step::Wait(None));
    draft.push(", and some more");
    let due = at(100 + INTERVAL_MS);
    assert_eq!(draft.next(at(200)), Step::Wait(Some(due)));
    assert!(matches!(draft.next(due), Step::Edit(..)));
}

#[test]
fn each_not_now_doubles_the_interval() {
    let mut draft = Draft::new(manner(99), Timestamp::from_ms(0));
    draft.push("More than enough words to be shown");
    let mut now = 0;
    for wait in [2000, 4000, 8000, 10_000, 10_000] {
        assert!(matches!(draft.next(Timestamp::from_ms(now)), Step::Send(_)));
        draft.answered(Answer::Later(None), Timestamp::from_ms(now));
        let until = Timestamp::from_ms(now + wait);
        assert_eq!(draft.next(Timestamp::from_ms(now)), Step::Wait(Some(until)));
        now += wait;
    }
}

#[test]
fn a_step_that_is_not_answered_holds_everything_back() {
    let mut draft = Draft::new(manner(99), Timestamp::from_ms(0));
    draft.push("More than enough words to be shown");
    assert!(matches!(draft.next(Timestamp::from_ms(0)), Step::Send(_)));
    draft.finish("Something else", Ending::Answered);
    assert_eq!(draft.next(Timestamp::from_ms(9999)), Step::Wait(None));
}

#[test]
fn what_is_said_after_a_tool_is_a_message_of_its_own() {
    let script = [
        words(0, "Let me look at it first."),
        (500, Event::Part),
        words(600, "It is a file."),
        finish(3000, "Let me look at it first.It is a file."),
    ];
    let world = play(manner(4096), &script, &[]);
    assert_eq!(world.texts(), ["Let me look at it first.", "It is a file."]);
}

#[test]
fn a_marker_of_silence_takes_back_only_its_own_segment() {
    let script = [
        words(0, "I have looked at all of it."),
        (500, Event::Part),
        words(600, "NO_"),
        words(1900, "REPLY"),
        finish(3000, "I have looked at all of it.NO_REPLY"),
    ];
    let world = play(manner(4096), &script, &[]);
    assert_eq!(world.texts(), ["I have looked at all of it."]);
    assert_eq!(world.asked.len(), 1);
}

#[test]
fn an_answer_that_is_silence_is_never_seen() {
    let script = [
        words(0, "NO_REPL"),
        words(5000, "Y"),
        finish(9000, "NO_REPLY"),
    ];
    assert!(play(manner(4096), &script, &[]).asked.is_empty());
}

#[test]
fn a_failure_that_looks_like_silence_is_told() {
    let mut draft = Draft::new(manner(99), Timestamp::from_ms(0));
    draft.finish("NO_REPLY", Ending::Failed);
    assert!(matches!(draft.next(Timestamp::from_ms(0)), Step::Send(_)));
}

#[test]
fn thoughts_are_kept_apart() {
    let mut draft = Draft::new(manner(99), Timestamp::from_ms(0));
    draft.push("<think>so many thoughts, one after the other</th");
    assert!(matches!(draft.next(Timestamp::from_ms(0)), Step::Wait(_)));
    draft.push("ink>Well, here is what I found out about it.");
    assert_eq!(draft.thoughts(), "so many thoughts, one after the other");
    let Step::Send(message) = draft.next(Timestamp::from_ms(0)) else {
        panic!("words are shown");
    };
    assert_eq!(message.text, "Well, here is what I found out about it.");
}

#[test]
fn a_message_that_cannot_be_changed_is_continued_in_the_next() {
    let text = "More than enough words to be shown";
    let whole = format!("{text}, and then some.");
    for answers in [
        [Answer::Fixed, Answer::Done(None)],
        [Answer::Done(None), Answer::Fixed],
    ] {
        let script = [words(0, text), words(500, ", and"), finish(9000, &whole)];
        let world = play(manner(4096), &script, &answers);
        assert_eq!(world.texts(), [text, ", and then some."]);
    }
}

#[test]
fn a_message_that_somebody_deleted_is_sent_again() {
    let text = "More than enough words to be shown";
    let whole = format!("{text}, and then some.");
    let script = [words(0, text), words(500, ", and"), finish(9000, &whole)];
    let world = play(manner(4096), &script, &[Answer::Done(None), Answer::Gone]);
    assert_eq!(world.texts(), [whole]);
}

#[test]
fn after_a_lost_answer_nothing_is_shown_until_the_text_is_final() {
    let text = "More than enough words to be shown";
    let script = [words(0, text), words(500, " here"), finish(9000, text)];
    let world = play(manner(4096), &script, &[Answer::Unknown]);
    assert_eq!(asked(&world), [(0, "send", text), (9000, "send", text)]);
}

#[test]
fn where_nothing_can_be_changed_the_reply_is_sent_when_it_is_finished() {
    let fixed = Manner {
        edits: Edits::Impossible,
        ..manner(4096)
    };
    let text = "More than enough words to be shown";
    let world = play(fixed, &[words(0, text), finish(9000, text)], &[]);
    assert_eq!(asked(&world), [(9000, "send", text)]);
}

#[test]
fn words_that_are_taken_back_do_not_stay() {
    let mut draft = Draft::new(manner(40), Timestamp::from_ms(0));
    let long = "one two three four five six seven eight nine ten";
    draft.push(long);
    for (number, at) in [(1, 0), (2, 1000)] {
        assert!(matches!(draft.next(Timestamp::from_ms(at)), Step::Send(_)));
        let receipt = Receipt(number.to_string());
        draft.answered(Answer::Done(Some(receipt)), Timestamp::from_ms(at));
    }
    draft.rewrite("", &[]);
    draft.finish("A short answer.", Ending::Answered);
    let now = Timestamp::from_ms(1100);
    assert!(matches!(draft.next(now), Step::Edit(Receipt(id), _) if id == "1"));
    draft.answered(Answer::Done(None), now);
    assert_eq!(draft.next(now), Step::Delete(Receipt("2".to_owned())));
    draft.answered(Answer::Done(None), now);
    assert_eq!(draft.next(now), Step::Done);
}

#[test]
fn a_long_reply_with_code_arrives_whole_under_flood_control() {
    let line = "    let value = compute(with, some, arguments); // and a remark\n";
    let text: String = (0..12)
        .map(|part| {
            format!(
                "Part {part} **is** here.\n\n```rust\n{}```\n\n",
                line.repeat(40)
            )
        })
        .collect();
    assert!(text.len() > 30_000);
    let telegram = Manner {
        dialect: Some(Dialect::TelegramMarkdown),
        ..manner(4096)
    };
    let mut script: Vec<(i64, Event)> = (0_i64..)
        .zip(text.as_bytes().chunks(97))
        .map(|(number, chunk)| words(number * 40, std::str::from_utf8(chunk).unwrap()))
        .collect();
    let end = script.last().unwrap().0 + 10;
    script.push(finish(end, &text));
    let flood = [
        Answer::Done(None),
        Answer::Later(Some(Timestamp::from_ms(9000))),
    ];
    let answers: Vec<Answer> = flood.iter().cycle().take(12).cloned().collect();
    let world = play(telegram.clone(), &script, &answers);
    let whole = render(&text, Dialect::TelegramMarkdown, telegram.room());
    let whole: Vec<&str> = whole.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(world.texts(), whole);
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        6 => Just(Answer::Done(None)),
        2 => Just(Answer::Later(None)),
        2 => (0_i64..20_000).prop_map(|at| Answer::Later(Some(Timestamp::from_ms(at)))),
    ]
}

fn script() -> impl Strategy<Value = Vec<(i64, Event)>> {
    let event = prop_oneof![
        8 => "[a-z😀 ]{1,30}".prop_map(Event::Words),
        1 => Just(Event::Words("\n\n".to_owned())),
        1 => Just(Event::Part),
    ];
    let timed = (0_i64..900, event);
    prop::collection::vec(timed, 0..40).prop_map(|steps| {
        let mut at = 0;
        let mut text = String::new();
        let mut events = Vec::new();
        for (pause, event) in steps {
            at += pause;
            if let Event::Words(words) = &event {
                text.push_str(words);
            }
            events.push((at, event));
        }
        events.push((at + 10, Event::Finish(text)));
        events
    })
}

fn final_text(script: &[(i64, Event)]) -> String {
    match &script.last().unwrap().1 {
        Event::Finish(text) => text.clone(),
        Event::Words(_) | Event::Part => panic!("a script ends with the final text"),
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_schedule_ends_with_the_final_text_and_nothing_else(
        script in script(),
        answers in prop::collection::vec(answer(), 0..20),
        max in 24_usize..120,
    ) {
        let world = play(manner(max), &script, &answers);
        prop_assert_eq!(letters(&world.texts().concat()), letters(&final_text(&script)));
        prop_assert!(!world.texts().concat().contains('▉'));
    }

    #[test]
    fn edits_are_no_more_than_the_time_allows(
        script in script(),
        answers in prop::collection::vec(answer(), 0..20),
        max in 24_usize..4000,
    ) {
        let world = play(manner(max), &script, &answers);
        let allowed = 2 + world.ended_at / INTERVAL_MS;
        prop_assert!(i64::try_from(world.edits()).unwrap() <= allowed, "{:?}", world.asked);
    }

    #[test]
    fn nothing_is_ever_over_the_limit_or_before_its_time(
        script in script(),
        answers in prop::collection::vec(answer(), 0..20),
        max in 24_usize..120,
    ) {
        let end = script.last().unwrap().0;
        let world = play(manner(max), &script, &answers);
        for (_, _, text) in &world.asked {
            prop_assert!(Unit::Utf16.len(text) <= max, "{text}");
        }
        let drafts: Vec<i64> =
            world.asked.iter().map(|(at, _, _)| *at).filter(|at| *at < end).collect();
        for pair in drafts.windows(2) {
            prop_assert!(pair[1] - pair[0] >= INTERVAL_MS, "{drafts:?}");
        }
    }

    #[test]
    fn messages_that_cannot_be_changed_lose_no_word(
        script in script(),
        answers in prop::collection::vec(
            prop_oneof![
                4 => answer(),
                1 => Just(Answer::Fixed),
            ],
            0..12,
        ),
    ) {
        let world = play(manner(80), &script, &answers);
        let mut shown = letters(&world.texts().concat());
        for letter in letters(&final_text(&script)).chars() {
            let at = shown.find(letter);
            prop_assert!(at.is_some(), "{letter} is missing: {:?}", world.asked);
            shown.remove(at.unwrap());
        }
    }
}
