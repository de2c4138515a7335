use super::*;

use std::process::{Child, Command, Stdio};

fn family() -> (Child, i32) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "sleep 60 & echo $!; wait"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut output, &mut line).unwrap();
    (child, line.trim().parse().unwrap())
}

#[test]
fn both_ways_find_children_and_their_children() {
    let (mut child, grandchild) = family();
    let us = i32::try_from(std::process::id()).unwrap();
    let pid = i32::try_from(child.id()).unwrap();
    for found in [by_lists(us), by_scan(us)] {
        assert!(
            found.contains(&pid) && found.contains(&grandchild),
            "{found:?}"
        );
        assert!(!found.contains(&us));
    }
    assert_eq!(by_scan(pid), [grandchild]);
    signal_once(grandchild, &[Signal::KILL], &mut BTreeSet::new());
    child.wait().unwrap();
}

#[test]
fn nobody_is_below_one_who_is_not_there() {
    assert!(by_lists(i32::MAX).is_empty());
    assert!(by_scan(i32::MAX).is_empty());
}
