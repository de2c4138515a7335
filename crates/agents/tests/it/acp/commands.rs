//! Commands of the agent's own: remembered when it tells of them, and given to it alone.

use std::sync::Arc;

use angelia_core::about::CommandOf;

use super::scene::{Said, Scene};

#[tokio::test]
async fn what_an_agent_tells_of_its_commands_is_remembered_from_its_first_turn_on() {
    let scene = Scene::new(&["resume", "advertises"]);
    assert_eq!(scene.commands(), [""; 0]);
    assert_eq!(scene.reply("say hello").await, "hello");
    assert_eq!(scene.commands(), ["compact", "quiet"]);
    assert_eq!(scene.reply("say again").await, "again");
    assert_eq!(
        scene.commands(),
        ["compact", "quiet"],
        "it tells of them once"
    );
}

#[tokio::test]
async fn what_an_agent_is_in_the_middle_of_telling_when_it_is_prompted_is_heard_whole() {
    let scene = Scene::new(&["resume", "torn"]);
    assert_eq!(scene.reply("say hello").await, "hello");
    assert_eq!(scene.commands(), ["compact", "quiet"]);
}

#[tokio::test]
async fn a_command_of_the_agents_own_reaches_it_alone() {
    let scene = Scene::new(&["resume", "advertises"]);
    assert_eq!(scene.reply("say hello").await, "hello");
    let mut turn = scene.turn("/compact the tests");
    turn.command_of = CommandOf::Agent;
    turn.note = Some("It is Monday.".to_owned());
    assert_eq!(turn.run().await.reply, "compacted the tests");
    assert_eq!(scene.kept("prompts")[1], "/compact the tests");
}

#[tokio::test]
async fn an_agent_that_has_to_be_told_what_was_said_is_told_also_before_a_command() {
    let scene = Scene::new(&["neither"]);
    let mut turn = scene.turn("/compact now");
    turn.command_of = CommandOf::Agent;
    assert_eq!(turn.run().await.reply, "compacted now");
    assert_eq!(scene.kept("prompts"), ["You are in a chat. | /compact now"]);
}

#[tokio::test]
async fn a_conversation_is_made_shorter_by_the_agents_own_command() {
    let scene = Scene::new(&["resume", "advertises"]);
    assert_eq!(scene.reply("say hello").await, "hello");
    let heard = scene.turn("/compress").shorten(Some("the plan")).await;
    assert_eq!(heard.reply, "compacted the plan");
    let heard = scene.turn("/compress").shorten(Some("silently")).await;
    assert_eq!(
        heard.reply,
        "(The agent has made its conversation shorter.)"
    );
    assert_eq!(
        scene.kept("prompts")[1..],
        ["/compact the plan", "/compact silently"]
    );
}

/// Somebody wishes the conversation shorter, and stops that while the agent is at it.
async fn stopped_shortening(scene: &Scene) {
    let mut turn = scene.turn("/compress");
    turn.shortens(Some("and wait"));
    let stop = turn.stop.clone();
    let heard = turn.run_until(|reply| {
        let _stopped = (reply == "waiting").then(|| stop.cancel());
        false
    });
    assert_eq!(heard.await.unwrap().ended, Ok(()));
}

#[tokio::test]
async fn a_wish_for_fewer_words_that_was_stopped_or_failed_costs_the_agent_nothing_of_its_history()
{
    let scene = Scene::new(&["resume", "advertises"]);
    assert_eq!(scene.reply("say hello").await, "hello");
    stopped_shortening(&scene).await;
    assert_eq!(scene.reply("say there").await, "there");
    let heard = scene.turn("/compress").shorten(Some("in vain")).await;
    assert!(heard.ended.is_err());
    let heard = scene.turn("/compress").shorten(Some("the plan")).await;
    assert_eq!(heard.reply, "compacted the plan");
    stopped_shortening(&scene).await;
    let recalled = scene.reply("recall").await;
    assert!(
        recalled.starts_with("say hello / /compact and wait / say there"),
        "{recalled}"
    );
    assert_eq!(scene.kept("sessions").len(), 1);
}

#[tokio::test]
async fn what_is_taken_back_behind_a_stopped_wish_for_fewer_words_is_told_anew() {
    let scene = Scene::new(&["resume", "advertises"]);
    assert_eq!(scene.reply("say hello").await, "hello");
    stopped_shortening(&scene).await;
    let mut turn = scene.turn("say next");
    turn.past = Arc::new(Said::of(&[]));
    assert_eq!(turn.run().await.reply, "next");
    assert_eq!(scene.kept("sessions").len(), 2);
}

#[tokio::test]
async fn an_agent_without_such_a_command_makes_nothing_shorter() {
    let scene = Scene::new(&[]);
    assert_eq!(scene.reply("say hello").await, "hello");
    let heard = scene.turn("/compress").shorten(None).await;
    let why = heard.ended.unwrap_err().to_string();
    assert!(why.contains("keeps its conversation itself"), "{why}");
    assert_eq!(scene.kept("prompts").len(), 1);
}
