//! From the first start to the last signal.

use std::fs;
use std::time::Duration;

use rustix::process::Signal;

use crate::world::{Running, World, mode, wait_for};

#[test]
fn a_first_start_makes_its_home_and_answers() {
    let world = World::new();
    let gateway = world.serve();
    wait_for("readiness", || {
        gateway
            .get("/ready")
            .starts_with("HTTP/1.1 200")
            .then_some(())
    });
    assert_eq!(mode(&world.home()), 0o700);
    for name in ["api-token", "gateway.json", "angelia.db", "lock"] {
        assert_eq!(mode(&world.home().join(name)), 0o600, "{name}");
    }
    let token = fs::read_to_string(world.home().join("api-token")).unwrap();
    assert_eq!(token.trim().len(), 64);
    assert!(
        !gateway.greeting.contains(token.trim()),
        "a log is no place for the token"
    );
    assert!(!world.log().contains(token.trim()));
    assert_eq!(world.ok(&["chat", "echo hi"]), "hi\n");
}

#[test]
fn a_gateway_has_few_threads() {
    let world = World::new();
    let gateway = world.serve();
    world.ok(&["chat", "echo hi"]);
    let tasks = format!("/proc/{}/task", gateway.running.pid());
    let Ok(threads) = fs::read_dir(tasks) else {
        return;
    };
    let cores = std::thread::available_parallelism().unwrap().get();
    let threads = threads.count();
    assert!(threads <= cores + 6, "{threads} threads on {cores} cores");
}

#[test]
fn an_orderly_stop_finishes_running_answers_and_leaves_no_trace() {
    let world = World::held("");
    let gateway = world.serve();
    let chat = world.start(&["chat", "who is there?"]);
    world.turns_running(1);
    gateway.running.signal(Signal::TERM);
    world.let_go_at("stopping");
    let ended = gateway.running.end();
    assert_eq!(ended.code, Some(0), "{}", world.log());
    assert!(!world.home().join("gateway.json").exists());
    let _again = world.serve();
    assert_eq!(world.sent().len(), 1);
    // It has read the reply before the old gateway ended, or reads it from the new one.
    let chat = chat.end();
    assert_eq!(chat.code, Some(0), "{chat:?}");
    assert_eq!(chat.stdout.lines().count(), 1, "{chat:?}");
}

#[test]
fn a_second_signal_ends_at_once_and_the_next_start_goes_on() {
    let world = World::held("");
    let gateway = world.serve();
    let chat = world.start(&["chat", "who is there?"]);
    world.turns_running(1);
    gateway.running.signal(Signal::INT);
    wait_for("the drain", || {
        world.log().contains("stopping").then_some(())
    });
    gateway.running.signal(Signal::INT);
    let ended = gateway.running.end();
    assert_eq!(ended.code, Some(1));
    assert!(
        world.log().contains("hint: nothing is lost"),
        "{}",
        world.log()
    );
    let _again = world.serve();
    world.let_go();
    let chat = chat.end();
    assert_eq!(chat.code, Some(0), "{chat:?}");
    assert_eq!(world.sent().len(), 1);
}

#[test]
fn after_a_kill_the_reply_arrives_once_all_the_same() {
    let world = World::held("");
    let gateway = world.serve();
    let chat = world.start(&["chat", "who is there?"]);
    world.turns_running(1);
    gateway.running.signal(Signal::KILL);
    gateway.running.end();
    assert!(
        world.home().join("gateway.json").exists(),
        "a kill leaves the facts behind"
    );
    let _again = world.serve();
    world.let_go();
    let chat = chat.end();
    assert_eq!(chat.code, Some(0), "{chat:?}");
    assert_eq!(world.sent().len(), 1);
    assert_eq!(chat.stdout.trim_end(), world.sent()[0]);
}

#[test]
fn a_hang_up_checks_the_configuration_and_changes_nothing() {
    let world = World::new();
    let gateway = world.serve();
    world.configure("[busy]\nmode = \"steer\"\n");
    gateway.running.signal(Signal::HUP);
    wait_for("the change to be told", || {
        world
            .log()
            .contains("`busy.mode` was queue and would be steer")
            .then_some(())
    });
    world.configure("[buzy]\n");
    gateway.running.signal(Signal::HUP);
    wait_for("the error to be told", || {
        world.log().contains("did you mean `busy`?").then_some(())
    });
    assert_eq!(world.ok(&["chat", "echo still here"]), "still here\n");
}

#[test]
fn a_gateway_outlives_the_reader_of_its_log() {
    let world = World::new();
    let (reader, writer) = std::io::pipe().unwrap();
    let mut command = world.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.stdout(std::process::Stdio::null()).stderr(writer);
    let mut gateway = Running::start(command);
    drop(reader);
    wait_for("the gateway", || {
        (world.run(&["status"]).code == Some(0)).then_some(())
    });
    gateway.signal(Signal::HUP);
    assert_eq!(world.ok(&["chat", "echo hi"]), "hi\n");
    assert!(gateway.has_ended().is_none());
    gateway.signal(Signal::TERM);
    assert_eq!(gateway.end().code, Some(0));
}

/// A gateway that dies while it starts a program leaves the lock to the child until that is the program.
#[test]
fn a_lock_that_a_child_of_a_killed_gateway_still_holds_is_waited_for() {
    let world = World::new();
    let mut gateway = world.serve();
    gateway.running.signal(Signal::KILL);
    wait_for("the gateway to be gone", || gateway.running.has_ended());
    let lock = fs::File::open(world.home().join("lock")).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            drop(lock);
        });
        let again = world.serve();
        assert!(again.get("/health").contains(" 200 "));
    });
}
