use super::*;

#[test]
fn an_event_is_as_long_as_what_came_since_the_last_empty_line() {
    assert_eq!(longest(10, b"data: abc"), 19);
    assert_eq!(longest(10, b"data: abc\n\nxy"), 4);
    assert_eq!(longest(10, b"a\r\n\r\nb"), 4);
    assert_eq!(longest(0, b""), 0);
}
