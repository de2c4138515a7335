//! Starts that are refused, with words that help.

use std::fs;
use std::net::TcpListener;

use rustix::process::Signal;

use crate::world::World;

#[test]
fn a_second_gateway_on_the_same_home_is_refused() {
    let world = World::new();
    let gateway = world.serve();
    let refused = world.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, Some(1));
    let who = format!(
        "pid {}, at http://{}",
        gateway.running.pid(),
        gateway.address
    );
    assert!(refused.stderr.contains(&who), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("`angelia serve --replace`"),
        "{}",
        refused.stderr
    );
    assert!(
        world.home().join("gateway.json").exists(),
        "the refused one touched nothing"
    );
    assert_eq!(world.ok(&["chat", "echo hi"]), "hi\n");
}

#[test]
fn an_address_in_use_is_named_with_a_way_out() {
    let world = World::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = world.run(&["serve", "--listen", &address]);
    assert_eq!(refused.code, Some(1));
    let said = format!("error: cannot listen on {address}: Address already in use");
    assert!(refused.stderr.contains(&said), "{}", refused.stderr);
    assert!(
        refused
            .stderr
            .contains("hint: another program listens there"),
        "{}",
        refused.stderr
    );
    assert!(!world.home().join("gateway.json").exists());
}

#[test]
fn a_home_that_cannot_be_written_is_named() {
    let world = World::new();
    fs::write(world.home(), "a file").unwrap();
    let refused = world.run(&["serve"]);
    assert_eq!(refused.code, Some(1));
    let said = format!("error: the home {} cannot be used", world.home().display());
    assert!(refused.stderr.contains(&said), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("hint: choose another directory"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_database_of_a_newer_release_is_left_alone() {
    let world = World::new();
    let gateway = world.serve();
    gateway.running.signal(Signal::TERM);
    assert_eq!(gateway.running.end().code, Some(0));
    // The version stands in the header of the file, as four bytes at offset 60.
    let path = world.home().join("angelia.db");
    let mut bytes = fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&99u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    let refused = world.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("was written by a newer release"),
        "{}",
        refused.stderr
    );
    assert!(
        refused.stderr.contains("it has version 99"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_configuration_with_errors_starts_nothing() {
    let world = World::new();
    world.configure("listn = 1\n[busy]\nmode = 2\n");
    let refused = world.run(&["serve"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("line 1: unknown key `listn`"),
        "{}",
        refused.stderr
    );
    assert!(
        refused.stderr.contains("line 3: `busy.mode` must be"),
        "{}",
        refused.stderr
    );
    assert!(!world.home().join("angelia.db").exists());
}

#[test]
fn a_log_level_that_cannot_be_read_is_named() {
    let world = World::new();
    let mut command = world.command(&["serve"]);
    command.env("ANGELIA_LOG", "a=b=c");
    let refused = crate::world::ended(command);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("ANGELIA_LOG is \"a=b=c\""),
        "{}",
        refused.stderr
    );
}

#[test]
fn commands_without_a_gateway_say_how_to_start_one() {
    let world = World::new();
    let said = format!(
        "error: no gateway is running for {}\nhint: start it with `angelia serve`",
        world.home().display()
    );
    for args in [
        &["status"][..],
        &["chat", "hi"],
        &["sessions", "list"],
        &["outbox", "list"],
    ] {
        let refused = world.run(args);
        assert_eq!(refused.code, Some(1), "{args:?}");
        assert!(
            refused.stderr.starts_with(&said),
            "{args:?}: {}",
            refused.stderr
        );
    }
    assert!(!world.home().exists(), "looking makes nothing");
}

#[test]
fn facts_of_a_killed_gateway_do_not_count() {
    let world = World::new();
    let gateway = world.serve();
    gateway.running.signal(Signal::KILL);
    gateway.running.end();
    let refused = world.run(&["chat", "hi"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("no gateway is running for"),
        "{}",
        refused.stderr
    );
}

#[test]
fn wrong_usage_has_a_code_of_its_own() {
    let world = World::new();
    for args in [
        &["serv"][..],
        &["trace", "nonsense"],
        &["sessions", "list", "-n", "0"],
        &[],
    ] {
        assert_eq!(world.run(args).code, Some(2), "{args:?}");
    }
}
