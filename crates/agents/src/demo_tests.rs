use super::*;
use crate::events::{self, AgentEvent};
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound};

fn message(text: &str) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Local,
            account: AccountId::of(Platform::Local),
            chat: Chat {
                id: "c".into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: "u".into(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: "1".into(),
        text: text.into(),
        context: Vec::new(),
    }
}

async fn answer(text: &str) -> Result<Vec<String>, AgentError> {
    let demo = Demo {
        config: "angelia.toml".into(),
    };
    let input = Input {
        messages: vec![message(text)],
        journal: Vec::new(),
    };
    let (events, mut told) = events::channel();
    let hearing = async {
        let mut words = Vec::new();
        while let Some(event) = told.recv().await {
            match event {
                AgentEvent::Text(text) => words.push(text),
                AgentEvent::Step(_, durable) => durable.send(()).unwrap(),
            }
        }
        words
    };
    let (ended, words) = tokio::join!(demo.run(input, events, CancellationToken::new()), hearing);
    ended.map(|()| words)
}

#[tokio::test(start_paused = true)]
async fn each_command_has_its_fixed_reply() {
    assert_eq!(answer("echo  hi there ").await.unwrap(), ["hi there"]);
    assert_eq!(
        answer("stream 3").await.unwrap(),
        ["word1", " word2", " word3"]
    );
    assert_eq!(answer("sleep 2").await.unwrap(), ["slept 2 s"]);
    assert!(answer("fail").await.is_err());
    let long = answer("long 1200").await.unwrap().concat();
    assert_eq!(long.chars().count(), 1200);
    assert!(long.contains("```text"));
}

#[tokio::test]
async fn anything_else_is_echoed_with_a_way_to_a_real_agent() {
    for text in ["hello", "echo", "sleep now", "stream -1", "failure"] {
        let words = answer(text).await.unwrap().concat();
        assert!(
            words.starts_with(text) && words.contains("angelia.toml"),
            "{words}"
        );
    }
}

#[tokio::test]
async fn a_stopped_turn_ends_at_once() {
    let demo = Demo {
        config: "angelia.toml".into(),
    };
    let input = Input {
        messages: vec![message("sleep 3600")],
        journal: Vec::new(),
    };
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(demo.run(input, events::channel().0, stop).await, Ok(()));
}
