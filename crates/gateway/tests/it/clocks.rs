//! A node whose clock is wrong does what the clock of the rows says.

use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_store::views::Views as _;

use crate::commands::Parrot;
use crate::house::{House, write};
use crate::news::idle_house;

async fn is_kept(house: &House<Parrot>, session: SessionId) -> bool {
    house.store.session(session).await.unwrap().is_some()
}

/// Long enough for the janitor to have looked.
async fn janitor_looks() {
    for _ in 0..3 {
        tokio::time::sleep(limits::JANITOR_PERIOD.to_std()).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_whose_clock_is_ahead_forgets_no_conversation_early() {
    let mut house = idle_house();
    house.rules = Rules {
        forget_after: Some(Span::days(7)),
        ..house.rules.clone()
    };
    house.node_is_ahead = Span::days(30);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "one").await;
    let first = house.until_answered(first).await.session;
    house.clock_jumps(Span::minutes(61));
    let second = write(&gateway, "c", 2, "two").await;
    let second = house.until_answered(second).await.session;
    assert_ne!(first, second, "the first one has ended");
    janitor_looks().await;
    assert!(is_kept(&house, first).await, "it ended a moment ago");
    house.clock_jumps(Span::days(8));
    janitor_looks().await;
    assert!(!is_kept(&house, first).await, "its time has come");
    assert!(is_kept(&house, second).await, "it ended just now");
}
