use proptest::prelude::*;

use super::*;
use crate::time::Span;
use crate::zone::Hour;

fn moment(text: &str) -> Timestamp {
    Timestamp::from_ms(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
}

fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap()
}

fn policy(mode: Mode, at_hour: i64, idle_minutes: u32) -> ResetPolicy {
    ResetPolicy {
        mode,
        at_hour: Hour::try_from(at_hour).unwrap(),
        idle_minutes: idle_minutes.try_into().unwrap(),
        ..ResetPolicy::default()
    }
}

/// What happens to a conversation last active at `last` when somebody writes at `now`.
fn daily(name: &str, at_hour: i64, last: &str, now: &str) -> Option<Reason> {
    let policy = policy(Mode::Daily, at_hour, 1);
    decide(&policy, moment(last), moment(now), &zone(name), &[])
}

#[test]
fn a_conversation_ends_after_the_idle_time_not_at_it() {
    let policy = policy(Mode::Idle, 4, 30);
    let last = moment("2026-03-10T12:00:00Z");
    let after = |ms| decide(&policy, last, last + Span::ms(ms), &Zone::utc(), &[]);
    assert_eq!(after(30 * 60_000), None);
    assert_eq!(after(30 * 60_000 + 1), Some(Reason::Idle));
}

#[test]
fn idle_time_is_elapsed_time_also_in_the_night_that_clocks_change() {
    // 01:30 to 03:30 on the wall is one hour in spring and three in autumn.
    let policy = policy(Mode::Idle, 4, 90);
    let berlin = zone("Europe/Berlin");
    let spring = (
        moment("2026-03-29T00:30:00Z"),
        moment("2026-03-29T01:30:00Z"),
    );
    let autumn = (
        moment("2026-10-24T23:30:00Z"),
        moment("2026-10-25T02:30:00Z"),
    );
    assert_eq!(decide(&policy, spring.0, spring.1, &berlin, &[]), None);
    assert_eq!(
        decide(&policy, autumn.0, autumn.1, &berlin, &[]),
        Some(Reason::Idle)
    );
}

#[test]
fn a_conversation_ends_at_four_in_its_own_zone() {
    let (before, after) = ("2026-06-01T01:59:00Z", "2026-06-01T02:00:00Z");
    assert_eq!(
        daily("Europe/Berlin", 4, before, after),
        Some(Reason::Daily)
    );
    assert_eq!(daily("UTC", 4, before, after), None);
}

#[test]
fn where_the_hour_is_skipped_the_conversation_ends_when_the_clock_goes_on() {
    // Berlin, 29 March 2026: 01:59 is followed by 03:00, which is 01:00 UTC.
    let last = "2026-03-29T00:10:00Z";
    assert_eq!(
        daily("Europe/Berlin", 2, last, "2026-03-29T00:59:59Z"),
        None
    );
    assert_eq!(
        daily("Europe/Berlin", 2, last, "2026-03-29T01:00:00Z"),
        Some(Reason::Daily)
    );
}

#[test]
fn where_the_hour_is_repeated_the_conversation_ends_the_first_time_only() {
    // Berlin, 25 October 2026: 02:00 is at 00:00 UTC and again at 01:00 UTC.
    let between = "2026-10-25T00:30:00Z";
    assert_eq!(
        daily(
            "Europe/Berlin",
            2,
            "2026-10-24T23:59:59Z",
            "2026-10-25T00:00:00Z"
        ),
        Some(Reason::Daily)
    );
    assert_eq!(
        daily("Europe/Berlin", 2, between, "2026-10-25T01:00:00Z"),
        None
    );
    assert_eq!(
        daily("Europe/Berlin", 2, between, "2026-10-26T00:59:59Z"),
        None
    );
}

#[test]
fn a_day_that_never_was_ends_no_conversation() {
    // In Apia the 31st followed 29 December 2011: from 04:30 to 04:00 it was less than a day.
    let last = "2011-12-29T14:30:00Z";
    assert_eq!(daily("Pacific/Apia", 4, last, "2011-12-30T13:59:59Z"), None);
    assert_eq!(
        daily("Pacific/Apia", 4, last, "2011-12-30T14:00:00Z"),
        Some(Reason::Daily)
    );
}

#[test]
fn another_zone_moves_the_boundary_and_nothing_else() {
    let (last, now) = ("2026-06-01T03:30:00Z", "2026-06-01T05:00:00Z");
    assert_eq!(daily("Europe/Berlin", 4, last, now), None);
    assert_eq!(daily("UTC", 4, last, now), Some(Reason::Daily));
    let idle = policy(Mode::Idle, 4, 120);
    for name in ["Europe/Berlin", "UTC", "Pacific/Apia"] {
        let zone = zone(name);
        assert_eq!(decide(&idle, moment(last), moment(now), &zone, &[]), None);
    }
}

#[test]
fn a_running_command_keeps_its_conversation_until_it_is_too_old() {
    let policy = policy(Mode::Both, 4, 1);
    let now = moment("2026-03-10T12:00:00Z");
    let last = now - Span::days(30);
    let with = |live: &[Timestamp]| decide(&policy, last, now, &Zone::utc(), live);
    let (young, old) = (now - Span::hours(24) + Span::ms(1), now - Span::hours(24));
    assert_eq!(with(&[young]), None);
    assert_eq!(with(&[old]), Some(Reason::Idle));
    assert_eq!(with(&[old, young, old]), None);
    assert_eq!(with(&[now + Span::hours(1)]), None);
}

#[test]
fn without_an_age_limit_a_running_command_always_keeps_its_conversation() {
    let policy = ResetPolicy {
        process_max_age: None,
        ..policy(Mode::Both, 4, 1)
    };
    let now = moment("2026-03-10T12:00:00Z");
    let started = now - Span::days(400);
    assert_eq!(
        decide(&policy, started, now, &Zone::utc(), &[started]),
        None
    );
}

#[test]
fn a_clock_set_back_neither_ends_a_conversation_nor_makes_it_older() {
    let policy = policy(Mode::Both, 4, 1);
    let last = moment("2026-03-10T12:00:00Z");
    let earlier = last - Span::days(5);
    assert_eq!(decide(&policy, last, earlier, &Zone::utc(), &[]), None);
    assert_eq!(active(last, earlier), last);
    assert_eq!(active(earlier, last), last);
}

#[test]
fn the_ends_of_time_are_decided_too() {
    let (first, last) = (Timestamp::from_ms(i64::MIN), Timestamp::from_ms(i64::MAX));
    let policy = policy(Mode::Both, 4, u32::MAX);
    assert_eq!(
        decide(&policy, first, last, &Zone::utc(), &[]),
        Some(Reason::Idle)
    );
    assert_eq!(decide(&policy, last, first, &Zone::utc(), &[first]), None);
}

const ZONES: [&str; 8] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Pacific/Apia",
];

/// Five years around the day that Apia left out, with Newfoundland's odd midnights before it.
const TIMES: std::ops::Range<i64> = 1_262_304_000_000..1_420_070_400_000;

prop_compose! {
    fn any_zone()(name in prop::sample::select(&ZONES[..])) -> Zone {
        zone(name)
    }
}

prop_compose! {
    fn any_policy(mode: Mode)(hour in 0_i64..24, minutes in 1_u32..5_000) -> ResetPolicy {
        policy(mode, hour, minutes)
    }
}

fn any_mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(&[Mode::None, Mode::Idle, Mode::Daily, Mode::Both][..])
}

proptest! {
    /// P1, and the same for the day's hour.
    #[test]
    fn what_has_ended_stays_ended(
        policy in any_mode().prop_flat_map(any_policy),
        zone in any_zone(),
        last in TIMES,
        past in 0_i64..500_000_000,
        later in 0_i64..500_000_000,
    ) {
        let last = Timestamp::from_ms(last);
        let now = last + Span::ms(past);
        let first = decide(&policy, last, now, &zone, &[]);
        let then = decide(&policy, last, now + Span::ms(later), &zone, &[]);
        prop_assert!(first.is_none() || then.is_some());
        prop_assert!(first != Some(Reason::Idle) || then == Some(Reason::Idle));
    }

    /// P2.
    #[test]
    fn both_is_idle_or_else_daily(
        both in any_policy(Mode::Both),
        zone in any_zone(),
        last in TIMES,
        past in -500_000_000_i64..500_000_000,
    ) {
        let last = Timestamp::from_ms(last);
        let with = |mode| {
            let policy = ResetPolicy { mode, ..both.clone() };
            decide(&policy, last, last + Span::ms(past), &zone, &[])
        };
        prop_assert_eq!(with(Mode::Both), with(Mode::Idle).or(with(Mode::Daily)));
    }

    /// P3.
    #[test]
    fn nothing_ends_without_a_mode_or_beside_young_work(
        policy in any_mode().prop_flat_map(any_policy),
        zone in any_zone(),
        last in TIMES,
        past in 0_i64..5_000_000_000,
        age in -1_000_i64..86_400_000,
        old in prop::collection::vec(86_400_000_i64..900_000_000, 0..3),
    ) {
        let last = Timestamp::from_ms(last);
        let now = last + Span::ms(past);
        let old: Vec<_> = old.into_iter().map(|age| now - Span::ms(age)).collect();
        let mut live = old.clone();
        live.push(now - Span::ms(age));
        let never = ResetPolicy { mode: Mode::None, ..policy.clone() };
        prop_assert_eq!(decide(&policy, last, now, &zone, &live), None);
        prop_assert_eq!(decide(&never, last, now, &zone, &[]), None);
        prop_assert_eq!(
            decide(&policy, last, now, &zone, &old),
            decide(&policy, last, now, &zone, &[])
        );
    }

    /// P4.
    #[test]
    fn a_boundary_ends_a_conversation_once(
        policy in any_policy(Mode::Daily),
        zone in any_zone(),
        start in TIMES,
        pauses in prop::collection::vec(0_i64..40_000_000, 1..40),
    ) {
        let mut last = Timestamp::from_ms(start);
        let mut spent = Vec::new();
        for pause in pauses {
            let now = last + Span::ms(pause);
            if decide(&policy, last, now, &zone, &[]).is_some() {
                spent.push(zone.last_at(policy.at_hour, now).unwrap());
            }
            last = active(last, now);
        }
        prop_assert!(spent.is_sorted_by(|one, next| one < next), "{:?}", spent);
    }

    /// P5.
    #[test]
    fn what_is_active_now_goes_on(
        policy in any_mode().prop_flat_map(any_policy),
        zone in any_zone(),
        now in any::<i64>(),
    ) {
        let now = Timestamp::from_ms(now);
        prop_assert_eq!(decide(&policy, now, now, &zone, &[]), None);
    }
}
