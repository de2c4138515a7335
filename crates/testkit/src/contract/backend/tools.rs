//! What becomes of the calls of tools when a turn is run again: what was done is not done twice, whoever did it.

use angelia_core::turn::journal::Step;

use super::listening::{Heard, Next, Run, run};
use super::stage::{Act, Scene, Stage};

/// A turn whose journal is whole does nothing, and says its words again.
pub async fn a_turn_with_calls_that_is_run_again_does_nothing_twice(stage: &dyn Stage) {
    let scene = stage.set(Act::Works).await;
    let first = run(&scene, &[], |_| Next::Listen).await;
    comes_to_its_end(&scene, &first);
    assert!(first.heard.steps.iter().any(is_end), "it called a tool");
    let again = run(&scene, &first.heard.steps, |_| Next::Listen).await;
    comes_to_its_end(&scene, &again);
    assert_eq!(again.heard.steps, [], "it was written down again");
}

/// A call that ended before the turn was dropped is read, not made.
pub async fn a_call_that_ended_is_never_made_again(stage: &dyn Stage) {
    let scene = stage.set(Act::Works).await;
    let first = run(&scene, &[], until(is_end)).await;
    let second = run(&scene, &first.heard.steps, |_| Next::Listen).await;
    comes_to_its_end(&scene, &second);
    every_call_has_one_end(first, second);
}

/// A call that was written down as begun, and no more, is made once at most, and its outcome is told.
pub async fn a_call_that_only_began_comes_to_one_end(stage: &dyn Stage) {
    let scene = stage.set(Act::Works).await;
    let first = run(&scene, &[], until(is_beginning)).await;
    let second = run(&scene, &first.heard.steps, |_| Next::Listen).await;
    assert_eq!(second.ended, Some(Ok(())));
    assert!((scene.deeds)() <= Some(1), "it was done twice");
    every_call_has_one_end(first, second);
}

/// So does one that was made when the turn was dropped, and of whose end nothing was written down any more.
pub async fn a_call_whose_end_was_not_written_down_is_not_made_again(stage: &dyn Stage) {
    let scene = stage.set(Act::Works).await;
    let mut first = run(&scene, &[], until(is_end)).await;
    first.heard.steps.retain(|step| !is_end(step));
    assert_eq!((scene.deeds)(), Some(1), "it was done by then");
    let second = run(&scene, &first.heard.steps, |_| Next::Listen).await;
    assert_eq!(second.ended, Some(Ok(())));
    assert_eq!((scene.deeds)(), Some(1), "it was done again");
    every_call_has_one_end(first, second);
}

/// Listens until a step is such a one, and dies.
fn until(is_it: fn(&Step) -> bool) -> impl FnMut(&Heard) -> Next {
    move |heard| match heard.steps.iter().any(is_it) {
        true => Next::Die,
        false => Next::Listen,
    }
}

fn comes_to_its_end(scene: &Scene, run: &Run) {
    assert_eq!(run.ended, Some(Ok(())));
    assert_eq!(run.heard.reply, scene.words);
    assert_eq!((scene.deeds)(), Some(1), "it was not done once");
}

fn every_call_has_one_end(first: Run, second: Run) {
    let all = first.heard.steps.into_iter().chain(second.heard.steps);
    let all: Vec<Step> = all.collect();
    for (kind, is_it) in [
        ("begun", is_beginning as fn(&Step) -> bool),
        ("ended", is_end),
    ] {
        let count = all.iter().filter(|step| is_it(step)).count();
        assert_eq!(count, 1, "the one call was {kind} {count} times: {all:?}");
    }
}

fn is_beginning(step: &Step) -> bool {
    matches!(step, Step::ToolBegun { .. })
}

fn is_end(step: &Step) -> bool {
    matches!(step, Step::ToolFinished { .. })
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
