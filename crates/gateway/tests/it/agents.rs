//! Which of several agents answers, by the settings, by name and by command.

use angelia_agents::events::Events;
use angelia_agents::{AgentError, Input};
use angelia_core::agent::{AgentName, Led};
use angelia_core::turn::busy::Mode;
use angelia_gateway::gateway::Gateway;
use angelia_store::intake::Accepted;
use async_trait::async_trait;

use crate::commands::reply;
use crate::house::{House, Script, message, state, write};

/// Says under which name it answers, and with which model.
struct Named;

#[async_trait]
impl Script for Named {
    async fn answer(&self, _text: String, _events: Events) -> Result<(), AgentError> {
        Ok(())
    }

    async fn run(&self, input: Input, events: Events) -> Result<(), AgentError> {
        let model = input
            .choice
            .model
            .as_ref()
            .and_then(|chosen| chosen.model());
        let said = format!("{} with {}", input.choice.agent, model.unwrap_or("its own"));
        let _gone = events.text(said).await.is_err();
        Ok(())
    }
}

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

/// `coder` answers in the chat `c`, and `poet` wherever it is chosen.
fn house() -> House<Named> {
    let mut house = House::new(Named, Mode::Queue);
    house.named = vec![name("coder"), name("poet")];
    house.routes.lead("api:c", &name("coder")).unwrap();
    house
}

struct Chat {
    house: House<Named>,
    gateway: Gateway,
    number: u32,
}

impl Chat {
    async fn begin() -> Self {
        let house = house();
        let gateway = house.start(1).await;
        Self {
            house,
            gateway,
            number: 0,
        }
    }

    async fn ask(&mut self, chat: &str, text: &str) -> String {
        self.number += 1;
        let inbox = write(&self.gateway, chat, self.number, text).await;
        let story = self.house.until_answered(inbox).await;
        assert_eq!(state(&story), "completed");
        reply(&story)
    }

    async fn restart(&mut self, change: impl FnOnce(&mut House<Named>)) {
        self.gateway.stop().await;
        change(&mut self.house);
        self.gateway = self.house.start(2).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_place_is_answered_by_the_agent_that_is_for_it() {
    let mut chat = Chat::begin().await;
    assert_eq!(chat.ask("c", "hi").await, "coder with its own");
    assert_eq!(chat.ask("d", "hi").await, "main with its own");
}

#[tokio::test(start_paused = true)]
async fn a_conversation_chooses_who_answers_until_it_begins_anew_or_clears_the_choice() {
    let mut chat = Chat::begin().await;
    assert!(chat.ask("d", "/agent").await.contains("main answers"));
    assert!(chat.ask("d", "/agent poet").await.contains("poet answers"));
    assert_eq!(chat.ask("d", "hi").await, "poet with its own");
    assert_eq!(chat.ask("c", "hi").await, "coder with its own");
    assert!(chat.ask("d", "/status").await.contains("Agent: poet"));
    chat.restart(|_| ()).await;
    assert_eq!(chat.ask("d", "hi").await, "poet with its own");
    chat.ask("d", "/agent clear").await;
    assert_eq!(chat.ask("d", "hi").await, "main with its own");
    chat.ask("d", "/agent poet").await;
    chat.ask("d", "/new").await;
    assert_eq!(chat.ask("d", "hi").await, "main with its own");
}

#[tokio::test(start_paused = true)]
async fn a_name_that_nobody_has_is_answered_with_those_there_are() {
    let mut chat = Chat::begin().await;
    let told = chat.ask("d", "/agent nobody").await;
    assert!(told.contains("main, coder, poet"), "{told}");
    assert_eq!(chat.ask("d", "hi").await, "main with its own");
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_is_gone_is_not_replaced_silently() {
    let mut chat = Chat::begin().await;
    chat.ask("d", "/agent poet").await;
    chat.restart(|house| house.named.truncate(1)).await;
    let told = chat.ask("d", "hi").await;
    assert!(
        told.contains("poet") && told.contains("not set up"),
        "{told}"
    );
    chat.ask("d", "/agent clear").await;
    assert_eq!(chat.ask("d", "hi").await, "main with its own");
}

#[tokio::test(start_paused = true)]
async fn a_message_may_ask_for_an_agent_by_name() {
    let mut chat = Chat::begin().await;
    chat.ask("c", "/agent main").await;
    let mut inbound = message("c", 77, "hi");
    inbound.about.agent = Some(Led::Asked(name("poet")));
    let accepted = chat.gateway.door().accept(inbound, None).await.unwrap();
    let Accepted::New(place) = accepted else {
        panic!("{accepted:?}");
    };
    let story = chat.house.until_answered(place.inbox).await;
    assert_eq!(reply(&story), "poet with its own");
    assert_eq!(chat.ask("c", "hi").await, "main with its own");
}

#[tokio::test(start_paused = true)]
async fn the_model_of_a_conversation_is_told_to_its_agent_also_after_a_restart() {
    let mut chat = Chat::begin().await;
    chat.ask("d", "/model large").await;
    assert_eq!(chat.ask("d", "hi").await, "main with large");
    assert_eq!(chat.ask("e", "hi").await, "main with its own");
    chat.restart(|_| ()).await;
    assert_eq!(chat.ask("d", "hi").await, "main with large");
    chat.ask("d", "/model clear").await;
    assert_eq!(chat.ask("d", "hi").await, "main with its own");
}
