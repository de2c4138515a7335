//! Gateways that die while an agent is at work.

use std::sync::Arc;

use angelia_core::approval::Grant;
use angelia_core::turn::journal::Step;

use super::scene::{Cut, Person, Scene, Silent};

fn counted() -> String {
    (1..=40).map(|number| format!("w{number} ")).collect()
}

#[tokio::test]
async fn a_kill_in_the_middle_of_forty_pieces_loses_nothing_and_doubles_nothing() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("count 40");
    for cut in ["w4 ", "w11 ", "w12 ", "w30 "] {
        let killed = turn.run_until(|reply| reply.ends_with(cut)).await;
        assert!(killed.is_none(), "it was killed at {cut}");
    }
    let heard = turn.run().await;
    assert_eq!(heard.ended, Ok(()));
    assert_eq!(heard.reply, counted());
    assert_eq!(scene.kept("prompts").len(), 1, "it was prompted once");
    assert_eq!(scene.kept("counted").len(), 40);
    assert_eq!(scene.reply("say next").await, "next");
    assert_eq!(scene.kept("started").len(), 1);
}

#[tokio::test]
async fn an_answer_that_came_while_nobody_listened_is_found() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("count 40");
    turn.run_until(|reply| reply.ends_with("w2 ")).await;
    while scene.kept("counted").len() < 40 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(turn.run().await.reply, counted());
}

#[tokio::test]
async fn an_answer_whose_agent_died_afterwards_is_found_in_its_last_words() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("count 40");
    turn.run_until(|reply| reply.ends_with("w2 ")).await;
    while scene.kept("answered").is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let pid = scene.kept("started")[0].parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    assert_eq!(turn.run().await.reply, counted());
    assert_eq!(scene.kept("prompts").len(), 1, "it was not prompted again");
}

#[tokio::test]
async fn a_turn_whose_answer_is_written_down_says_it_again_and_asks_nobody() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("work");
    let first = turn.run().await;
    let again = turn.run().await;
    assert_eq!(again.reply, first.reply);
    assert!(again.steps.is_empty());
    assert_eq!(scene.kept("prompts").len(), 1);
}

#[tokio::test]
async fn steps_are_written_down_once_however_often_the_turn_is_run() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("work");
    assert!(
        turn.run_until(|reply| reply.ends_with("Found it."))
            .await
            .is_none()
    );
    let heard = turn.run().await;
    assert_eq!(heard.reply, "Looking.\n\nFound it.");
    let mut names: Vec<&str> = turn.journal.iter().map(Step::name).collect();
    names.sort_unstable();
    let call = ["tool_begun", "tool_begun", "tool_finished", "tool_finished"];
    assert_eq!(names[0], "answer");
    assert_eq!(names[1..], call, "a plan and a tool, each once");
}

#[tokio::test]
async fn a_question_that_was_open_at_a_kill_is_put_again_and_the_very_call_goes_on() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("permission make install");
    turn.consent = Arc::new(Silent);
    let asking = turn.run_until(|_| false);
    let asked = tokio::time::timeout(std::time::Duration::from_secs(2), asking).await;
    assert!(asked.is_err(), "it waits for an answer");
    let person = Person::who_says(Some(Grant::Once));
    turn.consent = person.clone();
    assert_eq!(turn.run().await.reply, "picked now");
    let asked = person.asked.lock().unwrap();
    assert_eq!(
        (asked.len(), asked[0].command.as_str()),
        (1, "make install")
    );
    assert_eq!(scene.kept("prompts").len(), 1);
}

#[tokio::test]
async fn an_agent_at_work_for_a_turn_that_is_over_is_stopped_before_the_next() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("wait");
    turn.run_until(|reply| reply == "waiting").await;
    // Somebody ended that turn while no gateway ran.
    assert_eq!(scene.reply("say next").await, "next");
    assert!(scene.kept("methods").contains(&"session/cancel".to_owned()));
    assert_eq!(scene.kept("started").len(), 1);
}

#[tokio::test]
async fn a_second_agent_is_told_what_happened_also_if_a_kill_came_between_its_start_and_its_prompt()
{
    for cut in [Cut::Unwritten, Cut::Written] {
        let scene = Scene::new(&["resume"]);
        *scene.cut.lock().unwrap() = Some(cut);
        let mut turn = scene.turn("die once");
        turn.run().await;
        assert_eq!(
            scene.kept("prompts").len(),
            1,
            "{cut:?}: the second was not asked"
        );
        assert_eq!(turn.run().await.reply, "half whole", "{cut:?}");
        let prompts = scene.kept("prompts");
        assert!(
            prompts[1].starts_with("You were stopped in the middle"),
            "{cut:?}: {prompts:?}"
        );
        assert_eq!(
            (prompts.len(), scene.kept("started").len()),
            (2, 2),
            "{cut:?}"
        );
    }
}
