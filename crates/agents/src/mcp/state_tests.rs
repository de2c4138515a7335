use super::*;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn one_that_worked_is_started_again_at_once_but_not_for_ever() {
    let (failures, pause) = next(0, Some(SECOND));
    assert_eq!((failures, pause), (1, Duration::ZERO));
    let (failures, pause) = next(failures, Some(SECOND));
    assert_eq!((failures, pause), (2, 2 * SECOND));
}

#[test]
fn pauses_grow_to_a_limit() {
    let mut failures = 0;
    let mut pauses = Vec::new();
    for _ in 0..10 {
        let pause;
        (failures, pause) = next(failures, None);
        pauses.push(pause);
    }
    assert_eq!(pauses[..3], [SECOND, 2 * SECOND, 4 * SECOND]);
    assert!(pauses.is_sorted());
    assert_eq!(pauses[9], limits::mcp::PAUSE_MAX.to_std());
    assert_eq!(next(u32::MAX, None).1, limits::mcp::PAUSE_MAX.to_std());
}

#[test]
fn a_long_life_is_a_clean_slate() {
    let steady = limits::mcp::STEADY.to_std();
    assert_eq!(next(7, Some(steady)), (1, Duration::ZERO));
}
