use super::*;
use crate::time::Span;

const NOW: Timestamp = Timestamp::from_ms(100_000_000);

fn unused(ago: Span, bytes: u64) -> Unused {
    Unused {
        kept_at: NOW - ago,
        bytes,
    }
}

#[test]
fn a_picture_that_was_just_brought_waits_for_its_message() {
    let all = [
        unused(Span::hours(2), 1),
        unused(Span::hours(1), 1),
        unused(Span::minutes(59), 1),
    ];
    assert_eq!(to_forget(&all, 3, NOW), 2);
}

#[test]
fn when_disk_is_short_the_oldest_go_first_and_no_more_than_needed() {
    let all = [unused(Span::seconds(2), 10), unused(Span::seconds(1), 10)];
    let tight = limits::MEDIA_BYTES_TIGHT;
    assert_eq!(to_forget(&all, tight, NOW), 0);
    assert_eq!(to_forget(&all, tight + 1, NOW), 1);
    assert_eq!(to_forget(&all, tight + 11, NOW), 2);
}
