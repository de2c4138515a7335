use proptest::prelude::*;
use serde_json::json;

use super::*;

fn berlin() -> TimeZone {
    TimeZone::get("Europe/Berlin").unwrap()
}

fn at(text: &str) -> Timestamp {
    moment(&json!(text), &TimeZone::UTC).unwrap()
}

#[test]
fn a_message_is_shown_with_one_time_in_the_configured_zone() {
    let stored = Some(at("2026-04-28T11:40:53Z"));
    assert_eq!(
        render("hi", stored, &berlin()),
        "[Tue 2026-04-28 13:40:53 CEST] hi"
    );
    assert_eq!(
        render("", stored, &berlin()),
        "[Tue 2026-04-28 13:40:53 CEST]"
    );
    assert_eq!(render("hi", None, &berlin()), "hi");
}

#[test]
fn the_time_nearest_to_the_text_that_can_be_read_counts() {
    let message =
        "[2026-01-01T00:00:00Z] [Tue 2026-04-28 13:40:53] [Tue 2026-13-45 13:40:53 UTC] x";
    let stripped = strip(message, &berlin());
    assert_eq!(stripped.text, "x");
    assert_eq!(stripped.at, Some(at("2026-04-28T11:40:53Z")));
}

#[test]
fn brackets_that_only_look_similar_stay() {
    for message in [
        "[ann] x",
        "[tue 2026-04-28 13:40:53] x",
        "[2026-04-28] x",
        "[Tue 2026-04-28 13:40:53",
        " [2026-04-28T1] x",
    ] {
        assert_eq!(
            strip(message, &berlin()),
            Stripped {
                text: message,
                at: None
            }
        );
    }
}

#[test]
fn an_hour_that_is_skipped_or_shown_twice_has_one_meaning() {
    let gap = strip("[Sun 2026-03-29 02:30:00] x", &berlin()).at;
    assert_eq!(gap, Some(at("2026-03-29T01:30:00Z")));
    let twice = strip("[Sun 2026-10-25 02:30:00 CET] x", &berlin()).at;
    assert_eq!(twice, Some(at("2026-10-25T00:30:00Z")));
}

#[test]
fn a_value_that_names_no_moment_is_none() {
    let values = [
        json!(null),
        json!(true),
        json!([1]),
        json!("nan"),
        json!("-inf"),
        json!(1e300),
        json!("soon"),
        json!(""),
    ];
    for value in values {
        assert_eq!(moment(&value, &berlin()), None, "{value}");
    }
}

#[test]
fn numbers_texts_and_dates_name_moments() {
    let millis = |value| moment(&value, &berlin()).map(Timestamp::ms);
    assert_eq!(millis(json!(1_777_376_453.25)), Some(1_777_376_453_250));
    assert_eq!(millis(json!(" -5 ")), Some(-5_000));
    assert_eq!(millis(json!("2026-04-28")), Some(1_777_327_200_000));
    assert_eq!(
        millis(json!("[Tue 2026-04-28 13:40:53 UTC]")),
        Some(1_777_376_453_000)
    );
}

proptest! {
    #[test]
    fn rendering_again_changes_nothing(
        text in "(\\[Tue 2026-04-28 13:40:53\\] |\\[2026-99-99T1\\]|\\[|\\]|[a-c ]){0,6}",
        seconds in prop::option::of(-4_000_000_000i64..4_000_000_000),
    ) {
        let stored = seconds.map(|seconds| Timestamp::from_ms(seconds * 1_000));
        let once = render(text.trim_start(), stored, &TimeZone::UTC);
        prop_assert_eq!(render(&once, stored, &TimeZone::UTC), once);
    }

    #[test]
    fn what_is_stripped_has_no_prefix_left(text in "(\\[Tue 2026-04-28 13:40:53( UTC)?\\] ?|\\[2026-04-28T10\\]|[a-c\\[\\] ]){0,6}") {
        let stripped = strip(&text, &TimeZone::UTC);
        prop_assert!(prefix(stripped.text).is_none());
        prop_assert!(text.ends_with(stripped.text));
    }
}
