//! What a client that keeps its own history sends along with a message reaches the agent.

use std::sync::Mutex;

use angelia_agents::events::Events;
use angelia_agents::{AgentError, Input};
use angelia_core::id::InboxId;
use angelia_core::inbound::{Role, Utterance};
use angelia_core::turn::busy::Mode;
use angelia_gateway::gateway::Gateway;
use angelia_store::intake::Accepted;
use async_trait::async_trait;

use crate::house::{House, Script, message};

/// Notes the past and the place of each turn.
#[derive(Default)]
struct Reader {
    read: Mutex<Vec<(Vec<String>, String)>>,
}

#[async_trait]
impl Script for Reader {
    async fn answer(&self, _text: String, _events: Events) -> Result<(), AgentError> {
        Ok(())
    }

    async fn run(&self, input: Input, events: Events) -> Result<(), AgentError> {
        let past = input.past.conversation().await?;
        let past = past.iter().map(|row| row.content.plain_text()).collect();
        self.read.lock().unwrap().push((past, input.context.prompt));
        let gone = |_| AgentError::passing("gone");
        events.text("yes").await.map_err(gone)
    }
}

async fn say(gateway: &Gateway, number: u32, text: &str) -> InboxId {
    let mut inbound = message("c", number, text);
    let context = [
        (Role::System, "Speak like a sailor."),
        (Role::User, "who is there"),
        (Role::Assistant, "me"),
    ];
    let utterance = |(role, text): (Role, &str)| Utterance {
        pictures: Vec::new(),
        role,
        text: text.to_owned(),
    };
    inbound.context = context.map(utterance).to_vec();
    match gateway.door().accept(inbound, None).await.unwrap() {
        Accepted::New(place) => place.inbox,
        other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_history_that_a_client_brings_is_the_past_of_a_conversation_that_has_none() {
    let house = House::new(Reader::default(), Mode::Queue);
    let gateway = house.start(1).await;
    let first = say(&gateway, 1, "one").await;
    house.until_answered(first).await;
    let second = say(&gateway, 2, "two").await;
    house.until_answered(second).await;
    let read = house.script.read.lock().unwrap();
    let [(first, place), (second, again)] = &read[..] else {
        panic!("{read:?}")
    };
    assert_eq!(first[..], ["who is there", "me"]);
    // By now there is a conversation of ours, and what was said in it counts.
    assert_eq!(second[..], ["one", "yes"]);
    for prompt in [place, again] {
        assert!(prompt.ends_with("\n\nSpeak like a sailor."), "{prompt}");
    }
}
