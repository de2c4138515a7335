//! What the other commands show.

use std::io;

use serde_json::Value;

use crate::world::World;

#[test]
fn one_message_can_be_followed_through_every_listing() {
    let world = World::new();
    let _gateway = world.serve();
    assert_eq!(
        world.ok(&["sessions", "list"]),
        "no conversations yet; begin one with `angelia chat`\n"
    );
    let message = world.json(&["chat", "--json", "echo hi"]);
    let (inbox, session) = (text(&message["inbox_id"]), text(&message["session_id"]));
    let delivery = text(&message["deliveries"][0]["id"]);

    let sessions = world.ok(&["sessions", "list"]);
    assert!(sessions.starts_with("session"), "{sessions}");
    assert!(
        sessions.contains(&session) && sessions.contains("local/terminal"),
        "{sessions}"
    );

    let shown = world.ok(&["sessions", "show", &session]);
    assert!(
        shown.contains("echo hi") && shown.ends_with("hi\n"),
        "{shown}"
    );

    assert_eq!(world.ok(&["outbox", "list"]), "nothing is on its way\n");
    let sent = world.ok(&["outbox", "list", "--state", "sent"]);
    assert!(sent.contains(&delivery), "{sent}");

    let trace = world.ok(&["trace", &inbox]);
    for word in [
        "answered",
        "accepted",
        "claimed",
        "settled",
        "completed",
        "delivered",
        "anna",
    ] {
        assert!(trace.contains(word), "{word}: {trace}");
    }
    let status = world.ok(&["status"]);
    for word in ["running", "console", "demo", "0 messages", "all well"] {
        assert!(status.contains(word), "{word}: {status}");
    }
}

#[test]
fn every_listing_speaks_json() {
    let world = World::new();
    let _gateway = world.serve();
    let message = world.json(&["chat", "--json", "echo hi"]);
    let (inbox, session) = (text(&message["inbox_id"]), text(&message["session_id"]));
    assert_eq!(
        world.json(&["sessions", "list", "--json"])["items"][0]["id"],
        session
    );
    let shown = world.json(&["sessions", "show", &session, "--json"]);
    assert_eq!(shown["session"]["id"], session);
    assert_eq!(shown["transcript"]["items"][0]["text"], "hi");
    assert_eq!(world.json(&["trace", &inbox, "--json"])["inbox_id"], inbox);
    assert_eq!(
        world.json(&["outbox", "list", "--json"])["items"],
        Value::Array(vec![])
    );
    assert_eq!(
        world.json(&["status", "--json"])["agent"]["configured"],
        false
    );
}

#[test]
fn a_page_says_how_to_read_on() {
    let world = World::new();
    let _gateway = world.serve();
    for chat in ["one", "two", "three"] {
        world.ok(&["chat", "--chat", chat, "echo hi"]);
    }
    let first = world.json(&["sessions", "list", "-n", "2", "--json"]);
    let cursor = text(&first["next"]);
    let shown = world.ok(&["sessions", "list", "-n", "2"]);
    assert!(
        shown.ends_with(&format!("more: add `--after {cursor}`\n")),
        "{shown}"
    );
    let second = world.json(&["sessions", "list", "--after", &cursor, "--json"]);
    assert_eq!(second["items"].as_array().unwrap().len(), 1);
}

#[test]
fn what_does_not_exist_is_told() {
    let world = World::new();
    let _gateway = world.serve();
    let none = "00000000000000000000000001";
    for (command, prefix) in [
        ("trace", "inb"),
        ("sessions show", "ses"),
        ("outbox retry", "dlv"),
    ] {
        let id = format!("{prefix}_{none}");
        let args: Vec<&str> = command.split(' ').chain([id.as_str()]).collect();
        let refused = world.run(&args);
        assert_eq!(refused.code, Some(1), "{args:?}");
        assert!(
            refused.stderr.starts_with("error: "),
            "{args:?}: {}",
            refused.stderr
        );
    }
}

#[test]
fn a_sent_delivery_can_be_neither_retried_nor_dropped() {
    let world = World::new();
    let _gateway = world.serve();
    let message = world.json(&["chat", "--json", "echo hi"]);
    let delivery = text(&message["deliveries"][0]["id"]);
    for verb in ["retry", "drop"] {
        let refused = world.run(&["outbox", verb, &delivery]);
        assert_eq!(refused.code, Some(1), "{verb}");
        assert!(
            refused.stderr.contains("sent"),
            "{verb}: {}",
            refused.stderr
        );
    }
}

#[test]
fn a_reader_that_left_ends_a_command_quietly() {
    let world = World::new();
    let _gateway = world.serve();
    world.ok(&["chat", "echo hi"]);
    let commands = [
        &["sessions", "list"][..],
        &["status"],
        &["chat", "echo hi"],
        &["config", "show"],
    ];
    for args in commands {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = world.command(args);
        let output = command
            .stdout(writer)
            .stderr(std::process::Stdio::piped())
            .spawn();
        let output = output.unwrap().wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no text"))
        .to_owned()
}
