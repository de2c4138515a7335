use super::*;

use crate::time::Span;

/// 2026-11-16, 23:30 in Berlin.
const LATE: Timestamp = Timestamp::from_ms(1_794_868_200_000);

fn day(zone: &str, at: Timestamp) -> Day {
    let zone = Zone::named(zone).unwrap();
    Day { zone, at }
}

#[test]
fn the_line_has_the_weekday_the_date_and_the_zone() {
    let line = day("Europe/Berlin", LATE).line();
    assert_eq!(line, "Date: Monday, 2026-11-16 (Europe/Berlin)");
}

#[test]
fn the_day_is_that_of_the_zone() {
    let after_midnight = LATE + Span::minutes(31);
    let line = day("Europe/Berlin", after_midnight).line();
    assert_eq!(line, "Date: Tuesday, 2026-11-17 (Europe/Berlin)");
    let line = day("UTC", after_midnight).line();
    assert_eq!(line, "Date: Monday, 2026-11-16 (UTC)");
}

#[test]
fn a_day_says_the_same_from_morning_to_night() {
    let (morning, night) = (LATE - Span::hours(20), LATE);
    let day = day("Europe/Berlin", night);
    assert_eq!(day.line_at(morning), day.line());
}
