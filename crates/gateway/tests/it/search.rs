//! What was said is found within a second, and what an earlier node left is found after the start.

use std::time::Duration;

use angelia_agents::AgentError;
use angelia_agents::events::Events;
use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;
use angelia_store::search::{Query, Search as _};
use async_trait::async_trait;
use tokio::time::Instant;

use crate::house::{House, Script, write};

/// The most that it may take from an answer until its words are found.
const LAG: Span = Span::seconds(1);

/// Repeats what it is told.
struct Echo;

#[async_trait]
impl Script for Echo {
    async fn answer(&self, text: String, events: Events) -> Result<(), AgentError> {
        let gone = |_| AgentError::passing("gone");
        events.text(&format!("you said {text}")).await.map_err(gone)
    }
}

async fn hits(house: &House<Echo>, text: &str) -> usize {
    let query = Query {
        text: text.to_owned(),
        ..Query::default()
    };
    house.store.search(query).await.unwrap().items.len()
}

/// Waits until so many rows hold the word; returns how long that took by the paused clock.
async fn until_found(house: &House<Echo>, text: &str, rows: usize) -> Duration {
    let began = Instant::now();
    while hits(house, text).await < rows {
        assert!(
            began.elapsed() < Duration::from_secs(7200),
            "`{text}` is never found"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    began.elapsed()
}

#[tokio::test(start_paused = true)]
async fn a_message_and_its_answer_are_found_within_a_second() {
    let house = House::new(Echo, Mode::Queue);
    let gateway = house.start(1).await;
    for number in 0..50 {
        let word = format!("word{number}");
        let inbox = write(&gateway, &format!("c{}", number % 7), number, &word).await;
        house.until_answered(inbox).await;
        let lag = until_found(&house, &word, 2).await;
        assert!(lag <= LAG.to_std(), "{word} after {lag:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn under_load_the_last_answer_is_found_within_a_second_too() {
    let house = House::new(Echo, Mode::Queue);
    let gateway = house.start(1).await;
    let mut last = None;
    for number in 0..2_000 {
        let inbox = write(&gateway, &format!("c{}", number % 200), number, "load").await;
        last = Some(inbox);
    }
    let inbox = write(&gateway, "the last", 2_000, "whales").await;
    house.until_answered(last.unwrap()).await;
    house.until_answered(inbox).await;
    let lag = until_found(&house, "whales", 2).await;
    assert!(lag <= LAG.to_std(), "after {lag:?}");
}

#[tokio::test(start_paused = true)]
async fn what_an_earlier_node_left_is_indexed_after_the_start_and_does_not_hold_it_up() {
    let house = House::new(Echo, Mode::Queue);
    let first = house.start(1).await;
    let inbox = write(&first, "c", 1, "earlier").await;
    house.until_answered(inbox).await;
    // Killed before it has gathered.
    first.kill();
    assert_eq!(hits(&house, "earlier").await, 0, "nothing is indexed yet");
    let began = Instant::now();
    let _second = house.start(2).await;
    assert_eq!(
        began.elapsed(),
        Duration::ZERO,
        "the start waits for nothing"
    );
    let lag = until_found(&house, "earlier", 2).await;
    assert!(lag <= LAG.to_std(), "after {lag:?}");
}
