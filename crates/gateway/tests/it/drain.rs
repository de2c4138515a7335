//! Stopping in order, and what the next start finds.

use std::time::Duration;

use angelia_agents::AgentError;
use angelia_agents::events::Events;
use angelia_core::turn::busy::Mode;
use angelia_gateway::door::Shut;
use angelia_store::views::Views;
use async_trait::async_trait;

use crate::house::{House, Script, message, state, write};

/// Answers after as many seconds as the message says.
struct Sleepy;

#[async_trait]
impl Script for Sleepy {
    async fn answer(&self, text: String, events: Events) -> Result<(), AgentError> {
        tokio::time::sleep(Duration::from_secs(text.parse().unwrap())).await;
        events
            .text("awake")
            .await
            .map_err(|_| AgentError::passing("gone"))
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_ends_in_time_is_delivered_before_the_node_stops() {
    let house = House::new(Sleepy, Mode::Queue);
    let gateway = house.start(1).await;
    let inbox = write(&gateway, "c", 1, "5").await;
    house.until(inbox, |story| state(story) == "running").await;
    gateway.stop().await;
    let story = house.story(inbox).await;
    assert_eq!(state(&story), "completed");
    assert!(story.deliveries[0].sent_at.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_takes_too_long_is_left_to_the_next_start_uncounted() {
    let house = House::new(Sleepy, Mode::Queue);
    let gateway = house.start(1).await;
    let inbox = write(&gateway, "c", 1, "60").await;
    let before = house.until(inbox, |story| state(story) == "running").await;
    gateway.stop().await;
    assert_eq!(state(&house.story(inbox).await), "running");
    let _next = house.start(2).await;
    let after = house.until_answered(inbox).await;
    let (before, after) = (before.turn.unwrap(), after.turn.unwrap());
    assert_eq!(after.id, before.id, "one message, one turn");
    assert_eq!(after.attempts, 1, "an orderly stop does not count");
}

#[tokio::test(start_paused = true)]
async fn a_stopping_node_takes_nothing_new_and_leaves_no_live_node_behind() {
    let house = House::new(Sleepy, Mode::Queue);
    let gateway = house.start(1).await;
    gateway.stop().await;
    let late = message("c", 9, "1");
    assert_eq!(gateway.door().accept(late, None).await, Err(Shut::Draining));
    let nodes = house.store.nodes(Default::default()).await.unwrap();
    assert!(nodes.items[0].stopped_at.is_some());
}
