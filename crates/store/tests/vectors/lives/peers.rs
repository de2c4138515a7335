//! `peer_recovery`: whether a message finds a conversation that it has no route to.
//!
//! The reference looks for the key, and then for anybody who spoke in the same chat. Here a place is
//! found by its exact scope, and its route is in the same store as its conversations. So what has the
//! key is found while it lives, and what has not is never found: its words are somebody else's.

use std::collections::BTreeMap;

use angelia_core::id::SessionId;
use angelia_store::sessions::{Force, Sessions as _};
use serde::Deserialize;

use super::house::{Config, House, Kept, Source};
use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    rows_oldest_first: Vec<Row>,
    peer: Peer,
    expected_session: Option<String>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    session_key: Option<String>,
    user_id: Option<String>,
    chat_id: Option<String>,
    chat_type: Option<String>,
    thread_id: Option<String>,
    end: Option<String>,
}

#[derive(Deserialize)]
struct Peer {
    session_key: Option<String>,
}

/// The place of a key: a private chat of that name.
fn place(key: &str) -> Source {
    Source {
        platform: "telegram".to_owned(),
        chat_id: Some(format!("place of {key}")),
        chat_type: "dm".to_owned(),
        user_id: Some("u".to_owned()),
        thread_id: None,
        user_name: None,
        chat_name: None,
        profile: None,
    }
}

#[tokio::test]
async fn a_place_finds_what_has_its_key_and_nothing_else() {
    for case in cases::<Case>("sessions/peer_recovery.json") {
        let mut house = House::new(&Config::default(), Kept::InMemory);
        let mut rows: BTreeMap<SessionId, &Row> = BTreeMap::new();
        for row in &case.rows_oldest_first {
            let session = begun(&mut house, row).await;
            rows.insert(session, row);
        }
        let Some(key) = case.peer.session_key.as_deref() else {
            // A message always has a place.
            assert_eq!(case.expected_session, None, "{}", case.id);
            continue;
        };
        let message = house.message(&place(key), "hello");
        let found = house.look_up(message).await;
        let ours = rows.get(&found).map(|row| row.id.as_str());
        if ours != case.expected_session.as_deref() {
            assert!(
                differs_on_purpose(&case, key, ours),
                "{}: {ours:?}",
                case.id
            );
        }
    }
}

/// The reasons of a difference: the reference found somebody by who they are and not by where they
/// speak (hazard 11), or looked behind the newest conversation of the place, or passed over one in
/// which nothing was said. Here the newest of a place is its conversation, as long as it goes on.
fn differs_on_purpose(case: &Case, key: &str, ours: Option<&str>) -> bool {
    let has_key = |row: &&Row| row.session_key.as_deref() == Some(key);
    let newest = case.rows_oldest_first.iter().rev().find(has_key);
    let exact = newest.filter(|row| goes_on(row)).map(|row| row.id.as_str());
    ours == exact
}

fn goes_on(row: &Row) -> bool {
    matches!(
        row.end.as_deref(),
        None | Some("agent_close" | "ws_orphan_reap")
    )
}

async fn begun(house: &mut House, row: &Row) -> SessionId {
    let session = match row.session_key.as_deref() {
        Some(key) => {
            let message = house.message(&place(key), "hello");
            house.look_up_anew(message).await
        }
        None => {
            let source = Source {
                platform: "telegram".to_owned(),
                chat_id: row.chat_id.clone(),
                chat_type: row.chat_type.clone().unwrap_or("dm".to_owned()),
                user_id: Some(row.user_id.clone().unwrap_or("nobody".to_owned())),
                thread_id: row.thread_id.clone(),
                user_name: None,
                chat_name: None,
                profile: None,
            };
            let mut message = house.message(&source, "hello");
            message.address.account.0.push_str(&row.id);
            house.look_up(message).await
        }
    };
    if let Some(end) = &row.end {
        let ended = house.store.end(session, end.parse().unwrap(), Force::Plain);
        ended.await.unwrap();
    }
    session
}
