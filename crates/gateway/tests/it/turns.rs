//! What becomes of one message, whatever its agent does.

use std::time::Duration;

use angelia_agents::AgentError;
use angelia_agents::events::Events;
use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;
use async_trait::async_trait;

use crate::house::{House, Script, state, write};

/// Does what the message says.
struct Obedient;

#[async_trait]
impl Script for Obedient {
    async fn answer(&self, text: String, events: Events) -> Result<(), AgentError> {
        match text.as_str() {
            "panic" => std::panic::resume_unwind(Box::new("as asked")),
            "fail" => Err(AgentError::passing("as asked")),
            "hang" => {
                events.text("thinking…").await.unwrap();
                std::future::pending().await
            }
            "slow" => {
                tokio::time::sleep(Duration::from_secs(60)).await;
                events
                    .text("slow answer")
                    .await
                    .map_err(|_| AgentError::passing("gone"))
            }
            words => events
                .text(words)
                .await
                .map_err(|_| AgentError::passing("gone")),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_gets_one_turn_and_one_delivery() {
    let house = House::new(Obedient, Mode::Queue);
    let gateway = house.start(1).await;
    let inbox = write(&gateway, "c", 1, "hello").await;
    let story = house.until_answered(inbox).await;
    assert_eq!(state(&story), "completed");
    assert_eq!(story.deliveries.len(), 1);
    assert_eq!(story.deliveries[0].text, "hello");
    assert_eq!(story.deliveries[0].inbox_ids, [inbox]);
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_breaks_down_fails_its_turn_and_nothing_else() {
    let house = House::new(Obedient, Mode::Queue);
    let gateway = house.start(1).await;
    let panicked = write(&gateway, "a", 1, "panic").await;
    let failed = write(&gateway, "b", 1, "fail").await;
    for inbox in [panicked, failed] {
        let story = house.until_answered(inbox).await;
        assert_eq!(state(&story), "failed");
        assert!(story.deliveries[0].text.contains("could not finish"));
    }
    let after = write(&gateway, "a", 2, "still there").await;
    assert_eq!(
        house.until_answered(after).await.deliveries[0].text,
        "still there"
    );
}

#[tokio::test(start_paused = true)]
async fn a_hanging_agent_is_ended_when_its_time_is_up() {
    let house = House::new(Obedient, Mode::Queue);
    let gateway = house.start(1).await;
    let inbox = write(&gateway, "c", 1, "hang").await;
    let story = house.until_answered(inbox).await;
    assert_eq!(state(&story), "failed");
    assert_eq!(
        story.turn.unwrap().attempts,
        1,
        "its lease was renewed all along"
    );
    assert!(story.deliveries[0].text.starts_with("thinking…\n\n"));
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumps_leaves_a_running_turn_with_its_owner() {
    let house = House::new(Obedient, Mode::Queue);
    let gateway = house.start(1).await;
    let inbox = write(&gateway, "c", 1, "slow").await;
    house.until(inbox, |story| state(story) == "running").await;
    house.clock_jumps(Span::minutes(5));
    let story = house.until_answered(inbox).await;
    assert_eq!(
        story.turn.unwrap().attempts,
        1,
        "nobody took it for an orphan"
    );
    assert_eq!(story.deliveries[0].text, "slow answer");
}

#[tokio::test(start_paused = true)]
async fn in_queue_mode_a_second_message_waits() {
    let house = House::new(Obedient, Mode::Queue);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "slow").await;
    house.until(first, |story| state(story) == "running").await;
    let second = write(&gateway, "c", 2, "next").await;
    assert_eq!(
        house.until_answered(second).await.deliveries[0].text,
        "next"
    );
    assert_eq!(house.story(first).await.deliveries[0].text, "slow answer");
}

#[tokio::test(start_paused = true)]
async fn in_interrupt_mode_a_second_message_ends_the_first_turn() {
    let house = House::new(Obedient, Mode::Interrupt);
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "hang").await;
    house.until(first, |story| state(story) == "running").await;
    let second = write(&gateway, "c", 2, "next").await;
    assert_eq!(
        house.until_answered(second).await.deliveries[0].text,
        "next"
    );
    let story = house.story(first).await;
    assert_eq!(state(&story), "interrupted");
    assert_eq!(story.deliveries.len(), 1);
}
