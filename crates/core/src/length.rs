//! Lengths of time as people write them: `60s`, `1h 30m`, `90d`.
//!
//! A day is 24 hours and a week seven days: what is measured here are lengths, not dates, so daylight
//! saving does not touch them. Months and years have no length and are refused.

use jiff::{SpanRelativeTo, Unit};

use crate::time::Span;

/// The length that was written, if it is one: not negative, whole milliseconds.
pub fn read(text: &str) -> Option<Span> {
    let written: jiff::Span = text.parse().ok()?;
    let days = SpanRelativeTo::days_are_24_hours();
    let is_calendar = written.get_months() != 0 || written.get_years() != 0;
    if is_calendar || written.is_negative() {
        return None;
    }
    let ms = written.total((Unit::Millisecond, days)).ok()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a length of thousands of years is still far below 2^53 milliseconds"
    )]
    let whole = ms.trunc() as i64;
    Some(Span::ms(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_people_write_them() {
        assert_eq!(read("60s"), Some(Span::seconds(60)));
        assert_eq!(read("1h 30m"), Some(Span::minutes(90)));
        assert_eq!(read("1 minute 30 seconds"), Some(Span::seconds(90)));
        assert_eq!(read("90d"), Some(Span::days(90)));
        assert_eq!(read("2 weeks"), Some(Span::days(14)));
        assert_eq!(read("0s"), Some(Span::ms(0)));
    }

    #[test]
    fn what_has_no_length_is_refused() {
        for text in ["", "0", "5", "-5s", "1mo", "1y", "soon", "5 s s"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
