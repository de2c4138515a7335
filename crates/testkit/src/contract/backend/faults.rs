//! What an agent does that it should not.

use std::time::Duration;

use angelia_agents::events;
use angelia_core::limits;
use futures_util::FutureExt as _;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::listening::{Heard, Next, PATIENCE, at_rest, hurrying, input, run};
use super::stage::{Act, Stage};

/// How long nobody listens: enough to say far more than there is room for.
const A_WHILE: Duration = Duration::from_millis(500);

/// An agent that breaks in the middle fails its turn, in words for people; what it said stands there once
/// or not at all.
pub async fn an_agent_that_breaks_off_is_told_and_leaves_nothing_half_said_twice(
    stage: &dyn Stage,
) {
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

/// An agent that speaks to a turn which does not listen is held back, and heeds a stop all the same.
pub async fn an_agent_that_floods_is_held_back(stage: &dyn Stage) {
    let scene = stage.set(Act::Floods).await;
    let (events, mut told) = events::channel();
    let stop = CancellationToken::new();
    let agent = scene.backend.run(input(&scene, &[]), events, stop.clone());
    let mut agent = std::pin::pin!(agent.fuse());
    let mut heard = Heard::default();
    // From the first word on nobody takes anything out of the channel.
    while heard.reply.is_empty() {
        tokio::select! {
            biased;
            Some(event) = told.recv() => heard.hear(event),
            ended = &mut agent => panic!("it ended before its first word: {ended:?}"),
        }
    }
    // It fills it, or has come to a point at which it waits.
    let ended = timeout(A_WHILE, &mut agent).await;
    assert!(ended.is_err(), "it went on without a listener: {ended:?}");
    stop.cancel();
    let ended = timeout(PATIENCE, agent).await;
    assert!(ended.is_ok(), "it waits for room that nobody makes");
    at_rest(&scene).await;
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
    let escape = run.heard.reply.find('\u{1b}');
    assert_eq!(escape, None, "escapes are no words: {:?}", run.heard.reply);
    match run.ended {
        Some(Err(why)) => assert!(!why.to_string().trim().is_empty()),
        Some(Ok(())) => assert!(run.heard.reply.starts_with(&scene.words)),
        None => panic!("the run was dropped"),
    }
}
