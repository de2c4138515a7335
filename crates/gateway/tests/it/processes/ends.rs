//! Ends that a turn has read, and ends that it has not.

use angelia_core::process::{End, Notice, State, Watch};
use angelia_store::processes::Processes as _;

use super::agent::{Home, until};

const THE_END: Watch = Watch::the_end(Notice::Wanted);

async fn until_ended(home: &Home, id: angelia_core::id::ProcessId) {
    until("the end to be written", async || {
        home.process(id).await.ended_at
    })
    .await;
}

#[tokio::test]
async fn an_end_that_a_completed_turn_read_is_not_told() {
    let home = Home::new();
    let gateway = home.house.start(1).await;
    let wish = ("echo done".to_owned(), THE_END);
    let (inbox, id) = home.start(&gateway, "start and stay", wish).await;
    until_ended(&home, id).await;
    home.consume(inbox, id).await;
    home.let_go();
    home.until_turn(inbox, "completed").await;
    home.until_spent(id).await;
    let after = home.say(&gateway, "what now").await;
    home.house.until_answered(after).await;
    gateway.stop().await;
    assert!(home.heard().is_empty());
}

#[tokio::test]
async fn an_end_that_a_failed_turn_read_is_told_once() {
    let home = Home::new();
    let gateway = home.house.start(1).await;
    let wish = ("echo done".to_owned(), THE_END);
    let (inbox, id) = home.start(&gateway, "start and fail", wish).await;
    until_ended(&home, id).await;
    home.consume(inbox, id).await;
    home.let_go();
    home.until_turn(inbox, "failed").await;
    let heard = home.until_heard(1).await;
    assert!(heard[0].contains("exited with code 0"), "{heard:?}");
    home.until_spent(id).await;
    gateway.stop().await;
    assert_eq!(home.heard().len(), 1);
}

#[tokio::test]
async fn an_end_that_an_interrupted_turn_read_is_told_once_also_after_a_restart() {
    let home = Home::new();
    let first = home.house.start(1).await;
    let wish = ("echo done".to_owned(), THE_END);
    let (inbox, id) = home.start(&first, "start and stay", wish).await;
    until_ended(&home, id).await;
    home.consume(inbox, id).await;
    home.say(&first, "/stop").await;
    home.until_turn(inbox, "interrupted").await;
    first.kill();
    let second = home.house.start(2).await;
    let heard = home.until_heard(1).await;
    assert!(heard[0].contains("exited with code 0"), "{heard:?}");
    home.until_spent(id).await;
    second.stop().await;
    assert_eq!(home.heard().len(), 1);
}

#[tokio::test]
async fn an_end_that_nobody_read_is_told_behind_the_turn_that_started_the_process() {
    let home = Home::new();
    let gateway = home.house.start(1).await;
    let wish = ("echo done".to_owned(), THE_END);
    let (inbox, id) = home.start(&gateway, "start and stay", wish).await;
    until("the end to be in the inbox", async || {
        home.process(id).await.noticed_at
    })
    .await;
    home.until_turn(inbox, "running").await;
    home.let_go();
    home.until_heard(1).await;
    gateway.stop().await;
    assert_eq!(home.heard().len(), 1);
}

#[tokio::test]
async fn a_process_whose_holder_died_at_once_was_started_and_is_lost() {
    let mut home = Home::new();
    home.kill_holders();
    let gateway = home.house.start(1).await;
    let command = home.then_raise("began") + &home.wait_for("end");
    let (_, id) = home.start(&gateway, "start", (command, THE_END)).await;
    until_ended(&home, id).await;
    assert_eq!(home.process(id).await.state, State::Ended(End::Lost));
    home.until_heard(1).await;
    gateway.stop().await;
}

#[tokio::test]
async fn a_kill_that_a_dead_gateway_was_asked_for_is_done_by_the_next() {
    let home = Home::new();
    let first = home.house.start(1).await;
    let wish = (home.wait_for("end"), THE_END);
    let (inbox, id) = home.start(&first, "start", wish).await;
    home.until_turn(inbox, "completed").await;
    first.kill();
    home.house.store.ask_to_end(id).await.unwrap();
    let second = home.house.start(2).await;
    until_ended(&home, id).await;
    let state = home.process(id).await.state;
    assert!(matches!(state, State::Ended(End::Killed(_))), "{state:?}");
    second.stop().await;
}
