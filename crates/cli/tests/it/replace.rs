//! `serve --replace`: one gateway takes over from another, and nobody notices.

use crate::world::World;

#[test]
fn without_a_running_gateway_it_simply_starts() {
    let world = World::new();
    let _gateway = world.serve_with(&["--replace"]);
    assert_eq!(world.ok(&["chat", "echo hi"]), "hi\n");
}

#[test]
fn a_running_answer_is_finished_by_the_old_one_and_arrives_once() {
    let world = World::held("");
    let old = world.serve();
    let chat = world.start(&["chat", "who is there?"]);
    world.turns_running(1);
    let new = std::thread::scope(|scope| {
        scope.spawn(|| world.let_go_at("stopping"));
        world.serve_with(&["--replace"])
    });
    let ended = old.running.end();
    assert_eq!(ended.code, Some(0), "{}", world.log());
    let chat = chat.end();
    assert_eq!(chat.code, Some(0), "{chat:?}");
    assert_eq!(world.sent(), [chat.stdout.trim_end()]);
    assert!(
        world.log().contains("asked the running gateway"),
        "{}",
        world.log()
    );
    assert_eq!(world.json(&["status", "--json"])["pid"], new.running.pid());
}

#[test]
fn an_answer_that_outlasts_the_drain_goes_on_in_the_new_one() {
    let world = World::held("[drain]\ntimeout = \"0s\"\n");
    let old = world.serve();
    let chat = world.start(&["chat", "who is there?"]);
    world.turns_running(1);
    let _new = world.serve_with(&["--replace"]);
    assert_eq!(old.running.end().code, Some(0), "{}", world.log());
    world.let_go();
    let chat = chat.end();
    assert_eq!(chat.code, Some(0), "{chat:?}");
    assert_eq!(world.sent(), [chat.stdout.trim_end()]);
}
