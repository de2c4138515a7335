use std::sync::Arc;

use angelia_core::context::variables::{Identity, Variables};

use super::*;
use crate::background::NoBackground;
use crate::consent::NobodyAsked;
use crate::context::Context;
use crate::links::InMemory;
use crate::past::NoPast;
use crate::tools::terms::Terms;

fn input() -> Input {
    let identity = Identity {
        platform: "api".into(),
        chat_id: "c1".into(),
        chat_name: String::new(),
        thread_id: String::new(),
        user_id: "u1".into(),
        user_name: "Anna".into(),
        message_id: "m1".into(),
        key: "agent:main:api:dm:c1".into(),
        id: "ses_1".into(),
    };
    Input {
        messages: Vec::new(),
        journal: Vec::new(),
        context: Context {
            prompt: "You are in a chat.".into(),
            note: Some("It began anew.".into()),
            day: Some(Day {
                zone: angelia_core::zone::Zone::utc(),
                at: angelia_core::time::Timestamp::from_ms(1_794_868_200_000),
            }),
            said: vec!["one".into(), "two".into()],
            variables: Variables::of(identity),
            ..Context::default()
        },
        past: Arc::new(NoPast),
        pictures: std::sync::Arc::new(crate::pictures::NoPictures),
        background: Arc::new(NoBackground),
        consent: Arc::new(NobodyAsked),
        links: Arc::new(InMemory::default()),
        choice: Default::default(),
        spending: std::sync::Arc::new(crate::spending::Unlimited),
        terms: Terms::default(),
    }
}

#[tokio::test]
async fn plain_words_are_what_the_people_said_and_what_is_new() {
    let told = told(Form::Text, &input()).await.unwrap();
    assert_eq!(told, "It began anew.\n\none\n\ntwo\n");
}

#[tokio::test]
async fn an_object_says_who_where_and_what() {
    let told = told(Form::Json, &input()).await.unwrap();
    assert_eq!(told.matches('\n').count(), 1);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        told,
        json!({
            "v": 1,
            "text": "It began anew.\n\none\n\ntwo",
            "messages": ["one", "two"],
            "attachments": [],
            "date": "Date: Monday, 2026-11-16 (UTC)",
            "note": "It began anew.",
            "context": "You are in a chat.",
            "sender": { "id": "u1", "name": "Anna" },
            "session": {
                "key": "agent:main:api:dm:c1",
                "id": "ses_1",
                "platform": "api",
                "chat_id": "c1",
                "chat_name": null,
                "thread_id": null,
                "message_id": "m1",
            },
            "conversation": [],
        })
    );
}

#[test]
fn of_a_long_conversation_the_newest_words_are_told() {
    let long = "x".repeat(limits::COMMAND_PAST_BYTES_MAX / 2);
    let past = [
        Entry::new(Role::User, "oldest"),
        Entry::new(Role::Assistant, long.as_str()),
        Entry::new(Role::Tool, "a result"),
        Entry::new(Role::User, long.as_str()),
    ];
    let told = conversation(&past);
    let roles: Vec<&str> = told.iter().filter_map(|one| one["role"].as_str()).collect();
    assert_eq!(roles, ["assistant", "user"]);
}
