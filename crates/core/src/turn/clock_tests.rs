use super::*;

const ALLOWED: Span = Span::minutes(30);

fn clock() -> Clock {
    Clock::allowing(ALLOWED)
}

#[test]
fn who_asks_nobody_ends_when_the_time_is_up() {
    assert_eq!(clock().ends(), ALLOWED);
}

#[test]
fn a_question_asked_late_does_not_end_with_the_time_that_was_left() {
    let mut clock = clock();
    clock.asks(Span::minutes(29));
    assert!(clock.ends() > Span::minutes(29 + 20));
    clock.goes_on(Span::minutes(29 + 20));
    assert_eq!(
        clock.ends(),
        Span::minutes(30 + 20),
        "a minute of work is left"
    );
}

#[test]
fn questions_that_are_open_at_once_stop_the_clock_once() {
    let mut clock = clock();
    clock.asks(Span::minutes(1));
    clock.asks(Span::minutes(3));
    clock.goes_on(Span::minutes(5));
    assert!(clock.ends() > Span::hours(2), "one is open still");
    clock.goes_on(Span::minutes(11));
    assert_eq!(clock.ends(), Span::minutes(40));
}

#[test]
fn times_between_questions_add_up() {
    let mut clock = clock();
    for begun in [2, 10, 20] {
        clock.asks(Span::minutes(begun));
        clock.goes_on(Span::minutes(begun + 3));
    }
    assert_eq!(clock.ends(), Span::minutes(39));
}

#[test]
fn who_does_nothing_but_ask_ends_all_the_same() {
    let mut clock = clock();
    let latest = Span::ms(ALLOWED.as_ms() + limits::TURN_ASKS_MAX.as_ms());
    clock.asks(Span::minutes(1));
    assert_eq!(clock.ends(), latest);
    clock.goes_on(Span::hours(100));
    assert_eq!(clock.ends(), latest);
}

#[test]
fn an_end_without_a_beginning_changes_nothing() {
    let mut clock = clock();
    clock.goes_on(Span::minutes(7));
    assert_eq!(clock, Clock::allowing(ALLOWED));
}
