//! Ends: by themselves, by us, and of holders.

use std::fs;
use std::time::Duration;

use angelia_core::time::Span;
use angelia_process::exit::How;
use angelia_process::held::{Found, HeldError, Outcome, Program, adopt, end_lost};
use angelia_process::spec::{Leftovers, Spec};
use rustix::process::Signal;

use crate::world::{STAND_IN, World, end, gone, how, pid_in, said, says, start_of, until};

const GRACE: Span = Span::seconds(2);
const LONG: Span = Span::minutes(10);

/// A daemon as they used to be: two forks, a session of its own, none of our files.
const DAEMON: &str =
    "(setsid sh -c 'echo $$ >daemon; exec sleep 600' </dev/null >/dev/null 2>&1 &)";

#[tokio::test]
async fn exit_codes_and_signals_are_the_true_ones() {
    let world = World::new();
    for (name, text, how) in [
        ("zero", "true", How::Exited(0)),
        ("code", "exit 42", How::Exited(42)),
        ("missing", "/no/such/program", How::Exited(127)),
        ("kill", "kill -9 $$", How::Signalled(9)),
        ("term", "kill -15 $$", How::Signalled(15)),
    ] {
        for spec in [world.spec(text), world.on_terminal(text)] {
            let name = format!("{name} {:?}", spec.surface);
            let held = world.try_spawn(&name, &spec).await.unwrap();
            assert_eq!(end(&held).await, how, "{name}");
            gone(world.holder(&name)).await;
            let found = adopt(world.path(&name)).await.unwrap();
            assert!(matches!(found, Found::Ended(exit) if exit.how == how));
        }
    }
}

#[tokio::test]
async fn waiting_can_be_given_up_and_begun_again() {
    let world = World::new();
    let held = world.run("read line; exit 6").await;
    let early = tokio::time::timeout(Duration::from_millis(20), held.wait()).await;
    assert!(early.is_err());
    let (first, second, ()) = tokio::join!(held.wait(), held.wait(), async {
        held.close_input().await.unwrap();
    });
    assert_eq!(how(first.unwrap()), How::Exited(6));
    assert_eq!(how(second.unwrap()), How::Exited(6));
}

#[tokio::test]
async fn an_obedient_process_ends_by_the_signal_it_was_asked_with() {
    let world = World::new();
    let held = world.run("sleep 600").await;
    assert_eq!(how(held.kill(LONG).await.unwrap()), How::Signalled(15));
    // Asked again it is as dead as before.
    assert_eq!(how(held.kill(LONG).await.unwrap()), How::Signalled(15));
}

#[tokio::test]
async fn a_process_may_tidy_up_and_its_own_code_is_told() {
    let world = World::new();
    let held = world
        .run("trap 'echo tidy; exit 3' TERM; echo ready; while :; do sleep 0.01; done")
        .await;
    says(&held, "ready").await;
    assert_eq!(how(held.kill(LONG).await.unwrap()), How::Exited(3));
    assert!(said(&held).contains("tidy"));
}

#[tokio::test]
async fn a_deaf_process_is_killed_after_its_grace() {
    let world = World::new();
    let held = world
        .run("trap '' TERM; echo ready; while :; do sleep 1; done")
        .await;
    says(&held, "ready").await;
    assert_eq!(
        how(held.kill(Span::ms(50)).await.unwrap()),
        How::Signalled(9)
    );
}

#[tokio::test]
async fn a_stopped_process_can_be_taken_down() {
    let world = World::new();
    let held = world.run("exec sleep 600").await;
    held.signal(Signal::STOP).await.unwrap();
    assert_eq!(how(held.kill(LONG).await.unwrap()), How::Signalled(15));
}

#[tokio::test]
async fn an_interactive_shell_on_a_terminal_heeds_the_loss_of_it() {
    let world = World::new();
    let held = world.spawn(&world.on_terminal("exec sh -i")).await;
    until(|| said(&held).contains(['#', '$']).then_some(())).await;
    assert!(matches!(
        how(held.kill(LONG).await.unwrap()),
        How::Signalled(1) | How::Exited(_)
    ));
}

#[tokio::test]
async fn a_kill_finds_those_in_other_sessions_too() {
    let world = World::new();
    let held = world.run(&format!("{DAEMON}; sleep 600")).await;
    let daemon = pid_in(&world.path("daemon")).await;
    assert_eq!(how(held.kill(LONG).await.unwrap()), How::Signalled(15));
    assert_eq!(start_of(daemon), None);
}

#[tokio::test]
async fn a_kill_finds_a_deaf_daemon_after_its_grace() {
    let world = World::new();
    let deaf = DAEMON.replace("exec sleep", "trap \"\" TERM; sleep");
    let held = world.run(&format!("{deaf}; sleep 600")).await;
    let daemon = pid_in(&world.path("daemon")).await;
    held.kill(Span::ms(100)).await.unwrap();
    assert_eq!(start_of(daemon), None);
}

#[tokio::test]
async fn those_whom_a_command_leaves_behind_are_ended_before_its_end_is_told() {
    let world = World::new();
    let held = world
        .run(&format!(
            "{DAEMON}; while [ ! -s daemon ]; do sleep 0.01; done; exit 9"
        ))
        .await;
    assert_eq!(end(&held).await, How::Exited(9));
    let daemon = pid_in(&world.path("daemon")).await;
    assert_eq!(start_of(daemon), None);
}

#[tokio::test]
async fn those_who_may_stay_live_on_after_the_end_and_can_still_be_killed() {
    let world = World::new();
    let spec = Spec {
        leftovers: Leftovers::Kept,
        ..world.spec(&format!(
            "{DAEMON}; while [ ! -s daemon ]; do sleep 0.01; done; exit 9"
        ))
    };
    let held = world.spawn(&spec).await;
    assert_eq!(end(&held).await, How::Exited(9));
    let daemon = pid_in(&world.path("daemon")).await;
    assert!(start_of(daemon).is_some());
    assert_eq!(how(held.kill(LONG).await.unwrap()), How::Exited(9));
    assert_eq!(start_of(daemon), None);
    gone(world.holder("p")).await;
}

#[tokio::test]
async fn who_holds_the_output_open_does_not_hold_up_the_end() {
    let world = World::new();
    // It is not of the family: it only writes into a pipe that somebody opened for it.
    let spec = Spec {
        leftovers: Leftovers::Kept,
        ..world.spec("sleep 600 & echo $! >left; echo said; exit 2")
    };
    let held = world.spawn(&spec).await;
    assert_eq!(end(&held).await, How::Exited(2));
    assert_eq!(said(&held), "said\n");
    held.kill(LONG).await.unwrap();
}

#[tokio::test]
async fn a_holder_that_is_asked_to_end_takes_its_process_along_and_tells_the_end() {
    let world = World::new();
    let held = world.run("sleep 600").await;
    rustix::process::kill_process(world.holder("p"), Signal::TERM).unwrap();
    assert_eq!(end(&held).await, How::Signalled(15));
}

#[tokio::test]
async fn a_killed_holder_means_lost_and_nobody_hangs() {
    let world = World::new();
    let held = world.run("exec sleep 600").await;
    let child = world.child("p");
    let (waited, mut follow) = (held.wait(), held.follow(0).await.unwrap());
    let killing = async {
        rustix::process::kill_process(world.holder("p"), Signal::KILL).unwrap();
    };
    let (waited, followed, ()) = tokio::join!(waited, follow.next(), killing);
    assert_eq!(waited.unwrap(), Outcome::Lost);
    assert_eq!(followed.unwrap(), None);
    gone(world.holder("p")).await;
    assert_eq!(adopt(world.path("p")).await.unwrap(), Found::Lost);
    assert_eq!(held.wait().await.unwrap(), Outcome::Lost);
    assert!(matches!(held.write(b"x").await, Err(HeldError::Lost)));
    assert_eq!(held.kill(GRACE).await.unwrap(), Outcome::Lost);
    // A second start must not run it again.
    let again = world
        .try_spawn("p", &world.spec("touch again"))
        .await
        .unwrap();
    assert_eq!(again.wait().await.unwrap(), Outcome::Lost);
    assert!(!world.path("again").exists());
    assert!(start_of(child).is_some());
    end_lost(&Program::at(STAND_IN), world.path("p")).unwrap();
    gone(child).await;
}

#[tokio::test]
async fn nobody_is_taken_for_a_process_that_only_shares_its_number() {
    let world = World::new();
    let held = world.run("exec sleep 600").await;
    let holder = world.holder("p");
    let bystander = world
        .try_spawn("bystander", &world.spec("exec sleep 600"))
        .await
        .unwrap();
    rustix::process::kill_process(holder, Signal::KILL).unwrap();
    gone(holder).await;
    let child = world.child("p");
    rustix::process::kill_process(child, Signal::KILL).unwrap();
    gone(child).await;
    // The numbers now belong to others, of another start or another boot.
    for (field, value) in [
        ("start", serde_json::json!(1)),
        ("boot", serde_json::json!("other")),
    ] {
        let mut holding = world.holding("bystander");
        holding["holder"][field] = value.clone();
        holding["child"][field] = value;
        fs::write(world.path("p").join("holder.json"), holding.to_string()).unwrap();
        assert_eq!(adopt(world.path("p")).await.unwrap(), Found::Lost);
        assert_eq!(held.kill(GRACE).await.unwrap(), Outcome::Lost);
        end_lost(&Program::at(STAND_IN), world.path("p")).unwrap();
    }
    assert!(start_of(world.child("bystander")).is_some());
    assert!(start_of(world.holder("bystander")).is_some());
    bystander.kill(LONG).await.unwrap();
}

#[tokio::test]
async fn a_process_whose_folder_was_removed_does_not_keep_its_holder() {
    let world = World::new();
    world.run("exec sleep 600").await;
    let (holder, child) = (world.holder("p"), world.child("p"));
    fs::remove_dir_all(world.path("p")).unwrap();
    rustix::process::kill_process(child, Signal::KILL).unwrap();
    gone(holder).await;
}
