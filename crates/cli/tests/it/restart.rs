//! `/restart` and `angelia restart` with the real binary: the gateway goes, comes back, and nobody misses anything.

use std::fs;

use angelia_core::restart::Going;
use rustix::process::Signal;

use crate::telegram::{ANNA, Scene};
use crate::world::{World, wait_for};

const BOB: i64 = 8;

/// Anna runs the gateway, Bob only talks to it.
fn scene(more: &str) -> Scene {
    let scene =
        Scene::new("allow = [\"telegram:*\"]\noperators = [\"telegram:7\"]\ncommands = [\"stop\"]");
    scene.fake.meets(BOB, "Bob");
    let path = scene.world.home().join("angelia.toml");
    let text = fs::read_to_string(path).unwrap();
    scene.world.configure(&format!("{text}\n{more}"));
    scene
}

fn begins(scene: &Scene) {
    wait_for("the word that it restarts", || {
        let texts = scene.fake.texts(ANNA);
        texts
            .iter()
            .any(|text| text.starts_with("I restart now"))
            .then_some(())
    });
}

fn backs(scene: &Scene) -> usize {
    let texts = scene.fake.texts(ANNA);
    let is_back = |text: &&String| text.starts_with("I am back");
    texts.iter().filter(is_back).count()
}

fn is_back(scene: &Scene) {
    wait_for("the word that it is back", || {
        (backs(scene) > 0).then_some(())
    });
}

#[test]
fn a_restart_in_chat_is_told_before_and_after_and_an_answer_under_way_goes_on() {
    let scene = scene("[drain]\ntimeout = \"100ms\"\n");
    let mut gateway = scene.serve();
    scene.says(BOB, "/restart");
    wait_for("Bob to be refused", || {
        let texts = scene.fake.texts(BOB);
        texts
            .iter()
            .any(|text| text.contains("not yours"))
            .then_some(())
    });
    scene.says(BOB, "sleep 10");
    scene.world.turns_running(1);
    let pid = gateway.running.pid();
    scene.says(ANNA, "/restart");
    begins(&scene);
    is_back(&scene);
    wait_for("Bob's answer", || {
        let texts = scene.fake.texts(BOB);
        (texts.len() == 3 && texts[1] == Going::Restart.banner()).then_some(())
    });
    scene.rests();
    assert_eq!(
        gateway.running.has_ended(),
        None,
        "{pid} is the same process"
    );
    assert_eq!(scene.world.json(&["status", "--json"])["pid"], pid);
    assert_eq!(scene.fake.texts(ANNA).len(), 2, "each word once");
    assert_eq!(scene.fake.texts(BOB).len(), 3, "each word once");
}

#[test]
fn a_gateway_that_is_killed_while_it_goes_has_restarted_too() {
    let scene = scene("[drain]\ntimeout = \"60s\"\n");
    let gateway = scene.serve();
    scene.says(BOB, "sleep 60");
    scene.world.turns_running(1);
    scene.says(ANNA, "/restart");
    begins(&scene);
    wait_for("the drain", || {
        gateway.get("/ready").contains("draining").then_some(())
    });
    gateway.running.signal(Signal::KILL);
    drop(gateway);
    let gateway = scene.serve();
    is_back(&scene);
    scene.says(ANNA, "echo still there?");
    wait_for("an ordinary day", || {
        let texts = scene.fake.texts(ANNA);
        texts
            .iter()
            .any(|text| text == "still there?")
            .then_some(())
    });
    drop(gateway);
    let _third = scene.serve();
    scene.says(ANNA, "echo and now?");
    wait_for("another", || {
        let texts = scene.fake.texts(ANNA);
        texts.iter().any(|text| text == "and now?").then_some(())
    });
    assert_eq!(backs(&scene), 1, "{:?}", scene.fake.texts(ANNA));
}

#[test]
fn a_gateway_that_would_not_come_back_stays_and_says_why() {
    let scene = scene("");
    let gateway = scene.serve();
    let path = scene.world.home().join("angelia.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("colour = 1\n{text}")).unwrap();
    scene.says(ANNA, "/restart");
    wait_for("the reason", || {
        let texts = scene.fake.texts(ANNA);
        let told = texts.iter().find(|text| text.contains("did not restart"));
        told.map(|told| assert!(told.contains("angelia.toml"), "{told}"))
    });
    let ran = scene.world.run(&["restart"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("colour"), "{ran:?}");
    scene.says(ANNA, "echo still there?");
    wait_for("an ordinary day", || {
        let texts = scene.fake.texts(ANNA);
        texts
            .iter()
            .any(|text| text == "still there?")
            .then_some(())
    });
    drop(gateway);
}

#[test]
fn the_command_waits_until_the_gateway_is_back_as_the_same_process() {
    let world = World::held("");
    let mut gateway = world.serve();
    let before = world.json(&["status", "--json"]);
    let chat = world.start(&["chat", "who is there?"]);
    world.turns_running(1);
    let said = std::thread::scope(|scope| {
        scope.spawn(|| world.let_go_at("restarting"));
        world.ok(&["restart"])
    });
    assert!(said.starts_with("restarted: pid "), "{said}");
    let after = world.json(&["status", "--json"]);
    assert_eq!(after["pid"], before["pid"]);
    assert_ne!(after["node"], before["node"]);
    let chat = chat.end();
    assert_eq!(chat.code, Some(0), "{chat:?}");
    assert_eq!(world.sent(), [chat.stdout.trim_end()]);
    assert_eq!(gateway.running.has_ended(), None);
}

#[test]
fn where_a_supervisor_restarts_it_the_gateway_asks_for_that_by_its_exit_code() {
    let world = World::new();
    world.configure("[restart]\nby = \"supervisor\"\n");
    let gateway = world.serve();
    let asking = world.start(&["restart"]);
    let ended = gateway.running.end();
    assert_eq!(ended.code, Some(75), "{}", world.log());
    let _next = world.serve();
    let asked = asking.end();
    assert_eq!(asked.code, Some(0), "{asked:?}");
}

#[test]
fn a_message_whose_turn_dies_with_the_gateway_is_set_aside_after_three_times() {
    let scene = scene("");
    scene.says(ANNA, "sleep 600");
    for _ in 0..3 {
        let typed = || scene.fake.calls_of("sendChatAction").len();
        let before = typed();
        let gateway = scene.serve();
        // A turn of the gateway before counts as running, too, until this one has taken it over.
        wait_for("the turn to be at work here", || {
            (typed() > before).then_some(())
        });
        gateway.running.signal(Signal::KILL);
        drop(gateway);
    }
    let _fourth = scene.serve();
    wait_for("the word that it is given up", || {
        let texts = scene.fake.texts(ANNA);
        (texts.len() == 1).then_some(())
    });
    scene.says(ANNA, "echo and now?");
    wait_for("an ordinary day", || {
        let texts = scene.fake.texts(ANNA);
        texts.iter().any(|text| text == "and now?").then_some(())
    });
    // The conversation that it was said in is set aside, too, and can be gone back to.
    let texts = scene.fake.texts(ANNA);
    assert!(
        texts.len() == 3 && texts[1].contains("/resume"),
        "{texts:?}"
    );
}
