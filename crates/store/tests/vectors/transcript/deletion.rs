//! Conversations that are deleted with what works on their behalf.

use std::collections::BTreeMap;

use angelia_core::id::SessionId;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_store::Change;
use angelia_store::deletion::Deletion as _;
use angelia_store::titles::Titles as _;
use angelia_store::transcripts::{Said, Transcripts as _};
use serde::Deserialize;
use serde_json::Value;

use super::House;
use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    nodes: Vec<Node>,
    delete: Vec<String>,
    returned: Value,
    remaining: Vec<Left>,
    messages_left_without_session: i64,
    message_rows: i64,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    parent: Option<String>,
    markers: BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Left {
    id: String,
    parent: Option<String>,
}

impl Case {
    fn id(&self, name: &str) -> SessionId {
        let place = self.nodes.iter().position(|node| node.id == name);
        SessionId::from_bits(place.map_or(999, |place| place as u128))
    }

    async fn build(&self, house: &House) {
        for place in 0..self.nodes.len() {
            let session = house.session(place as u128);
            let said = vec![Said::from(Entry::new(Role::User, "hello"))];
            let appended = house
                .store
                .append(session, said)
                .await
                .expect("the store works");
            assert!(matches!(appended, Change::Done(_)), "{}", self.id);
        }
        for node in &self.nodes {
            let Some(parent) = &node.parent else { continue };
            let delegate = node.markers.contains_key("_delegate_from");
            let kind = if delegate { "delegate" } else { "parent" };
            house.link(self.id(&node.id), self.id(parent), kind);
        }
    }

    async fn left(&self, house: &House) -> Vec<Left> {
        let mut left = Vec::new();
        for node in &self.nodes {
            let id = self.id(&node.id);
            let Some(family) = house.store.family(id).await.expect("the store works") else {
                continue;
            };
            let from = family.root(id);
            let parent = self.nodes.iter().find(|other| self.id(&other.id) == from);
            left.push(Left {
                id: node.id.clone(),
                parent: parent.filter(|_| from != id).map(|node| node.id.clone()),
            });
        }
        left
    }
}

#[tokio::test]
async fn what_is_deleted_and_what_stays_is_the_reference_s() {
    for case in cases::<Case>("sessions/deletion.json") {
        let house = House::new();
        case.build(&house).await;
        let asked: Vec<SessionId> = case.delete.iter().map(|name| case.id(name)).collect();
        // The reference counts only those that were asked for, and says yes or no for a single one.
        let gone = match house.store.delete(asked.clone()).await.unwrap() {
            Change::Done(gone) => gone.into_iter().filter(|id| asked.contains(id)).count(),
            refused @ (Change::Unknown | Change::Busy | Change::Moved) => {
                assert_eq!(refused, Change::Unknown, "{}", case.id);
                0
            }
        };
        let returned = case.returned.as_u64();
        let returned = returned.unwrap_or(u64::from(case.returned == true));
        assert_eq!(gone as u64, returned, "{}", case.id);
        assert_eq!(case.left(&house).await, case.remaining, "{}", case.id);
        let lost =
            "SELECT count(*) FROM transcript WHERE session NOT IN (SELECT seq FROM sessions)";
        assert_eq!(
            house.number(lost),
            case.messages_left_without_session,
            "{}",
            case.id
        );
        let rows = house.number("SELECT count(*) FROM transcript");
        assert_eq!(rows, case.message_rows, "{}", case.id);
    }
}
