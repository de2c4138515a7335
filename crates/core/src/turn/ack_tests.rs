use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

fn newcomer(mode: Mode) -> Newcomer {
    Newcomer {
        mode,
        before: 0,
        working: Span::seconds(5),
    }
}

#[test]
fn nobody_is_told_twice_within_half_a_minute() {
    assert!(is_due(None, NOW));
    assert!(!is_due(Some(NOW - Span::seconds(29)), NOW));
    assert!(is_due(Some(NOW - Span::seconds(30)), NOW));
    assert!(
        is_due(Some(NOW + Span::hours(1)), NOW),
        "the clock was set back"
    );
}

#[test]
fn who_writes_on_right_after_the_question_is_not_told() {
    assert!(is_afterthought(NOW, NOW + Span::ms(2_999)));
    assert!(!is_afterthought(NOW, NOW + Span::seconds(3)));
}

#[test]
fn what_is_told_is_what_becomes_of_the_message() {
    let told = |mode, steering| words(newcomer(mode), steering);
    assert_eq!(told(Mode::Interrupt, Steering::Possible), None);
    let waits = told(Mode::Queue, Steering::Possible).unwrap();
    assert!(
        waits.contains("answered next") && waits.contains("/stop"),
        "{waits}"
    );
    let along = told(Mode::Steer, Steering::Possible).unwrap();
    assert!(along.contains("next step"), "{along}");
    let cannot = told(Mode::Steer, Steering::Impossible).unwrap();
    assert!(
        cannot.contains("cannot") && cannot.contains("answered next"),
        "{cannot}"
    );
    let others = Newcomer {
        before: 3,
        working: Span::minutes(7),
        ..newcomer(Mode::Queue)
    };
    let waits = words(others, Steering::Possible).unwrap();
    assert!(
        waits.contains("7 minutes") && waits.contains("after 3 others"),
        "{waits}"
    );
}
