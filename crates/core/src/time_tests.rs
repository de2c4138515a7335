use super::*;

#[test]
fn a_moment_prints_as_rfc_3339_with_milliseconds() {
    assert_eq!(
        Timestamp::from_ms(1_763_000_000_007).to_string(),
        "2025-11-13T02:13:20.007Z"
    );
    assert_eq!(
        Timestamp::from_ms(0).to_string(),
        "1970-01-01T00:00:00.000Z"
    );
}

#[test]
fn arithmetic_stops_at_the_ends_instead_of_wrapping() {
    assert_eq!(
        Timestamp::from_ms(i64::MAX) + Span::days(1),
        Timestamp::from_ms(i64::MAX)
    );
    assert_eq!(
        Timestamp::from_ms(5).since(Timestamp::from_ms(9)),
        Span::ms(0)
    );
    assert!(!Timestamp::from_ms(i64::MAX).to_string().is_empty());
}
