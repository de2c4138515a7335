//! Turns that are stopped, and what they leave behind.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use angelia_agents::background::act::{Act, Acted};
use angelia_agents::background::{Background, NotStarted, Started, Wish};
use angelia_agents::events::Ended;
use angelia_core::turn::journal::Step;
use async_trait::async_trait;
use tokio::sync::Barrier;
use tokio_util::sync::CancellationToken;

use super::scene::{Commands, Scene};

/// Longer than any machine stands still.
const PATIENCE: Duration = Duration::from_secs(30);

/// Commands that end only once all of them were asked to. The first is asked once before, when it is let go of.
#[derive(Debug)]
struct Sluggish {
    commands: Commands,
    all_asked: Barrier,
    alone: Mutex<Vec<String>>,
}

impl Sluggish {
    fn of(count: usize) -> Self {
        Self {
            commands: Commands::default(),
            all_asked: Barrier::new(count),
            alone: Mutex::default(),
        }
    }
}

#[async_trait]
impl Background for Sluggish {
    async fn start(&self, wish: Wish) -> Result<Started, NotStarted> {
        self.commands.start(wish).await
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        let asked = self.commands.ended.lock().unwrap().len();
        if let Act::Kill(id) = &act
            && asked > 0
            && tokio::time::timeout(PATIENCE, self.all_asked.wait())
                .await
                .is_err()
        {
            self.alone.lock().unwrap().push(id.clone());
        }
        self.commands.act(act).await
    }
}

#[tokio::test]
async fn all_commands_of_a_stopped_turn_are_asked_to_end_at_once() {
    let scene = Scene::new(&[]);
    let commands = Arc::new(Sluggish::of(3));
    let mut turn = scene.turn("leave-and-wait 3");
    turn.background = commands.clone();
    let stop = turn.stop.clone();
    let heard = turn.run_until(|reply| {
        let _stopped = (reply == "waiting").then(|| stop.cancel());
        false
    });
    assert_eq!(heard.await.unwrap().ended, Ok(()));
    assert_eq!(commands.commands.left(), 0);
    assert!(
        commands.alone.lock().unwrap().is_empty(),
        "one waited for another"
    );
}

/// Somebody stops the turn while a command of it is being started.
#[derive(Debug)]
struct Overtaken {
    commands: Commands,
    stop: CancellationToken,
}

#[async_trait]
impl Background for Overtaken {
    async fn start(&self, wish: Wish) -> Result<Started, NotStarted> {
        let started = self.commands.start(wish).await;
        self.stop.cancel();
        tokio::task::yield_now().await;
        started
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        self.commands.act(act).await
    }
}

#[tokio::test]
async fn a_command_that_is_being_started_when_the_turn_is_stopped_ends_with_it() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("leave-and-wait 1");
    let commands = Arc::new(Overtaken {
        commands: Commands::default(),
        stop: turn.stop.clone(),
    });
    turn.background = commands.clone();
    assert_eq!(turn.run().await.ended, Ok(()));
    let commands = &commands.commands;
    assert_eq!((commands.all(), commands.left()), (1, 0));
}

#[tokio::test]
async fn a_turn_that_is_stopped_right_behind_its_answer_does_not_write_it_down_as_one() {
    let scene = Scene::new(&[]);
    let mut turn = scene.turn("say one ... two");
    let stop = turn.stop.clone();
    let heard = turn.run_until(|reply| {
        let _stopped = (reply == "one two").then(|| stop.cancel());
        false
    });
    let heard = heard.await.unwrap();
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "one two"));
    let is_answer = |step: &Step| matches!(step, Step::Answer { .. });
    assert!(!heard.steps.iter().any(is_answer), "{:?}", heard.steps);
    assert_eq!(scene.reply("say next").await, "next");
    let methods = scene.kept("methods");
    assert!(!methods.contains(&"session/cancel".to_owned()));
    assert_eq!(scene.kept("prompts")[1], "say next", "it was told before");
}
