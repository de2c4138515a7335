//! Turns found without their owner: continued, bounded, and never at their neighbours' expense.

use std::sync::Mutex;
use std::time::Duration;

use angelia_agents::AgentError;
use angelia_agents::events::Events;
use angelia_core::id::InboxId;
use angelia_core::limits;
use angelia_core::turn::busy::Mode;
use angelia_gateway::gateway::Gateway;
use angelia_store::views::Story;
use async_trait::async_trait;
use tokio::time::Instant;

use crate::house::{House, Script, state, write};

/// Says who runs when; `killer` messages never end by themselves.
#[derive(Default)]
struct Witness {
    running: Mutex<Vec<String>>,
    most: Mutex<usize>,
}

#[async_trait]
impl Script for Witness {
    async fn answer(&self, text: String, events: Events) -> Result<(), AgentError> {
        let count = {
            let mut running = self.running.lock().unwrap();
            running.push(text.clone());
            running.len()
        };
        let mut most = *self.most.lock().unwrap();
        most = most.max(count);
        *self.most.lock().unwrap() = most;
        let pause = if text == "killer" { 3600 } else { 1 };
        tokio::time::sleep(Duration::from_secs(pause)).await;
        self.running.lock().unwrap().retain(|one| *one != text);
        events
            .text(format!("done {text}"))
            .await
            .map_err(|_| AgentError::passing("gone"))
    }
}

fn attempts(story: &Story) -> u32 {
    story.turn.as_ref().map_or(0, |turn| turn.attempts)
}

impl Witness {
    fn begin_again(&self) {
        self.running.lock().unwrap().clear();
        *self.most.lock().unwrap() = 0;
    }
}

async fn killed(gateway: Gateway, witness: &Witness) {
    gateway.kill();
    tokio::task::yield_now().await;
    witness.begin_again();
}

/// So many conversations at work.
async fn at_work(house: &House<Witness>, gateway: &Gateway, count: usize) -> Vec<InboxId> {
    let mut all = Vec::new();
    for number in 0..count {
        all.push(write(gateway, &format!("c{number}"), 1, &format!("m{number}")).await);
    }
    for inbox in &all {
        house.until(*inbox, |story| state(story) == "running").await;
    }
    all
}

#[tokio::test(start_paused = true)]
async fn turns_found_after_a_crash_are_all_under_way_within_seconds() {
    let house = House::new(Witness::default(), Mode::Queue);
    let gateway = house.start(1).await;
    let all = at_work(&house, &gateway, limits::TURNS_PER_NODE).await;
    killed(gateway, &house.script).await;
    let begun = Instant::now();
    let _next = house.start(2).await;
    for inbox in all {
        let story = house.until_answered(inbox).await;
        assert_eq!(story.turn.unwrap().attempts, 2);
    }
    assert!(begun.elapsed() < limits::LOOP_PERIOD.to_std());
    let most = *house.script.most.lock().unwrap();
    assert!((2..limits::TURNS_PER_NODE).contains(&most), "{most}");
}

#[tokio::test(start_paused = true)]
async fn turns_found_after_another_crash_start_one_at_a_time() {
    let house = House::new(Witness::default(), Mode::Queue);
    let gateway = house.start(1).await;
    let all = at_work(&house, &gateway, 8).await;
    killed(gateway, &house.script).await;
    let gateway = house.start(2).await;
    for inbox in &all {
        house.until(*inbox, |story| attempts(story) == 2).await;
    }
    killed(gateway, &house.script).await;
    let _next = house.start(3).await;
    for inbox in all {
        let story = house.until_answered(inbox).await;
        assert_eq!(attempts(&story), 3);
    }
    assert_eq!(*house.script.most.lock().unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_message_that_keeps_ending_the_gateway_is_given_up_after_three_times() {
    let house = House::new(Witness::default(), Mode::Queue);
    let mut gateway = house.start(1).await;
    let killer = write(&gateway, "k", 1, "killer").await;
    for attempt in 1..=3 {
        house
            .until(killer, |story| attempts(story) == attempt)
            .await;
        killed(gateway, &house.script).await;
        gateway = house.start(u64::from(attempt) + 1).await;
    }
    let story = house.until_answered(killer).await;
    assert_eq!(state(&story), "abandoned");
    assert_eq!(story.deliveries.len(), 1);
}
