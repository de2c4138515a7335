use std::time::Duration;

use super::*;

#[test]
fn lines_come_whole_and_bounded() {
    let mut lines = Lines::default();
    assert_eq!(lines.take(b"one\r\ntw"), ["one"]);
    assert_eq!(lines.take(b"o\n\n"), ["two"]);
    let long = vec![b'x'; 10 * limits::mcp::COMPLAINT_BYTES_MAX];
    assert_eq!(lines.take(&long), [""; 0]);
    let line = &lines.take(b"\nnext\n")[0];
    assert_eq!(line.len(), limits::mcp::COMPLAINT_BYTES_MAX);
}

#[tokio::test(start_paused = true)]
async fn so_many_lines_a_minute_and_no_more() {
    let begun = Instant::now();
    let mut pace = Pace::new(begun);
    let told: Vec<Told> = (0..1_000).map(|_| pace.next(begun)).collect();
    let whole = told.iter().filter(|told| **told != Told::Nothing);
    assert_eq!(whole.count(), limits::mcp::COMPLAINTS_PER_MINUTE);
    assert!(told.contains(&Told::Last));
    let later = begun + Duration::from_secs(61);
    assert_eq!(pace.next(later), Told::Whole);
}
