use jiff::civil::DateTime;
use proptest::prelude::*;

use super::*;
use crate::time::Span;

fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap()
}

fn hour_of(number: i64) -> Hour {
    Hour::try_from(number).unwrap()
}

fn moment(text: &str) -> Timestamp {
    Timestamp::from_ms(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
}

/// The beginnings of `hour` that lie in `from..=to`, latest last.
fn beginnings(zone: &Zone, hour: i64, from: &str, to: &str) -> Vec<String> {
    let (from, mut now) = (moment(from), moment(to));
    let mut found = Vec::new();
    while let Some(at) = zone.last_at(hour_of(hour), now)
        && at >= from
    {
        found.insert(0, at.to_string().replace(":00.000Z", "Z"));
        now = at - Span::ms(1);
    }
    found
}

#[test]
fn an_ordinary_day_has_the_hour_where_the_clock_shows_it() {
    assert_eq!(
        beginnings(
            &zone("Europe/Berlin"),
            4,
            "2026-01-09T00:00:00Z",
            "2026-01-11T00:00:00Z"
        ),
        ["2026-01-09T03:00Z", "2026-01-10T03:00Z"]
    );
}

#[test]
fn the_moment_itself_has_begun_and_a_millisecond_before_has_not() {
    let (zone, hour) = (zone("Europe/Berlin"), hour_of(4));
    let at = moment("2026-01-10T03:00:00Z");
    assert_eq!(zone.last_at(hour, at), Some(at));
    assert_eq!(
        zone.last_at(hour, at - Span::ms(1)),
        Some(moment("2026-01-09T03:00:00Z"))
    );
}

#[test]
fn berlin_skips_two_o_clock_and_means_three() {
    assert_eq!(
        beginnings(
            &zone("Europe/Berlin"),
            2,
            "2026-03-28T00:00:00Z",
            "2026-03-30T12:00:00Z"
        ),
        [
            "2026-03-28T01:00Z",
            "2026-03-29T01:00Z",
            "2026-03-30T00:00Z"
        ]
    );
}

#[test]
fn berlin_shows_two_o_clock_twice_and_means_the_first() {
    assert_eq!(
        beginnings(
            &zone("Europe/Berlin"),
            2,
            "2026-10-24T00:00:00Z",
            "2026-10-26T12:00:00Z"
        ),
        [
            "2026-10-24T00:00Z",
            "2026-10-25T00:00Z",
            "2026-10-26T01:00Z"
        ]
    );
}

#[test]
fn new_york_skips_two_and_repeats_one() {
    let zone = zone("America/New_York");
    assert_eq!(
        beginnings(&zone, 2, "2026-03-08T00:00:00Z", "2026-03-09T12:00:00Z"),
        ["2026-03-08T07:00Z", "2026-03-09T06:00Z"]
    );
    assert_eq!(
        beginnings(&zone, 1, "2026-11-01T00:00:00Z", "2026-11-02T12:00:00Z"),
        ["2026-11-01T05:00Z", "2026-11-02T06:00Z"]
    );
}

#[test]
fn santiago_skips_midnight_and_repeats_the_last_hour_of_a_day() {
    let zone = zone("America/Santiago");
    assert_eq!(
        beginnings(&zone, 0, "2026-09-05T00:00:00Z", "2026-09-07T12:00:00Z"),
        [
            "2026-09-05T04:00Z",
            "2026-09-06T04:00Z",
            "2026-09-07T03:00Z"
        ]
    );
    assert_eq!(
        beginnings(&zone, 23, "2026-04-04T12:00:00Z", "2026-04-06T12:00:00Z"),
        ["2026-04-05T02:00Z", "2026-04-06T03:00Z"]
    );
    assert_eq!(
        beginnings(&zone, 0, "2026-04-04T12:00:00Z", "2026-04-06T12:00:00Z"),
        ["2026-04-05T04:00Z", "2026-04-06T04:00Z"]
    );
}

#[test]
fn lord_howe_skips_and_repeats_half_an_hour() {
    let zone = zone("Australia/Lord_Howe");
    // 02:00 becomes 02:30: the boundary is at half past, once.
    assert_eq!(
        beginnings(&zone, 2, "2026-10-02T20:00:00Z", "2026-10-04T20:00:00Z"),
        ["2026-10-03T15:30Z", "2026-10-04T15:00Z"]
    );
    // 02:00 becomes 01:30, so 02:00 comes once, half an hour later than the clock first reached it.
    assert_eq!(
        beginnings(&zone, 2, "2026-04-03T20:00:00Z", "2026-04-05T20:00:00Z"),
        ["2026-04-04T15:30Z", "2026-04-05T15:30Z"]
    );
    // 01:00 is before what repeats.
    assert_eq!(
        beginnings(&zone, 1, "2026-04-03T20:00:00Z", "2026-04-05T20:00:00Z"),
        ["2026-04-04T14:00Z", "2026-04-05T14:30Z"]
    );
}

#[test]
fn apia_left_out_a_day_and_has_no_boundary_for_it() {
    // Local days 28, 29, 31 December and 1 January; the 30th never was.
    assert_eq!(
        beginnings(
            &zone("Pacific/Apia"),
            4,
            "2011-12-28T12:00:00Z",
            "2011-12-31T20:00:00Z"
        ),
        [
            "2011-12-28T14:00Z",
            "2011-12-29T14:00Z",
            "2011-12-30T14:00Z",
            "2011-12-31T14:00Z"
        ]
    );
    // Two in the morning of the 31st: four o'clock was last on the 29th.
    assert_eq!(
        zone("Pacific/Apia").last_at(hour_of(4), moment("2011-12-30T12:00:00Z")),
        Some(moment("2011-12-29T14:00:00Z"))
    );
}

#[test]
fn casablanca_goes_back_for_ramadan_and_forward_after_it() {
    let zone = zone("Africa/Casablanca");
    assert_eq!(
        beginnings(&zone, 2, "2025-02-22T12:00:00Z", "2025-02-24T12:00:00Z"),
        ["2025-02-23T01:00Z", "2025-02-24T02:00Z"]
    );
    assert_eq!(
        beginnings(&zone, 2, "2025-04-05T12:00:00Z", "2025-04-07T12:00:00Z"),
        ["2025-04-06T02:00Z", "2025-04-07T01:00Z"]
    );
}

#[test]
fn troll_skips_two_hours_and_moves_each_by_both() {
    // 01:00 becomes 03:00 at 01:00 UTC, from when the clock is two hours ahead of UTC.
    let zone = zone("Antarctica/Troll");
    let of_the_day = |hour| beginnings(&zone, hour, "2026-03-29T00:30:00Z", "2026-03-29T12:00:00Z");
    assert_eq!(of_the_day(1), ["2026-03-29T01:00Z"]);
    assert_eq!(of_the_day(2), ["2026-03-29T02:00Z"]);
    assert_eq!(of_the_day(3), ["2026-03-29T01:00Z"]);
}

#[test]
fn a_midnight_that_comes_twice_stays_passed_when_the_clock_returns_to_the_day_before() {
    // In 2010 Newfoundland set its clocks back at 00:01, to 23:01 of the day before.
    let (zone, midnight) = (zone("America/St_Johns"), hour_of(0));
    let first = moment("2010-11-07T02:30:00Z");
    for minutes in [0, 1, 30, 60, 120] {
        assert_eq!(
            zone.last_at(midnight, first + Span::minutes(minutes)),
            Some(first)
        );
    }
}

#[test]
fn names_are_found_in_any_case_and_unknown_ones_are_refused_with_an_example() {
    assert_eq!(zone("europe/berlin").name(), "Europe/Berlin");
    assert_eq!(zone("utc").name(), "UTC");
    assert_eq!(Zone::utc().name(), "UTC");
    for name in ["Europe/Berln", "", "Etc/Unknown", "../passwd"] {
        let said = Zone::named(name).unwrap_err().to_string();
        assert!(said.contains(&format!("`{name}`")), "{said}");
        assert!(said.contains("Europe/Berlin"), "{said}");
    }
}

#[test]
fn a_day_has_the_hours_0_to_23() {
    for number in 0..24 {
        let hour = Hour::try_from(number).unwrap();
        assert_eq!(i64::from(hour), number);
        assert_eq!(hour.to_string(), format!("{number:02}:00"));
        assert_eq!(serde_json::to_value(hour).unwrap(), number);
    }
    for number in [-1, 24, 99, 256, 260, i64::MIN, i64::MAX] {
        assert_eq!(Hour::try_from(number), Err(NoSuchHour(number)));
        assert!(serde_json::from_value::<Hour>(number.into()).is_err());
    }
}

#[test]
fn outside_the_calendar_no_hour_begins() {
    for ms in [i64::MIN, i64::MAX] {
        assert_eq!(Zone::utc().last_at(Hour(4), Timestamp::from_ms(ms)), None);
    }
}

/// Zones of today whose clocks change by at most an hour, on the half hour.
const ZONES: [&str; 9] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "America/Havana",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Asia/Gaza",
    "Asia/Kathmandu",
];

/// The same answer from looking at the clock every quarter of an hour: the last time that it
/// showed the hour, or later, for the first time.
fn by_looking(zone: &Zone, hour: i64, now: Timestamp) -> Timestamp {
    let step = Span::minutes(15).as_ms();
    let latest = now.ms() / step;
    let shown = |count: i64| -> DateTime {
        let moment = jiff::Timestamp::from_millisecond(count * step).unwrap();
        zone.0.to_datetime(moment)
    };
    let mut furthest = shown(latest - 60 * 4);
    let mut found = 0;
    for count in latest - 60 * 4..=latest {
        let mark = shown(count).date().at(i8::try_from(hour).unwrap(), 0, 0, 0);
        if furthest < mark && mark <= shown(count) {
            found = count;
        }
        furthest = furthest.max(shown(count));
    }
    Timestamp::from_ms(found * step)
}

/// When the zone's clocks are next changed; `from` itself where they never are.
fn next_change(zone: &Zone, from: i64) -> i64 {
    let from = jiff::Timestamp::from_millisecond(from).unwrap();
    let change = zone.0.following(from).next();
    change
        .map_or(from, |change| change.timestamp())
        .as_millisecond()
}

proptest! {
    #[test]
    fn the_hour_begins_when_the_clock_first_shows_it_or_what_stands_for_it(
        name in prop::sample::select(&ZONES[..]),
        hour in 0_i64..24,
        // 2015 to 2035.
        year in 1_420_070_400_000_i64..2_051_222_400_000,
        around in -200_000_000_i64..200_000_000,
    ) {
        let zone = zone(name);
        let now = Timestamp::from_ms(next_change(&zone, year) + around);
        let last = zone.last_at(hour_of(hour), now);
        prop_assert_eq!(last, Some(by_looking(&zone, hour, now)));
    }

    #[test]
    fn the_last_beginning_never_moves_back_and_is_its_own_last_beginning(
        name in prop::sample::select(&ZONES[..]),
        hour in 0_i64..24,
        year in 0_i64..4_102_444_800_000,
        around in -200_000_000_i64..200_000_000,
        later in 0_i64..200_000_000,
    ) {
        let (zone, hour) = (zone(name), hour_of(hour));
        let now = Timestamp::from_ms(next_change(&zone, year) + around);
        let last = zone.last_at(hour, now).unwrap();
        prop_assert!(last <= now);
        prop_assert_eq!(zone.last_at(hour, last), Some(last));
        prop_assert!(zone.last_at(hour, now + Span::ms(later)).unwrap() >= last);
    }
}

#[test]
fn a_written_time_says_its_offset_or_is_read_off_the_clock_of_the_zone() {
    let berlin = Zone::named("Europe/Berlin").unwrap();
    let moment = |text: &str| berlin.moment(text).map(|moment| moment.to_string());
    for text in [
        "2026-03-01T09:00:00",
        "2026-03-01 09:00:00",
        "20260301T090000",
        "2026-03-01T09:00",
        "2026-03-01T08:00:00Z",
        "2026-03-01T10:00:00+02:00",
    ] {
        assert_eq!(
            moment(text).as_deref(),
            Some("2026-03-01T08:00:00.000Z"),
            "{text}"
        );
    }
    assert_eq!(
        moment("2026-03-01").as_deref(),
        Some("2026-02-28T23:00:00.000Z")
    );
    assert_eq!(moment("yesterday"), None);
}
