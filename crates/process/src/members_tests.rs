use super::*;

fn place(group: i32, session: i32) -> Option<Place> {
    Some(Place {
        group: Pid::from_raw(group)?,
        session: Pid::from_raw(session)?,
    })
}

#[test]
fn group_and_session_stand_after_the_name() {
    assert_eq!(place_in("12 (sh) S 1 12 11 0 -1"), place(12, 11));
    assert_eq!(place_in("12 (a ) Z 1 (b) R 1 12 11 0 -1"), place(12, 11));
}

#[test]
fn the_dead_belong_nowhere() {
    assert_eq!(place_in("12 (sh) Z 1 12 11 0 -1"), None);
    assert_eq!(place_in("12 (sh) X 1 12 11 0 -1"), None);
}

#[test]
fn what_is_no_stat_line_tells_nothing() {
    for stat in [
        "",
        "12 (sh) S 1",
        "12 (sh) S 1 12",
        "12 (kthread) S 2 0 0 0",
        "12 sh S 1 12 11",
    ] {
        assert_eq!(place_in(stat), None, "{stat}");
    }
}

#[test]
fn this_test_is_a_member_of_its_own_session() {
    let session = rustix::process::getsid(None).unwrap();
    assert!(members(session).any(|member| member == rustix::process::getpid()));
}
