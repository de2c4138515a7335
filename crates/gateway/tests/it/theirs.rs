//! Commands that an agent has itself: words for it, once it has told of them.

use angelia_agents::events::Events;
use angelia_agents::{AgentError, Input};
use angelia_core::agent::AgentName;
use angelia_core::command::Theirs;
use angelia_core::link::Link;
use angelia_core::turn::busy::Mode;
use angelia_gateway::gateway::Gateway;
use async_trait::async_trait;

use crate::commands::reply;
use crate::house::{House, Script, write};

/// Tells of its commands when it is greeted, and repeats what it hears.
struct Own;

#[async_trait]
impl Script for Own {
    async fn answer(&self, _text: String, _events: Events) -> Result<(), AgentError> {
        Ok(())
    }

    async fn run(&self, input: Input, events: Events) -> Result<(), AgentError> {
        let gone = |_| AgentError::passing("gone");
        let text = input.messages[0].text.clone();
        if text == "hello" {
            let of = input.choice.agent.clone();
            let link = Link {
                commands: Some(Theirs::told(of, ["compact", "help", "init"])),
                ..Link::default()
            };
            input.links.keep(link).await.map_err(gone)?;
        }
        events.text(format!("re: {text}")).await.map_err(gone)
    }
}

struct Room {
    house: House<Own>,
    gateway: Gateway,
    messages: u32,
}

impl Room {
    async fn open() -> Self {
        let mut house = House::new(Own, Mode::Queue);
        house.named = vec!["brief".parse::<AgentName>().unwrap()];
        Self {
            gateway: house.start(1).await,
            house,
            messages: 0,
        }
    }

    async fn ask(&mut self, chat: &str, text: &str) -> String {
        self.messages += 1;
        let inbox = write(&self.gateway, chat, self.messages, text).await;
        reply(&self.house.until_answered(inbox).await)
    }
}

/// What somebody reads who wrote a command that nobody knows.
const SLIP: &str = "There is no command /init.";

#[tokio::test(start_paused = true)]
async fn a_command_of_the_agents_own_is_words_for_it_once_it_has_told_of_it() {
    let mut room = Room::open().await;
    assert!(room.ask("c", "/init now").await.contains(SLIP));
    assert!(!room.ask("c", "/help").await.contains("/init"));
    assert_eq!(room.ask("c", "hello").await, "re: hello");
    assert_eq!(room.ask("c", "/init now").await, "re: /init now");
    let help = room.ask("c", "/help").await;
    assert!(
        help.contains("/undo [n]: "),
        "a command of the house: {help}"
    );
    assert!(help.ends_with("The agent itself knows /init."), "{help}");
    assert!(
        room.ask("c", "/nonsense")
            .await
            .contains("There is no command")
    );
    assert!(room.ask("d", "/init now").await.contains(SLIP), "not there");
    room.gateway.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_command_of_one_agent_is_none_of_another() {
    let mut room = Room::open().await;
    assert_eq!(room.ask("c", "hello").await, "re: hello");
    assert!(room.ask("c", "/agent brief").await.contains("brief"));
    assert!(room.ask("c", "/init now").await.contains(SLIP));
    room.ask("c", "/agent clear").await;
    assert_eq!(room.ask("c", "/init now").await, "re: /init now");
    room.gateway.stop().await;
}
