use super::*;

#[test]
fn every_state_has_its_own_name() {
    let ends = [
        End::Itself(How::Exited(0)),
        End::Itself(How::Signalled(9)),
        End::Killed(How::Signalled(15)),
        End::Failed("no shell".into()),
        End::Lost,
    ];
    let states = [State::Starting, State::Running];
    let mut names: Vec<&str> = states.iter().map(State::name).collect();
    names.extend(ends.iter().map(End::name));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn a_killed_process_tells_how_it_really_ended() {
    let end = End::Killed(How::Exited(3));
    assert_eq!(end.how().and_then(How::code), Some(3));
    assert_eq!(end.to_string(), "was killed: it exited with code 3");
    assert_eq!(End::Lost.how(), None);
}

#[test]
fn a_mode_is_read_by_its_name() {
    for mode in [Mode::Pipe, Mode::Pty] {
        assert_eq!(mode.name().parse(), Ok(mode));
    }
    assert!("window".parse::<Mode>().is_err());
}
