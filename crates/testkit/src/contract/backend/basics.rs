//! What holds for every turn: the order of words, the end on demand, and the journal.

use angelia_core::turn::journal::Step;

use super::listening::{Next, at_rest, run};
use super::stage::{Act, Stage};

/// Words come in the order in which they were said, and all of them.
pub async fn words_are_heard_in_order(stage: &dyn Stage) {
    let scene = stage.set(Act::Says).await;
    let run = run(&scene, &[], |_| Next::Listen).await;
    assert_eq!(run.ended, Some(Ok(())));
    assert_eq!(run.heard.reply, scene.words);
}

/// A word is heard while the agent still speaks.
pub async fn words_are_heard_before_the_answer_is_whole(stage: &dyn Stage) {
    let scene = stage.set(Act::GoesOn).await;
    let run = run(&scene, &[], |heard| match heard.reply.is_empty() {
        true => Next::Listen,
        false => Next::Stop,
    })
    .await;
    assert!(run.heard.reply.starts_with(&scene.words), "{run:?}");
    assert!(!run.heard.steps.iter().any(is_answer), "{run:?}");
}

/// A turn that is stopped returns, without an error, and its agent works no more.
pub async fn a_stopped_agent_ends(stage: &dyn Stage) {
    let scene = stage.set(Act::GoesOn).await;
    let run = run(&scene, &[], |heard| match heard.reply.is_empty() {
        true => Next::Listen,
        false => Next::Stop,
    })
    .await;
    assert_eq!(run.ended, Some(Ok(())));
    at_rest(&scene).await;
}

/// So does one to whom nobody listens any more.
pub async fn an_agent_to_whom_nobody_listens_ends(stage: &dyn Stage) {
    let scene = stage.set(Act::Floods).await;
    let run = run(&scene, &[], |heard| match heard.reply.is_empty() {
        true => Next::Listen,
        false => Next::HangUp,
    })
    .await;
    assert!(run.ended.is_some());
    at_rest(&scene).await;
}

/// A turn whose journal is whole says its words again, and begins nothing.
pub async fn a_turn_that_is_run_again_says_the_same_and_does_nothing_twice(stage: &dyn Stage) {
    let scene = stage.set(Act::Says).await;
    let first = run(&scene, &[], |_| Next::Listen).await;
    let begun = (scene.begun)();
    let again = run(&scene, &first.heard.steps, |_| Next::Listen).await;
    assert_eq!(again.ended, Some(Ok(())));
    assert_eq!(again.heard.reply, scene.words);
    assert_eq!((scene.begun)(), begun, "it was begun again");
    assert_eq!(again.heard.steps, [], "it was written down again");
}

/// Wherever a run is dropped, the next one comes to the same end; what was finished is not begun again.
pub async fn a_turn_that_is_dropped_after_any_step_comes_to_the_same_end(stage: &dyn Stage) {
    let scene = stage.set(Act::Says).await;
    let whole = run(&scene, &[], |_| Next::Listen).await.heard.steps.len();
    for kept in 0..=whole {
        let scene = stage.set(Act::Says).await;
        let first = run(&scene, &[], |heard| match heard.steps.len() < kept {
            true => Next::Listen,
            false => Next::Die,
        })
        .await;
        let begun = (scene.begun)();
        let mut journal = first.heard.steps;
        let is_answered = journal.iter().any(is_answer);
        let second = run(&scene, &journal, |_| Next::Listen).await;
        assert_eq!(second.ended, Some(Ok(())), "dropped after {kept} steps");
        assert_eq!(
            second.heard.reply, scene.words,
            "dropped after {kept} steps"
        );
        if is_answered {
            assert_eq!((scene.begun)(), begun, "dropped after {kept} steps");
        }
        journal.extend(second.heard.steps);
        let answers = journal.iter().filter(|step| is_answer(step)).count();
        assert!(answers <= 1, "{journal:?}");
    }
}

fn is_answer(step: &Step) -> bool {
    matches!(step, Step::Answer { .. })
}
