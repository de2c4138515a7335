use super::linux::read_stat;
use super::*;

const LINE: &str = "12 (a) b) S 7 12 11 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4711 1 1";

#[test]
fn the_start_is_read_after_the_last_bracket_of_the_name() {
    let stat = read_stat(LINE).unwrap();
    assert_eq!((stat.parent, stat.start, stat.is_dead), (7, 4711, false));
}

#[test]
fn a_zombie_is_nobody() {
    assert!(read_stat(&LINE.replace(" S ", " Z ")).unwrap().is_dead);
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let pid = i32::try_from(child.id()).unwrap();
    while stat_of(pid).is_some_and(|stat| !stat.is_dead) {
        std::thread::yield_now();
    }
    assert_eq!(Identity::of(pid), None);
    child.wait().unwrap();
}

#[test]
fn we_are_ourselves_and_nobody_of_another_start_or_boot() {
    let us = Identity::of(i32::try_from(std::process::id()).unwrap()).unwrap();
    assert!(us.lives());
    let earlier = Identity {
        start: us.start - 1,
        ..us.clone()
    };
    let elsewhere = Identity {
        boot: "another".to_owned(),
        ..us
    };
    assert!(!earlier.lives());
    assert!(!elsewhere.lives());
}

#[test]
fn a_line_that_is_too_short_tells_nothing() {
    assert_eq!(read_stat(""), None);
    assert_eq!(read_stat("12 (sh) S 1 12 11"), None);
}
