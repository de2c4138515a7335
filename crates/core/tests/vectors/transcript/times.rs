//! Times in front of messages, and times from elsewhere.

use angelia_core::time::Timestamp;
use angelia_core::transcript::stamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Stamped {
    id: String,
    timezone: String,
    content: String,
    stored_timestamp: Value,
    clean_content: String,
    embedded_epoch: Value,
    rendered: String,
}

#[derive(Deserialize)]
struct Coerced {
    id: String,
    timezone: String,
    value: Value,
    expected_epoch: Value,
}

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap_or_else(|why| panic!("{name}: {why}"))
}

#[test]
fn messages_are_stripped_and_shown_with_the_reference_s_times() {
    for case in cases::<Stamped>("sessions/message_timestamps.json") {
        let zone = zone(&case.timezone);
        let stripped = stamp::strip(&case.content, &zone);
        assert_eq!(stripped.text, case.clean_content, "{}", case.id);
        let embedded = stamp::moment(&case.embedded_epoch, &zone);
        assert_eq!(stripped.at, embedded, "{}", case.id);
        let stored = stamp::moment(&case.stored_timestamp, &zone);
        let rendered = stamp::render(&case.content, stored, &zone);
        assert_eq!(rendered, case.rendered, "{}", case.id);
    }
}

#[derive(Deserialize)]
struct Arrived {
    id: String,
    tz: String,
    content: String,
    timestamp: Value,
    stripped: String,
    embedded_epoch: Value,
    rendered: String,
}

#[test]
fn messages_on_their_way_in_are_stripped_and_shown_the_same() {
    for case in cases::<Arrived>("gateway/message_timestamps.json") {
        let zone = zone(&case.tz);
        let stripped = stamp::strip(&case.content, &zone);
        assert_eq!(stripped.text, case.stripped, "{}", case.id);
        let embedded = stamp::moment(&case.embedded_epoch, &zone);
        assert_eq!(stripped.at, embedded, "{}", case.id);
        let stored = stamp::moment(&case.timestamp, &zone);
        let rendered = stamp::render(&case.content, stored, &zone);
        assert_eq!(rendered, case.rendered, "{}", case.id);
    }
}

/// Whole milliseconds of the reference's seconds, if they are a moment in the calendar.
fn millis(epoch: &Value) -> Option<Timestamp> {
    let seconds = epoch.as_f64()?;
    let whole = jiff::SignedDuration::try_from_secs_f64(seconds).ok()?;
    let moment = jiff::Timestamp::from_duration(whole).ok()?;
    Some(Timestamp::from_ms(moment.as_millisecond()))
}

/// Hazard 6: a truth value is no time, and what is endless or outside the calendar cannot be compared.
fn names_no_moment(case: &Coerced) -> bool {
    case.value.is_boolean() || millis(&case.expected_epoch).is_none()
}

#[test]
fn values_are_read_as_the_reference_s_times_unless_they_name_no_moment() {
    let (mut same, mut refused) = (0, 0);
    for case in cases::<Coerced>("sessions/timestamp_coercion.json") {
        let ours = stamp::moment(&case.value, &zone(&case.timezone));
        if case.expected_epoch.is_null() || !names_no_moment(&case) {
            assert_eq!(ours, millis(&case.expected_epoch), "{}", case.id);
            same += 1;
        } else {
            assert_eq!(ours, None, "{}", case.id);
            refused += 1;
        }
    }
    eprintln!("{same} the same, {refused} refused");
}
