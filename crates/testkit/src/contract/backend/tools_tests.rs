//! Planted faults: the cases find out who does a thing twice, or tells nothing of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use angelia_agents::events::{Ended, Events};
use angelia_agents::{AgentError, Backend, Input};
use angelia_core::recovery::EffectClass;
use angelia_core::turn::busy::Steering;
use angelia_core::turn::journal::{self, Progress};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::super::stage::Pace;
use super::*;

const CALL: &str = "1";

/// What a backend does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// It makes a call again that has ended.
    RepeatsEnded,
    /// It makes a call again that has begun.
    RepeatsBegun,
    /// It tells nothing of a call that has begun.
    LeavesOpen,
}

/// Calls one tool, which counts.
struct Faulty {
    fault: Fault,
    deeds: Arc<AtomicUsize>,
}

impl Faulty {
    async fn work(&self, input: &Input, events: &Events) -> Result<(), Ended> {
        let deed = || self.deeds.fetch_add(1, Ordering::SeqCst);
        let progress = journal::progress(&input.journal, CALL);
        if progress == Progress::Unbegun {
            let begun = Step::ToolBegun {
                call: CALL.to_owned(),
                tool: "made-up".to_owned(),
                arguments: serde_json::json!({}),
                effect: EffectClass::Unknown,
            };
            events.record(begun).await?;
        }
        match (&progress, self.fault) {
            (Progress::Unbegun, _)
            | (Progress::Begun(_), Fault::RepeatsBegun)
            | (Progress::Finished(_), Fault::RepeatsEnded) => drop(deed()),
            (Progress::Begun(_) | Progress::Finished(_), _) => (),
        }
        let is_told = match progress {
            Progress::Unbegun => true,
            Progress::Begun(_) => self.fault != Fault::LeavesOpen,
            Progress::Finished(_) => false,
        };
        if is_told {
            events.record(Step::finished(CALL, "done")).await?;
        }
        events.text("done").await
    }
}

#[async_trait]
impl Backend for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn steering(&self) -> Steering {
        Steering::Impossible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        _stop: CancellationToken,
    ) -> Result<(), AgentError> {
        let worked = self.work(&input, &events).await;
        worked.map_err(|Ended| AgentError::passing("nobody listens"))
    }
}

#[async_trait]
impl Stage for Fault {
    async fn set(&self, _act: Act) -> Scene {
        let deeds = Arc::new(AtomicUsize::new(0));
        let counted = deeds.clone();
        let fault = *self;
        Scene {
            backend: Arc::new(Faulty { fault, deeds }),
            message: "work".to_owned(),
            words: "done".to_owned(),
            begun: Box::new(|| None),
            deeds: Box::new(move || Some(counted.load(Ordering::SeqCst))),
            busy: Box::new(|| false),
            links: Arc::default(),
            pace: Pace::Virtual,
            kept: Box::new(()),
        }
    }
}

mod honest {
    use super::Fault;

    crate::backend_tools!(Fault::None);
}

#[tokio::test]
#[should_panic(expected = "it was not done once")]
async fn who_makes_an_ended_call_again_is_found_out() {
    a_call_that_ended_is_never_made_again(&Fault::RepeatsEnded).await;
}

#[tokio::test]
#[should_panic(expected = "it was not done once")]
async fn who_makes_an_ended_call_again_over_a_whole_journal_is_found_out() {
    a_turn_with_calls_that_is_run_again_does_nothing_twice(&Fault::RepeatsEnded).await;
}

#[tokio::test]
#[should_panic(expected = "it was done again")]
async fn who_makes_a_begun_call_again_is_found_out() {
    a_call_whose_end_was_not_written_down_is_not_made_again(&Fault::RepeatsBegun).await;
}

#[tokio::test]
#[should_panic(expected = "was ended 0 times")]
async fn who_tells_nothing_of_a_begun_call_is_found_out() {
    a_call_that_only_began_comes_to_one_end(&Fault::LeavesOpen).await;
}
