//! Agents that die, hang, flood or talk nonsense.

use std::time::Duration;

use angelia_core::agent::AgentName;
use angelia_core::limits;
use tokio::time::Instant;

use super::scene::Scene;

#[tokio::test]
async fn nonsense_is_passed_over_and_unknown_wishes_are_refused() {
    let scene = Scene::new(&[]);
    assert_eq!(scene.reply("garbage").await, "code -32601");
}

#[tokio::test]
async fn an_agent_that_dies_is_started_again_and_told_what_happened() {
    for (words, way) in [("resume", "session/resume"), ("load", "session/load")] {
        let scene = Scene::new(&[words, "replays"]);
        assert_eq!(scene.reply("say first").await, "first");
        let heard = scene.says("die once").await;
        assert_eq!(heard.ended, Ok(()));
        assert_eq!(
            heard.reply, "half whole",
            "{words}: nothing old, nothing twice"
        );
        assert!(scene.kept("methods").contains(&way.to_owned()));
        let prompts = scene.kept("prompts");
        assert!(
            prompts[2].starts_with("You were stopped in the middle"),
            "{prompts:?}"
        );
        assert_eq!((prompts.len(), scene.kept("sessions").len()), (3, 1));
        assert_eq!(scene.agents(), 1, "the dead one left nothing");
    }
}

#[tokio::test]
async fn one_that_takes_nothing_up_is_told_what_was_said() {
    let scene = Scene::new(&["neither"]);
    assert_eq!(scene.reply("die once").await, "half whole");
    assert_eq!(scene.kept("sessions").len(), 2);
    let prompts = scene.kept("prompts");
    assert!(prompts[1].starts_with("You are in a chat."), "{prompts:?}");
    assert!(
        prompts[1].contains("You were stopped in the middle"),
        "{prompts:?}"
    );
}

#[tokio::test]
async fn one_that_dies_again_fails_the_turn() {
    let scene = Scene::new(&[]);
    let failed = scene.says("die always").await;
    let why = failed.ended.unwrap_err().to_string();
    assert!(why.contains("ended in the middle"), "{why}");
    assert_eq!(
        (scene.kept("started").len(), failed.reply.as_str()),
        (2, "")
    );
    assert_eq!(scene.reply("say alive").await, "alive");
}

#[tokio::test]
async fn one_that_hangs_is_ended_when_its_time_is_up() {
    let mut scene = Scene::new(&[]);
    assert_eq!(scene.reply("say first").await, "first");
    scene.setup.silence = Duration::from_secs(4);
    let why = scene.says("hang").await.ended.unwrap_err().to_string();
    assert!(why.contains("said nothing"), "{why}");
    scene.setup.silence = Duration::from_secs(60);
    assert_eq!(scene.reply("recall").await, "say first / hang");
}

#[tokio::test]
async fn one_that_does_not_stop_is_ended_in_time() {
    let scene = Scene::new(&[]);
    assert_eq!(scene.reply("say first").await, "first");
    let mut turn = scene.turn("hang");
    let stop = turn.stop.clone();
    let stopping = async {
        while scene.kept("prompts").len() < 2 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        stop.cancel();
        tokio::time::Instant::now()
    };
    let (heard, stopped) = tokio::join!(turn.run(), stopping);
    assert_eq!(heard.ended, Ok(()));
    assert!(stopped.elapsed() < limits::AGENT_STOP_TIME.to_std() + Duration::from_secs(20));
    assert_eq!(scene.reply("say next").await, "next");
    assert_eq!(scene.kept("started").len(), 2);
}

#[tokio::test]
async fn a_flood_becomes_a_reply_of_the_usual_length() {
    let scene = Scene::new(&[]);
    let reply = scene.reply("flood 1000").await;
    assert_eq!(reply.len(), limits::REPLY_BYTES_MAX);
    assert_eq!(scene.reply("say dry").await, "dry");
}

#[tokio::test]
async fn a_command_that_is_no_agent_is_told_in_words() {
    for (command, told) in [
        ("false", "ended as soon as"),
        ("/no/such/agent", "ended as soon as"),
    ] {
        let mut scene = Scene::new(&[]);
        scene.setup.command = vec![command.to_owned()];
        let why = scene.says("say hello").await.ended.unwrap_err().to_string();
        assert!(why.contains(told), "{why}");
    }
}

#[tokio::test]
async fn a_full_pool_is_waited_for() {
    let mut scene = Scene::new(&[]);
    scene.setup.pool = 1;
    let another = scene.holds(&AgentName::main());
    let waiting = scene.says("say hello");
    let waited = tokio::time::timeout(Duration::from_millis(700), waiting).await;
    assert!(waited.is_err(), "there is no room");
    std::fs::remove_dir(another).unwrap();
    assert_eq!(scene.reply("say hello").await, "hello");
}

#[tokio::test(start_paused = true)]
async fn a_pool_that_stays_full_is_said() {
    let mut scene = Scene::new(&[]);
    scene.setup.pool = 1;
    scene.holds(&AgentName::main());
    let began = Instant::now();
    let why = scene.says("say hello").await.ended.unwrap_err().why;
    assert!(
        why.starts_with("1 agents are at work") && why.contains("`agent.pool`"),
        "{why}"
    );
    assert!(began.elapsed() >= limits::AGENT_ROOM_TIME.to_std());
}

#[tokio::test]
async fn another_agent_has_room_of_its_own() {
    let mut scene = Scene::new(&[]);
    scene.setup.pool = 1;
    scene.holds(&"helper".parse().unwrap());
    assert_eq!(scene.reply("say hello").await, "hello");
}
