//! Gateways that die while an agent is at work.

use std::sync::Arc;

use angelia_agents::model::provider::Secret;
use angelia_core::approval::Grant;
use angelia_core::transcript::entry::Role;
use angelia_core::turn::journal::Step;

use super::people::{Person, Silent};
use super::scene::{Commands, Cut, Said, Scene};

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
    let steps = ["planned", "planned", "tool_begun", "tool_finished"];
    assert_eq!(names[0], "answer");
    assert_eq!(names[1..], steps, "two plans and a tool, each once");
}

#[tokio::test]
async fn a_question_that_was_open_at_a_kill_is_put_again_and_the_very_call_goes_on() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("permission make install");
    let silent = Arc::new(Silent::default());
    turn.consent = silent.clone();
    tokio::select! {
        biased;
        () = silent.asked.notified() => (),
        _ = turn.run_until(|_| false) => panic!("it does not wait for an answer"),
    }
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
            prompts[1].contains("You were stopped in the middle"),
            "{cut:?}: {prompts:?}"
        );
        assert_eq!(
            (prompts.len(), scene.kept("started").len()),
            (2, 2),
            "{cut:?}"
        );
    }
}

#[tokio::test]
async fn a_turn_that_came_to_an_end_without_words_is_not_prompted_again() {
    for (words, is_well) in [("mute", true), ("nonsense", false)] {
        let scene = Scene::new(&[]);
        let mut turn = scene.turn(words);
        assert_eq!(turn.run().await.ended.is_ok(), is_well, "{words}");
        assert_eq!(turn.run().await.ended.is_ok(), is_well, "{words}");
        assert_eq!(scene.kept("prompts").len(), 1, "{words}");
        assert_eq!(scene.reply("say next").await, "next");
    }
}

#[tokio::test]
async fn commands_that_an_earlier_attempt_began_end_with_the_turn() {
    let scene = Scene::new(&[]);
    let commands = Arc::new(Commands::default());
    let mut turn = scene.turn("leave 2");
    turn.background = commands.clone();
    assert!(turn.run_until(|reply| reply == "waiting").await.is_none());
    assert_eq!(
        commands.left(),
        1,
        "a turn that goes on elsewhere keeps its commands"
    );
    assert_eq!(turn.run().await.ended, Ok(()));
    assert_eq!((commands.all(), commands.left()), (2, 0));
}

#[tokio::test]
async fn an_agent_that_was_not_told_what_was_said_is_told_with_the_next_prompt() {
    let scene = Scene::new(&[]);
    assert!(scene.says("nonsense").await.ended.is_err());
    assert_eq!(scene.reply("say next").await, "next");
    assert_eq!(scene.reply("say more").await, "more");
    let prompts = scene.kept("prompts");
    assert!(
        prompts[1].starts_with("You are in a chat.") && prompts[1].contains("They: nonsense"),
        "{prompts:?}"
    );
    assert_eq!(prompts[2], "say more");
}

#[tokio::test]
async fn an_agent_that_repeats_its_past_late_does_not_say_it_again() {
    let scene = Scene::new(&["load", "straggles"]);
    assert_eq!(scene.reply("say first").await, "first");
    assert_eq!(scene.says("die once").await.reply, "half whole");
}

#[tokio::test]
async fn an_agent_with_other_settings_is_started_anew_and_takes_the_conversation_up() {
    let mut scene = Scene::new(&[]);
    assert_eq!(scene.reply("say first").await, "first");
    let word = Secret::new("a word".to_owned());
    scene.setup.variables.insert("WORD".to_owned(), word);
    assert_eq!(scene.reply("variable WORD").await, "a word");
    assert_eq!(scene.kept("started").len(), 2);
    assert_eq!(scene.reply("recall").await, "say first / variable WORD");
    assert_eq!((scene.kept("started").len(), scene.agents()), (2, 1));
}

#[tokio::test]
async fn an_agent_is_told_anew_what_others_said_meanwhile() {
    let scene = Scene::new(&[]);
    let said = |rows: &[(Role, &str)]| {
        let rows = rows.iter().cloned();
        let rows: Vec<_> = rows.map(|(role, words)| (role, words.to_owned())).collect();
        Arc::new(Said::of(&rows))
    };
    let mut turn = scene.turn("say one");
    turn.past = said(&[]);
    assert_eq!(turn.run().await.reply, "one");
    let ours = [(Role::User, "say one"), (Role::Assistant, "one")];
    let mut turn = scene.turn("say two");
    turn.past = said(&ours);
    assert_eq!(turn.run().await.reply, "two");
    let theirs = [
        (Role::User, "say two"),
        (Role::Assistant, "two"),
        (Role::User, "and you?"),
        (Role::Assistant, "another answered"),
    ];
    let mut turn = scene.turn("say three");
    turn.past = said(&[ours.as_slice(), &theirs].concat());
    assert_eq!(turn.run().await.reply, "three");
    let prompts = scene.kept("prompts");
    assert_eq!(prompts[1], "say two", "it knows what it said");
    assert!(prompts[2].contains("You: another answered"), "{prompts:?}");
    assert_eq!(scene.kept("sessions").len(), 2);
}

#[tokio::test]
async fn a_turn_that_failed_before_its_prompt_costs_the_agent_nothing_of_its_history() {
    let mut scene = Scene::new(&[]);
    assert_eq!(scene.reply("say first").await, "first");
    scene.setup.sign_in = Some("browser".to_owned());
    let why = scene.says("say lost").await.ended.unwrap_err().to_string();
    assert!(why.contains("no such way"), "{why}");
    scene.setup.sign_in = None;
    assert_eq!(scene.reply("recall").await, "say first");
    assert_eq!(scene.kept("sessions").len(), 1);
}

#[tokio::test]
async fn a_stopped_turn_and_one_that_failed_behind_it_cost_the_agent_nothing_of_its_history() {
    let mut scene = Scene::new(&[]);
    let mut turn = scene.turn("wait");
    let stop = turn.stop.clone();
    let heard = turn.run_until(|reply| {
        let _stopped = (reply == "waiting").then(|| stop.cancel());
        false
    });
    assert_eq!(heard.await.unwrap().ended, Ok(()));
    drop(turn);
    scene.setup.sign_in = Some("browser".to_owned());
    assert!(scene.says("say lost").await.ended.is_err());
    scene.setup.sign_in = None;
    assert_eq!(scene.reply("recall").await, "wait");
    assert_eq!(scene.kept("sessions").len(), 1);
}
