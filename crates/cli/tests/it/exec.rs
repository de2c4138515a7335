//! A command as the agent of the real binary.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::world::{Gateway, World, wait_for};

fn killed(mut gateway: Gateway) {
    gateway.running.signal(Signal::KILL);
    wait_for("the gateway to be gone", || gateway.running.has_ended());
}

/// The block of the page that begins with these words.
fn documented(beginning: &str) -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/agents.md");
    let page = fs::read_to_string(page).unwrap();
    let mut blocks = page.split("```").skip(1).step_by(2);
    let block = blocks.find_map(|block| {
        let (_, text) = block.split_once('\n')?;
        text.starts_with(beginning).then(|| text.to_owned())
    });
    block.unwrap_or_else(|| panic!("docs/agents.md has no block that begins with {beginning:?}"))
}

#[test]
fn the_ten_lines_of_the_documentation_are_an_agent() {
    let script = documented("#!/bin/sh");
    assert_eq!(script.lines().count(), 10);
    let world = World::new();
    world.configure(&documented("[agent]\nbackend = \"exec\""));
    fs::write(world.home().join("agent.sh"), script).unwrap();
    let _gateway = world.serve_seeing(&[], &[("PATH", "/usr/bin:/bin")]);
    assert_eq!(
        world.ok(&["chat", "hello"]),
        "You said: hello\nAsk me about the time or the disk.\nYours, on local.\n"
    );
    assert!(world.ok(&["chat", "what time is it?"]).contains("It is "));
}

#[test]
fn a_command_goes_on_through_a_kill_and_its_reply_is_told_once() {
    let world = World::scripted(
        "echo run >>counted\necho before\nwhile ! test -e go; do sleep 0.02; done\necho after\n",
        "",
    );
    let gateway = world.serve();
    let chat = world.start(&["chat", "hello"]);
    wait_for("the command to run", || {
        world.home().join("counted").exists().then_some(())
    });
    killed(gateway);
    fs::write(world.home().join("go"), "").unwrap();
    let _gateway = world.serve();
    let chat = chat.end();
    assert_eq!(
        (chat.code, chat.stdout.as_str()),
        (Some(0), "before\nafter\n")
    );
    assert_eq!(world.sent(), ["before\nafter"]);
    let runs = fs::read_to_string(world.home().join("counted")).unwrap();
    assert_eq!(runs, "run\n", "it ran twice");
    wait_for("the run to be forgotten", || {
        let left = fs::read_dir(world.home().join("runs"));
        left.map_or(Some(()), |left| (left.count() == 0).then_some(()))
    });
}

#[test]
fn a_command_that_is_lost_is_not_run_a_second_time() {
    let world = World::scripted(
        "echo run >>counted\necho $PPID >holder\nexec sleep 600\n",
        "",
    );
    let gateway = world.serve();
    let chat = world.start(&["chat", "hello"]);
    let holder = wait_for("the command to run", || {
        let text = fs::read_to_string(world.home().join("holder")).ok()?;
        text.trim().parse::<i32>().ok()
    });
    killed(gateway);
    let holder = rustix::process::Pid::from_raw(holder).unwrap();
    rustix::process::kill_process(holder, Signal::KILL).unwrap();
    let _gateway = world.serve();
    let chat = chat.end();
    let told = format!("{}{}", chat.stdout, chat.stderr);
    assert!(told.contains("is not known"), "{told}");
    assert_eq!(
        fs::read_to_string(world.home().join("counted")).unwrap(),
        "run\n"
    );
}

#[test]
fn a_stop_ends_the_command_and_whom_it_started() {
    let world = World::scripted("sleep 600 & echo $! >child\necho waiting\nwait\n", "");
    let _gateway = world.serve();
    let chat = world.start(&["chat", "hello"]);
    let child = wait_for("the command to run", || {
        let text = fs::read_to_string(world.home().join("child")).ok()?;
        text.trim().parse::<i32>().ok()
    });
    let stopped = world.run(&["chat", "/stop"]);
    assert!(stopped.stdout.contains("Stopped"), "{stopped:?}");
    let child = rustix::process::Pid::from_raw(child).unwrap();
    wait_for("the child to be gone", || {
        rustix::process::test_kill_process(child)
            .is_err()
            .then_some(())
    });
    let chat = chat.end();
    assert!(chat.stdout.contains("waiting"), "{chat:?}");
}

#[test]
fn a_command_that_fails_says_why_and_hides_its_secrets() {
    let world = World::scripted(
        "echo half\necho \"no door for $DOOR_KEY\" >&2\nexit 3\n",
        "[agent.env]\nDOOR_KEY = { env = \"FROM_OUTSIDE\" }\n",
    );
    let word = "a-word-that-opens-it";
    let _gateway = world.serve_seeing(&[], &[("FROM_OUTSIDE", word)]);
    let ran = world.run(&["chat", "hello"]);
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(told.contains("exited with code 3: no door for"), "{told}");
    assert!(told.contains("half"), "{told}");
    let everything = format!("{told}{}{}", world.log(), world.ok(&["config", "show"]));
    assert!(!everything.contains(word), "{everything}");
}

#[test]
fn a_command_reads_an_object_if_that_is_wanted() {
    let world = World::scripted("cat\n", "input = \"json\"\n");
    let _gateway = world.serve();
    world.ok(&["chat", "first"]);
    let told: Value = serde_json::from_str(&world.ok(&["chat", "second"])).unwrap();
    assert_eq!((&told["v"], &told["text"]), (&1.into(), &"second".into()));
    assert_eq!(told["session"]["platform"], "local");
    assert_eq!(told["conversation"][0]["text"], "first");
    assert_eq!(told["conversation"][1]["role"], "assistant");
}
