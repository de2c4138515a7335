//! Commands in chat, with the real binary: answered by the gateway, never given to the agent.

use crate::world::World;

#[test]
fn a_conversation_is_asked_about_named_and_begun_anew() {
    let world = World::new();
    let gateway = world.serve();
    assert_eq!(world.ok(&["chat", "echo first"]), "first\n");
    let status = world.ok(&["chat", "/status"]);
    assert!(status.contains("Questions: 1\n"), "{status}");
    assert!(
        world
            .ok(&["chat", "/title Rome"])
            .contains("now called: Rome")
    );
    let begun = world.ok(&["chat", "/new"]);
    assert!(begun.starts_with("A new conversation begins."), "{begun}");
    let fresh = world.ok(&["chat", "/status"]);
    assert!(fresh.contains("Questions: 0\n"), "{fresh}");
    assert_ne!(status.lines().next(), fresh.lines().next(), "another one");
    drop(gateway);
    let _restarted = world.serve();
    let listed = world.ok(&["chat", "/sessions"]);
    assert!(listed.contains("1. Rome ("), "{listed}");
    assert!(world.ok(&["chat", "/resume 1"]).contains("Rome"));
    let back = world.ok(&["chat", "/status"]);
    assert_eq!(status.lines().next(), back.lines().next(), "the first one");
    assert!(
        world
            .ok(&["chat", "/stauts"])
            .contains("Did you mean /status?")
    );
}

#[test]
fn an_answer_that_takes_long_is_stopped_from_another_terminal() {
    let world = World::new();
    let _gateway = world.serve();
    let asking = world.start(&["chat", "sleep 600"]);
    world.turns_running(1);
    let stopped = world.run(&["chat", "/stop"]);
    assert!(
        stopped.stdout.contains("Stopped, as you asked."),
        "{stopped:?}"
    );
    let asked = asking.end();
    assert!(asked.stdout.contains("Stopped, as you asked."), "{asked:?}");
    assert_eq!(world.ok(&["chat", "echo on we go"]), "on we go\n");
}
