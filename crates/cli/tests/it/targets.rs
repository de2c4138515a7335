//! Commands in another place, through the real binary: what `[terminal]` says holds for both kinds.

use rustix::process::Signal;

use crate::processes::{Held, end, ended};

/// A place on this machine that can be told from the gateway's own.
const ELSEWHERE: &str = r#"
[terminal]
backend = "template"

[terminal.template]
command = ["env", "-i", "PATH=/usr/bin:/bin", "HOME=/", "PLACE=elsewhere", "sh", "-s"]
"#;

/// A place that nobody reaches.
const NOWHERE: &str = r#"
[terminal]
backend = "template"

[terminal.template]
command = ["sh", "-c", "echo the bridge is up >&2; exit 1"]
"#;

#[test]
fn commands_run_where_the_settings_say() {
    let held = Held::new();
    held.world.configure(ELSEWHERE);
    let _gateway = held.world.serve();
    let said = held.world.ok(&["chat", "run echo $PLACE; exit 3"]);
    assert_eq!(said, "elsewhere\n[exit 3]\n");
    let id = held.start("echo $PLACE; kill -9 $$");
    ended(&held.told(&id), "signalled", None, Some(9));
    assert_eq!(held.log(&id), "elsewhere\n");
}

#[test]
fn a_command_elsewhere_outlives_the_gateway() {
    let held = Held::new();
    held.world.configure(ELSEWHERE);
    let gateway = held.world.serve();
    let reader = held.start("echo $PLACE; read x; echo got $x; exit 5");
    let sleeper = held.start("exec sleep 1000");
    end(gateway, Signal::KILL);
    let _gateway = held.world.serve();
    held.world.ok(&["processes", "write", &reader, "hello"]);
    ended(&held.told(&reader), "exited", Some(5), None);
    assert_eq!(held.log(&reader), "elsewhere\ngot hello\n");
    held.world.ok(&["processes", "kill", &sleeper]);
    ended(&held.told(&sleeper), "killed", None, Some(15));
}

#[test]
fn a_place_that_nobody_reaches_runs_nothing_and_says_why() {
    let held = Held::new();
    held.world.configure(NOWHERE);
    let _gateway = held.world.serve();
    for wish in ["run echo never", "start echo never"] {
        let said = held.world.ok(&["chat", wish]);
        assert!(said.contains("the bridge is up"), "{said}");
    }
}
