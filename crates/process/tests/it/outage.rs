//! A gateway is killed outright, and another finds everything again.

use std::fs;

use angelia_process::exit::How;
use angelia_process::held::{Found, adopt};
use rustix::process::Signal;

use crate::world::{Gateway, World, end, gone, said, says, until};

/// Counts until it is told to stop.
const TALKER: &str = "trap 'echo end; exit 0' TERM; n=0; while [ ! -e stop ]; \
                      do n=$((n+1)); echo line $n; done; echo end; exit 5";

fn assert_counted(text: &str) {
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.last(), Some(&"end"));
    for (index, line) in lines[..lines.len() - 1].iter().enumerate() {
        assert_eq!(*line, format!("line {}", index + 1));
    }
}

#[tokio::test]
async fn no_byte_of_a_talking_process_is_missing_after_its_gateway_was_killed() {
    let world = World::new();
    let mut gateway = Gateway::start();
    for (name, spec) in [
        ("pipe", world.spec(TALKER)),
        ("tty", world.on_terminal(TALKER)),
    ] {
        gateway.spawn(&world.path(name), &spec);
    }
    let (pipe, tty) = (world.adopt("pipe").await, world.adopt("tty").await);
    says(&pipe, "line 100\n").await;
    says(&tty, "line 100\r\n").await;
    gateway.kill();
    let heard = (said(&pipe).len(), said(&tty).len());
    until(|| (said(&pipe).len() > heard.0 && said(&tty).len() > heard.1).then_some(())).await;
    fs::write(world.path("stop"), "").unwrap();
    let (pipe, tty) = match (
        adopt(world.path("pipe")).await,
        adopt(world.path("tty")).await,
    ) {
        (Ok(Found::Running(_) | Found::Ended(_)), Ok(Found::Running(_) | Found::Ended(_))) => {
            (pipe, tty)
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(end(&pipe).await, How::Exited(5));
    assert_eq!(end(&tty).await, How::Exited(5));
    assert_counted(&said(&pipe));
    assert_counted(&said(&tty));
}

#[tokio::test]
async fn who_waits_for_input_still_hears_the_next_gateway() {
    let world = World::new();
    let mut gateway = Gateway::start();
    let text = "read line; echo got $line; exit 7";
    gateway.spawn(&world.path("pipe"), &world.spec(text));
    gateway.spawn(&world.path("tty"), &world.on_terminal(text));
    gateway.kill();
    for name in ["pipe", "tty"] {
        let held = world.adopt(name).await;
        held.write(b"hello\n").await.unwrap();
        assert_eq!(end(&held).await, How::Exited(7));
        assert!(said(&held).contains("got hello"), "{}", said(&held));
    }
}

#[tokio::test]
async fn ends_during_the_outage_are_found_as_they_were() {
    let world = World::new();
    let mut gateway = Gateway::start();
    let wait = "while [ ! -e go ]; do sleep 0.01; done;";
    for (name, last) in [("code", "exit 3"), ("signal", "kill -9 $$")] {
        gateway.spawn(
            &world.path(name),
            &world.spec(&format!("{wait} echo last; {last}")),
        );
    }
    let holders = ["code", "signal"].map(|name| world.holder(name));
    gateway.kill();
    fs::write(world.path("go"), "").unwrap();
    for holder in holders {
        gone(holder).await;
    }
    for (name, how) in [("code", How::Exited(3)), ("signal", How::Signalled(9))] {
        match adopt(world.path(name)).await.unwrap() {
            Found::Ended(exit) => assert_eq!((exit.how, exit.log_bytes), (how, 5)),
            other @ (Found::Running(_) | Found::Lost | Found::Absent) => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_process_outlives_the_session_and_the_group_of_whoever_started_its_gateway() {
    let world = World::new();
    let mut gateway = Gateway::start();
    gateway.spawn(&world.path("p"), &world.spec("read line; exit 4"));
    let both = [world.holder("p"), world.child("p")];
    // Our own session cannot be asked for: its leader may be outside of what we can see.
    let sessions = both.map(|pid| rustix::process::getsid(Some(pid)).unwrap());
    assert!(sessions.iter().all(|session| both.contains(session)));
    // What a closing terminal does to everybody who still belongs to it.
    rustix::process::kill_process(world.holder("p"), Signal::HUP).unwrap();
    gateway.kill();
    let held = world.adopt("p").await;
    held.close_input().await.unwrap();
    assert_eq!(end(&held).await, How::Exited(4));
}
