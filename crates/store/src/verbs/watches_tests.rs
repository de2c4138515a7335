use angelia_core::process::watch::scan::Last;

use super::*;

/// A change of this text is a change of the rows.
#[test]
fn the_stored_form_of_a_watch_stays() {
    let mut watching = Watching::default();
    watching.scan.read(&["x".to_owned()], "x");
    let found = Found {
        pattern: "x".into(),
        lines: "x".into(),
        count: 1,
        last: Last::Whole,
    };
    let now = angelia_core::time::Timestamp::from_ms(1_000_000);
    let mut pace = Pace::default();
    let judged = pace::judge(&mut watching.rate, &mut pace, found, now);
    assert_eq!(
        rows::versioned(&watching).ok().unwrap(),
        r#"{"v":1,"body":{"looks":0,"place":0,"scan":{"line":"told"},"rate":{"rests_until":1015000,"rest":"quiet","strikes":0,"suppressed":0}}}"#
    );
    assert_eq!(
        rows::versioned(&pace).ok().unwrap(),
        r#"{"v":1,"body":{"since":1000000,"told":1,"paused_until":null,"missed":0}}"#
    );
    assert_eq!(
        rows::versioned(&judged.news[0]).ok().unwrap(),
        r#"{"v":1,"body":{"kind":"hit","pattern":"x","lines":"x","suppressed":0}}"#
    );
}
