use super::super::state::State;
use super::*;

#[test]
fn tools_for_which_no_request_has_room_are_told_as_left_out() {
    let report = |(tools, left_out)| Report {
        name: "one".to_owned(),
        state: State::Ready,
        tools,
        left_out,
        why: None,
    };
    let reports = [(60, 0), (60, 2), (5, 0)].map(report);
    let told = within(100, reports.into_iter());
    let told: Vec<_> = told.iter().map(|one| (one.tools, one.left_out)).collect();
    assert_eq!(told, [(60, 0), (40, 22), (0, 5)]);
}
