//! `origin_lookup`: the newest live conversation of a chat.

use std::collections::BTreeMap;

use angelia_core::id::SessionId;
use angelia_core::transcript::ending::Reason;
use angelia_store::sessions::{Force, InThread, OfOrigin, Sessions as _};
use serde::Deserialize;

use super::house::{Config, House, Kept, Source};
use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    rows_oldest_first: Vec<Row>,
    platform: String,
    query: Query,
    expected_session: Option<String>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    platform: String,
    user_id: Option<String>,
    chat_id: String,
    thread_id: Option<String>,
    key: Option<String>,
    ended: bool,
}

#[derive(Deserialize)]
struct Query {
    chat_id: Option<String>,
    thread_id: Option<String>,
    user_id: Option<String>,
}

#[tokio::test]
async fn the_conversation_of_a_chat_is_the_reference_s() {
    for case in cases::<Case>("sessions/origin_lookup.json") {
        let nobodies = case
            .rows_oldest_first
            .iter()
            .any(|row| row.user_id.is_none());
        let kept = if nobodies {
            Kept::InFile
        } else {
            Kept::InMemory
        };
        let mut house = House::new(&Config::default(), kept);
        let mut found = BTreeMap::new();
        // A row that no place speaks in is not in the store at all.
        for row in case
            .rows_oldest_first
            .iter()
            .filter(|row| row.key.is_some())
        {
            found.insert(begun(&mut house, row).await, row.id.clone());
        }
        let asked = OfOrigin {
            platform: case.platform.parse().unwrap(),
            chat: case.query.chat_id.unwrap_or_default(),
            thread: match case.query.thread_id.as_deref() {
                None => InThread::Any,
                Some("") => InThread::None,
                Some(thread) => InThread::Named(thread.to_owned()),
            },
            person: case.query.user_id,
        };
        let ours = house.store.of_origin(asked).await.unwrap();
        let ours = ours.map(|session| found[&session].clone());
        assert_eq!(ours, case.expected_session, "{}", case.id);
    }
}

async fn begun(house: &mut House, row: &Row) -> SessionId {
    let source = Source {
        platform: row.platform.clone(),
        chat_id: Some(row.chat_id.clone()),
        chat_type: "group".to_owned(),
        user_id: row.user_id.clone(),
        thread_id: row.thread_id.clone(),
        user_name: None,
        chat_name: None,
        profile: None,
    };
    let mut message = house.message(&source, "hello");
    // Rows of one chat are conversations of their own, whoever shares it; and nobody is somebody else.
    message.address.account.0.push_str(&row.id);
    let nobody = row.user_id.is_none();
    if nobody {
        message.person.id = "nobody".to_owned();
    }
    let session = house.look_up(message).await;
    if nobody {
        house.forget_person(session);
    }
    if row.ended {
        let ended = house.store.end(session, Reason::SessionReset, Force::Plain);
        ended.await.unwrap();
    }
    session
}
