//! Agents with processes of their own that nobody uses: each agent has rest and room of its own. The processes
//! are real, so time is too, but for the clock of the rows.

use std::fs;
use std::path::Path;
use std::time::Duration;

use angelia_agents::events::Events;
use angelia_agents::{AgentError, Input};
use angelia_core::agent::AgentName;
use angelia_core::link::{self, Link, Stage};
use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;
use angelia_gateway::gateway::Gateway;
use angelia_gateway::links::AgentPlace;
use angelia_process::environment::{Environment, Passed};
use angelia_process::held::{self, Found, Program};
use angelia_process::spec::Spec;
use async_trait::async_trait;
use tempfile::TempDir;

use crate::house::{House, Script, write};

/// Keeps a process for its conversation when it is told to hold, and tells whose process could go when it is asked for room.
struct Keeper {
    folder: std::path::PathBuf,
}

#[async_trait]
impl Script for Keeper {
    async fn answer(&self, _text: String, _events: Events) -> Result<(), AgentError> {
        Ok(())
    }

    async fn run(&self, input: Input, events: Events) -> Result<(), AgentError> {
        let said = match input.messages[0].text.as_str() {
            "hold" => self.hold(&input).await,
            _room => input.links.spare().await.unwrap(),
        };
        let said = said.unwrap_or_else(|| "nobody".to_owned());
        events
            .text(said)
            .await
            .map_err(|_| AgentError::passing("gone"))
    }
}

impl Keeper {
    async fn hold(&self, input: &Input) -> Option<String> {
        let name = link::folder(&input.choice.agent, input.links.session(), 1);
        let program = Program::at(env!("CARGO_BIN_EXE_angelia-gateway-stand-in"));
        let (spec, environment) = (
            Spec::new("exec sleep 1000"),
            Environment::passing(&Passed::default()),
        );
        let folder = self.folder.join(&name);
        held::spawn(&program, &folder, &spec, &environment)
            .await
            .unwrap();
        let kept = Link {
            starts: 1,
            agent: Some(name.clone()),
            stage: Stage::Ready,
            ..Link::default()
        };
        input.links.keep(kept).await.unwrap();
        Some(name)
    }
}

struct Room {
    house: House<Keeper>,
    gateway: Gateway,
    place: TempDir,
    messages: u32,
}

impl Room {
    /// The main agent's processes may rest for an hour, those of the brief one for a minute.
    async fn open() -> Self {
        let place = tempfile::tempdir().unwrap();
        let keeper = Keeper {
            folder: place.path().to_owned(),
        };
        let mut house = House::new(keeper, Mode::Queue);
        house.named = vec![brief()];
        house.held = Some(AgentPlace {
            folder: place.path().to_owned(),
            idle: [
                (AgentName::main(), Span::hours(1)),
                (brief(), Span::minutes(1)),
            ]
            .into(),
        });
        Self {
            gateway: house.start(1).await,
            house,
            place,
            messages: 0,
        }
    }

    async fn reply(&mut self, chat: &str, text: &str) -> String {
        self.messages += 1;
        let inbox = write(&self.gateway, chat, self.messages, text).await;
        let story = self.house.until_answered(inbox).await;
        story.deliveries[0].text.clone()
    }

    async fn ends(self) {
        self.gateway.stop().await;
        for folder in fs::read_dir(self.place.path()).unwrap().flatten() {
            let held = held::Held::at(folder.path());
            held.kill(Span::seconds(1)).await.unwrap();
        }
    }
}

fn brief() -> AgentName {
    "brief".parse().unwrap()
}

/// Whether there is such a process.
fn lives(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("never: {what}");
}

#[tokio::test]
async fn each_agent_rests_as_long_as_its_settings_say() {
    let mut room = Room::open().await;
    let long = room.reply("a", "hold").await;
    room.reply("b", "/agent brief").await;
    let short = room.reply("b", "hold").await;
    let [long, short] = [long, short].map(|name| room.place.path().join(name));
    let pid = held::Held::at(&short).pid().unwrap().unwrap();
    assert!(lives(pid));
    room.gateway.stop().await;
    room.house.clock_jumps(Span::minutes(10));
    // The janitor looks at once when a node starts.
    room.gateway = room.house.start(2).await;
    until("the brief one ends", || !short.exists()).await;
    until("and its process", || !lives(pid)).await;
    let found = held::adopt(&long).await.unwrap();
    assert!(matches!(found, Found::Running(_)), "{found:?}");
    room.ends().await;
}

#[tokio::test]
async fn room_is_made_among_processes_of_the_same_agent() {
    let mut room = Room::open().await;
    room.reply("b", "/agent brief").await;
    let others = room.reply("b", "hold").await;
    let ours = room.reply("a", "hold").await;
    assert!(link::is_of(&others, &brief()));
    assert_eq!(room.reply("c", "room").await, ours);
    assert_eq!(room.reply("c", "room").await, "nobody");
    room.reply("d", "/agent brief").await;
    assert_eq!(room.reply("d", "room").await, others);
    room.ends().await;
}
