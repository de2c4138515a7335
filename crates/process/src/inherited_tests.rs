use std::process::{Command, Stdio};

use super::*;

#[test]
fn a_child_from_before_is_seen_to_end() {
    let mut child = Command::new("cat")
        .stdin(Stdio::piped())
        .spawn()
        .expect("cat can be started");
    let mut inherited = Inherited::find();
    let own = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    inherited.0.retain(|pid| Some(*pid) == own);
    assert_eq!(inherited.len(), 1);
    inherited.reap();
    assert_eq!(inherited.len(), 1, "it lives");
    drop(child.stdin.take());
    while !inherited.is_empty() {
        inherited.reap();
        std::thread::yield_now();
    }
    assert!(child.wait().is_err(), "nobody else can wait for it");
}
