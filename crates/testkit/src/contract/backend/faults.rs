//! What an agent does that it should not.

use angelia_agents::events::{self, AgentEvent};
use angelia_core::limits;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::listening::{Heard, Next, PATIENCE, at_rest, hurrying, input, run};
use super::stage::{Act, Stage};

/// An agent that breaks in the middle fails its turn, in words for people; what it said stands there once
/// or not at all.
pub async fn an_agent_that_breaks_off_is_told_and_leaves_nothing_half_said_twice(stage: &dyn Stage) {
    let scene = stage.set(Act::Breaks).await;
    let run = run(&scene, &[], hurrying(scene.pace)).await;
    let why = run.ended.and_then(Result::err);
    let why = why.expect("it is an error").to_string();
    assert!(!why.trim().is_empty());
    let reply = run.heard.reply;
    assert!(reply.is_empty() || reply == scene.words, "{reply:?}");
}

/// An agent that says nothing more is given up, and its work is ended.
pub async fn an_agent_that_falls_silent_is_not_waited_for_without_end(stage: &dyn Stage) {
    let scene = stage.set(Act::Hangs).await;
    let run = run(&scene, &[], hurrying(scene.pace)).await;
    assert!(matches!(run.ended, Some(Err(_))), "{run:?}");
    at_rest(&scene).await;
}

/// An agent that speaks faster than its turn listens is held back: nothing piles up between the two.
pub async fn an_agent_that_floods_is_held_back(stage: &dyn Stage) {
    let scene = stage.set(Act::Floods).await;
    let (events, mut told) = events::channel();
    let stop = CancellationToken::new();
    let agent = scene.backend.run(input(&scene, &[]), events, stop.clone());
    tokio::pin!(agent);
    let mut heard = Heard::default();
    // Until the channel is full nobody takes anything out of it.
    let full = async {
        while told.len() < told.max_capacity() {
            tokio::select! {
                biased;
                _ended = &mut agent => return,
                () = tokio::task::yield_now() => (),
            }
            let_steps_pass(&mut told, &mut heard);
        }
    };
    timeout(PATIENCE, full).await.expect("the channel fills, or the agent ends");
    assert!(told.len() <= told.max_capacity());
    stop.cancel();
    let ended = timeout(PATIENCE, agent).await;
    assert!(ended.is_ok(), "it waits for room that nobody makes");
    at_rest(&scene).await;
}

/// Words are left where they are, but a step is answered: without that an agent may not even begin.
fn let_steps_pass(told: &mut tokio::sync::mpsc::Receiver<AgentEvent>, heard: &mut Heard) {
    if heard.steps.is_empty()
        && told.len() == 1
        && let Ok(event) = told.try_recv()
    {
        heard.hear(event);
    }
}

/// However much is said, a turn hears a bounded part of it and comes to an end.
pub async fn what_is_said_without_end_has_an_end(stage: &dyn Stage) {
    let scene = stage.set(Act::Floods).await;
    let run = run(&scene, &[], |_| Next::Listen).await;
    assert!(run.ended.is_some());
    let heard = run.heard.reply.len();
    assert!(heard <= limits::REPLY_BYTES_MAX, "{heard} bytes were heard");
    at_rest(&scene).await;
}

/// Nonsense ends in an error or in words, never in a panic or a hang.
pub async fn what_is_no_speech_breaks_nothing(stage: &dyn Stage) {
    let scene = stage.set(Act::Raves).await;
    let run = run(&scene, &[], hurrying(scene.pace)).await;
    match run.ended {
        Some(Err(why)) => assert!(!why.to_string().trim().is_empty()),
        Some(Ok(())) => assert!(run.heard.reply.starts_with(&scene.words)),
        None => panic!("the run was dropped"),
    }
}
