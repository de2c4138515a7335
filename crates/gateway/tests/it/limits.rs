//! Turns that end by a limit of their own, while their agent is at work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use angelia_agents::events::{Ended, Events};
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::limits;
use angelia_core::recovery::EffectClass;
use angelia_core::turn::busy::{Mode, Steering};
use angelia_core::turn::journal::Step;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::commands::Parrot;
use crate::house::{House, state, write};

/// Does more than a turn may, and needs a moment to end what it began once it is asked to stop.
#[derive(Default)]
struct Zealous {
    tidied: AtomicUsize,
}

#[async_trait]
impl Backend for Zealous {
    fn name(&self) -> &'static str {
        "test"
    }

    fn steering(&self) -> Steering {
        Steering::Possible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        stop: CancellationToken,
    ) -> Result<(), AgentError> {
        let Ended = match input.messages[0].text.as_str() {
            "many" => many(&events).await,
            _much => much(&events).await,
        };
        assert_eq!(events.text("more").await, Err(Ended), "nobody hears it");
        stop.cancelled().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.tidied.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// More steps than a turn may have.
async fn many(events: &Events) -> Ended {
    for number in 0..=limits::STEPS_PER_TURN {
        let step = Step::finished(number.to_string(), "done");
        if let Err(ended) = events.record(step).await {
            return ended;
        }
    }
    panic!("all of them were taken")
}

/// A call with more than one step may hold.
async fn much(events: &Events) -> Ended {
    let step = Step::ToolBegun {
        call: "1.1".to_owned(),
        tool: "note".to_owned(),
        arguments: "x".repeat(limits::STEP_BYTES_MAX).into(),
        effect: EffectClass::Unknown,
    };
    events.record(step).await.unwrap_err()
}

#[tokio::test(start_paused = true)]
async fn an_agent_ends_what_it_began_before_a_turn_that_is_over_by_its_limits_is_settled() {
    let house = House::new(Parrot::default(), Mode::Queue);
    let zealous = Arc::new(Zealous::default());
    let gateway = house.start_with(1, zealous.clone(), None).await;
    for (number, words) in [(1, "much"), (2, "many")] {
        let inbox = write(&gateway, "c", number, words).await;
        let story = house
            .until(inbox, |story| {
                !["waiting", "running"].contains(&state(story))
            })
            .await;
        assert_eq!(state(&story), "failed", "{words}");
        let tidied = zealous.tidied.load(Ordering::Relaxed);
        assert_eq!(tidied, number as usize, "{words}");
    }
    gateway.stop().await;
}
