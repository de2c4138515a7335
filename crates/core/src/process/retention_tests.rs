use super::*;
use crate::time::Span;

const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

fn spent(age: Span, bytes: u64) -> Spent {
    Spent {
        ended_at: Some(NOW - age),
        bytes,
    }
}

#[test]
fn what_ended_long_ago_is_forgotten() {
    let old = spent(Span::ms(limits::PROCESS_KEPT.as_ms() + 1), 1);
    let just = spent(limits::PROCESS_KEPT, 1);
    assert_eq!(to_forget(&[old, just], NOW), 1);
    assert_eq!(to_forget(&[], NOW), 0);
}

#[test]
fn the_first_to_end_make_room() {
    let half = limits::PROCESS_DISK_BYTES_MAX / 2;
    let young = spent(Span::minutes(1), half);
    assert_eq!(to_forget(&[young, young], NOW), 0);
    assert_eq!(to_forget(&[young, young, young], NOW), 1);
    let huge = spent(Span::minutes(1), limits::PROCESS_DISK_BYTES_MAX + 1);
    assert_eq!(to_forget(&[young, huge], NOW), 2);
}

#[test]
fn what_belongs_to_nobody_goes_at_once() {
    let gone = Spent {
        ended_at: None,
        bytes: 0,
    };
    assert_eq!(to_forget(&[gone, spent(Span::default(), 1)], NOW), 1);
}

#[test]
fn however_small_they_are_only_so_many_are_kept() {
    let young = vec![spent(Span::minutes(1), 0); limits::PROCESSES_KEPT_MAX + 3];
    assert_eq!(to_forget(&young, NOW), 3);
    assert_eq!(to_forget(&young[3..], NOW), 0);
}
