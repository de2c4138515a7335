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
        "12 (dying) R 2 -1 -1 0",
        "12 sh S 1 12 11",
    ] {
        assert_eq!(place_in(stat), None, "{stat}");
    }
}

#[test]
fn who_leads_a_session_is_its_member_until_it_is_dead() {
    let mut command = std::process::Command::new("sleep");
    command.arg("60");
    crate::apart::stand_apart(&mut command);
    let mut child = command.spawn().unwrap();
    let leader = Pid::from_child(&child);
    assert_eq!(members(leader).collect::<Vec<_>>(), [leader]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(members(leader).count(), 0);
}
