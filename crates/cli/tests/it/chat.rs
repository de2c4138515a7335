//! Messages from the terminal.

use std::io::Write as _;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::world::World;

#[test]
fn one_message_prints_its_reply_once_and_whole() {
    let world = World::new();
    let _gateway = world.serve();
    assert_eq!(world.ok(&["chat", "echo hi there"]), "hi there\n");
    assert_eq!(
        world.ok(&["chat", "echo", "joined", "words"]),
        "joined words\n"
    );
    let streamed = world.ok(&["chat", "stream 4"]);
    assert_eq!(streamed.lines().count(), 1, "{streamed:?}");
    assert_eq!(streamed.split_whitespace().count(), 4, "{streamed:?}");
}

/// What `chat` makes of these bytes on its standard input.
fn piped(world: &World, bytes: &[u8]) -> Output {
    let mut command = world.command(&["chat"]);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that has read enough closes the pipe, and then there is no one to write to.
    let _closed = stdin.write_all(bytes).is_err();
    drop(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn a_pipe_is_one_message() {
    let world = World::new();
    let _gateway = world.serve();
    let output = piped(&world, b"echo from a pipe\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "from a pipe\n");
}

#[test]
fn a_pipe_that_is_no_message_is_refused_with_a_reason() {
    let world = World::new();
    let _gateway = world.serve();
    for (bytes, reason) in [
        (vec![b'x'; 70_000], "longer than 64 KiB"),
        (vec![0xff, 0xfe], "not text in UTF-8"),
    ] {
        let output = piped(&world, &bytes);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn an_empty_message_is_not_sent() {
    let world = World::new();
    let _gateway = world.serve();
    let refused = world.run(&["chat"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("there is nothing to send"),
        "{}",
        refused.stderr
    );
}

#[test]
fn an_agent_that_fails_gives_the_code_one() {
    let world = World::new();
    let _gateway = world.serve();
    let failed = world.run(&["chat", "fail"]);
    assert_eq!(failed.code, Some(1));
    assert!(!failed.stdout.is_empty(), "the notice is a reply too");
    assert!(
        failed.stderr.contains("error: the agent could not answer"),
        "{}",
        failed.stderr
    );
    assert!(
        failed.stderr.contains("`angelia trace inb_"),
        "{}",
        failed.stderr
    );
}

#[test]
fn json_tells_the_whole_story() {
    let world = World::new();
    let _gateway = world.serve();
    let message: Value = world.json(&["chat", "--json", "--chat", "work", "echo hi"]);
    assert_eq!(message["state"], "answered");
    assert_eq!(message["chat"], "work");
    assert_eq!(message["platform"], "local");
    assert_eq!(message["user"]["id"], "anna");
    assert_eq!(message["deliveries"][0]["text"], "hi");
}

#[test]
fn chats_have_conversations_of_their_own() {
    let world = World::new();
    let _gateway = world.serve();
    let session = |chat: &str| {
        world.json(&["chat", "--json", "--chat", chat, "echo hi"])["session_id"].clone()
    };
    let first = session("one");
    assert_eq!(session("one"), first);
    assert_ne!(session("two"), first);
}

#[test]
fn a_message_over_the_limit_is_refused_with_the_gateways_words() {
    let world = World::new();
    let _gateway = world.serve();
    let long = "x".repeat(70 * 1024);
    let refused = world.run(&["chat", &long]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.starts_with("error: "), "{}", refused.stderr);
}
