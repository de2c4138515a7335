use super::*;
use crate::access::code::SALT_BYTES;
use crate::time::Span;

const NOW: Timestamp = Timestamp::from_ms(1_000_000_000);

fn ago(span: Span) -> Timestamp {
    NOW - span
}

#[test]
fn the_same_stranger_is_answered_once_in_ten_minutes() {
    let view = |answered| View {
        answered: Some(answered),
        ..View::default()
    };
    let lately = Heard::Unanswered(Silence::Lately);
    assert_eq!(knock(&View::default(), NOW), Heard::Answered);
    assert_eq!(knock(&view(ago(Span::seconds(599))), NOW), lately);
    assert_eq!(knock(&view(ago(Span::seconds(600))), NOW), Heard::Answered);
}

#[test]
fn three_may_wait_and_a_fourth_hears_nothing() {
    let view = |waiting| View {
        waiting,
        ..View::default()
    };
    assert_eq!(knock(&view(2), NOW), Heard::Answered);
    assert_eq!(knock(&view(3), NOW), Heard::Unanswered(Silence::Many));
}

#[test]
fn five_wrong_codes_lock_for_an_hour() {
    let lock = (0..4).fold(Lock::default(), |lock, _| lock.after_failure(NOW));
    assert!(!lock.is_shut(NOW));
    let lock = lock.after_failure(NOW);
    assert!(lock.is_shut(NOW) && lock.is_shut(NOW + Span::seconds(3599)));
    assert!(!lock.is_shut(NOW + Span::seconds(3600)));
    assert_eq!(lock.failures, 0);
    let view = View {
        lock,
        ..View::default()
    };
    assert_eq!(knock(&view, NOW), Heard::Unanswered(Silence::Locked));
}

#[test]
fn a_code_holds_for_an_hour_and_not_a_moment_longer() {
    let end = end(NOW);
    assert!(is_waiting(end, NOW + Span::seconds(3600)));
    assert!(!is_waiting(end, NOW + Span::ms(3_600_001)));
}

#[test]
fn a_code_finds_the_knock_that_it_was_made_for() {
    let codes = [1, 2, 3].map(|bits| Code::of([0, 0, 0, 0, bits]));
    let waiting: Vec<_> = (1..)
        .zip(&codes)
        .map(|(id, code)| (KnockId::from_bits(id), code.seal([id as u8; SALT_BYTES])))
        .collect();
    for (id, code) in (1..).zip(&codes) {
        assert_eq!(find(&waiting, code), Some(KnockId::from_bits(id)));
    }
    assert_eq!(find(&waiting, &Code::of([9; 5])), None);
}
