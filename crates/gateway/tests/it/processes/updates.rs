//! New output, from time to time.

use angelia_core::process::watch::Notifications;
use angelia_core::process::{Notice, Watch};
use angelia_core::time::Span;
use angelia_core::turn::busy;

use super::agent::{Home, until};

fn every_minute(notice: Notice) -> Watch {
    Watch {
        notice,
        every: Some(Span::minutes(1)),
        patterns: Vec::new(),
    }
}

#[tokio::test]
async fn new_output_is_told_at_its_time_and_silence_is_not() {
    let home = Home::new();
    let first = home.house.start(1).await;
    let command = format!(
        "echo step 1; {} echo step 2; {}",
        home.wait_for("go"),
        home.wait_for("end")
    );
    let wish = (command, every_minute(Notice::Unwanted));
    let (inbox, id) = home.start(&first, "start", wish).await;
    home.until_turn(inbox, "completed").await;
    home.until_said(id, "step 1").await;
    home.later(&first, Span::minutes(1));
    let heard = home.until_heard(1).await;
    assert!(heard[0].contains("is still running"), "{heard:?}");
    assert!(heard[0].ends_with("New words:\nstep 1"), "{heard:?}");
    // Nothing new: the next time passes in silence.
    home.later(&first, Span::minutes(1));
    until_checked(&home).await;
    first.kill();
    home.raise("go");
    home.until_said(id, "step 2").await;
    home.house.clock_jumps(Span::minutes(1));
    let second = home.house.start(2).await;
    let heard = home.until_heard(2).await;
    assert!(heard[1].ends_with("New words:\nstep 2"), "{heard:?}");
    home.raise("end");
    let heard = home.until_heard(3).await;
    assert!(heard[2].contains("exited with code 0"), "{heard:?}");
    home.until_spent(id).await;
    second.stop().await;
    assert_eq!(home.heard().len(), 3);
}

async fn until_checked(home: &Home) {
    use angelia_store::watches::Watches as _;
    until("nothing to be due", async || {
        let due = home.house.store.due_checks(super::agent::HOME).await;
        due.unwrap().is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_mode_decides_what_is_told_of_processes_that_are_looked_at() {
    let told = [
        (Notifications::Result, "exit 0", 1),
        (Notifications::Error, "exit 0", 0),
        (Notifications::Error, "exit 1", 1),
        (Notifications::Off, "exit 1", 0),
    ];
    for (mode, end, count) in told {
        let home = Home::with(mode, busy::Mode::Queue);
        let gateway = home.house.start(1).await;
        let command = format!("echo step 1; {} {end}", home.wait_for("end"));
        let wish = (command, every_minute(Notice::Unwanted));
        let (inbox, id) = home.start(&gateway, "start", wish).await;
        home.until_turn(inbox, "completed").await;
        home.until_said(id, "step 1").await;
        home.later(&gateway, Span::minutes(1));
        until_checked(&home).await;
        home.raise("end");
        home.until_spent(id).await;
        home.until_heard(count).await;
        gateway.stop().await;
        assert_eq!(home.heard().len(), count, "{mode:?}, {end}");
    }
}
