//! Times for people: how long ago, and at what hour.

use angelia_core::time::{Span, Timestamp};

/// How long before `now` a moment was, in its largest unit: `12s ago`. Future moments are `in 12s`.
pub(crate) fn relative(now: Timestamp, then: Timestamp) -> String {
    let (past, future) = (now.since(then), then.since(now));
    match (past.as_ms(), future.as_ms()) {
        (0..1_000, 0..1_000) => "now".to_owned(),
        (_, 0) => format!("{} ago", short(past)),
        _ => format!("in {}", short(future)),
    }
}

/// A length of time in its largest unit: `850ms`, `12s`, `5m`, `3h`, `9d`.
pub(crate) fn short(length: Span) -> String {
    let ms = length.as_ms();
    let units = [
        (86_400_000, "d"),
        (3_600_000, "h"),
        (60_000, "m"),
        (1_000, "s"),
    ];
    let largest = units.into_iter().find(|(size, _)| ms >= *size);
    largest.map_or_else(
        || format!("{ms}ms"),
        |(size, unit)| format!("{}{unit}", ms / size),
    )
}

/// Day and hour in a zone, to the millisecond.
pub(crate) fn civil(moment: Timestamp, zone: &jiff::tz::TimeZone) -> String {
    match jiff::Timestamp::from_millisecond(moment.ms()) {
        Ok(at) => at
            .to_zoned(zone.clone())
            .strftime("%Y-%m-%d %H:%M:%S%.3f")
            .to_string(),
        Err(_) => moment.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_told_in_its_largest_unit() {
        let now = Timestamp::from_ms(1_000_000_000);
        let told = |ago: Span| relative(now, now - ago);
        assert_eq!(told(Span::ms(999)), "now");
        assert_eq!(told(Span::seconds(59)), "59s ago");
        assert_eq!(told(Span::seconds(61)), "1m ago");
        assert_eq!(told(Span::hours(23)), "23h ago");
        assert_eq!(told(Span::days(9)), "9d ago");
        assert_eq!(relative(now, now + Span::seconds(30)), "in 30s");
    }

    #[test]
    fn the_hour_is_that_of_the_zone() {
        let zone = jiff::tz::TimeZone::get("Asia/Tokyo").unwrap();
        assert_eq!(
            civil(Timestamp::from_ms(0), &zone),
            "1970-01-01 09:00:00.000"
        );
    }
}
