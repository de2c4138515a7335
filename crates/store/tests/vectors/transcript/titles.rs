//! Titles and links, as rows.

use std::collections::BTreeMap;

use angelia_core::id::SessionId;
use angelia_core::transcript::title::{Claim, Giver, Title};
use angelia_store::titles::{Found, Titles as _};
use serde::Deserialize;

use super::House;
use crate::cases;

fn clean(text: &str) -> Title {
    Title::clean(text)
        .expect("the store works")
        .expect("the store works")
}

async fn call(house: &House, session: SessionId, title: Option<Title>) -> Option<Claim> {
    let set = house.store.set_title(session, title, Giver::Person);
    set.await.expect("the store works")
}

#[derive(Deserialize)]
struct Numbered {
    id: String,
    existing_titles_oldest_first: Vec<String>,
    base: String,
    next_title: String,
    resolves_to_title: Option<String>,
}

#[tokio::test]
async fn titles_are_numbered_and_resolved_as_in_the_reference() {
    for case in cases::<Numbered>("sessions/title_lineage.json") {
        let house = House::new();
        let mut titles = BTreeMap::new();
        for (number, text) in (1..).zip(&case.existing_titles_oldest_first) {
            let session = house.session(number);
            let claim = call(&house, session, Some(clean(text))).await;
            assert_eq!(claim, Some(Claim::Set), "{}", case.id);
            titles.insert(session, text.clone());
        }
        let next = house.store.next_title(clean(&case.base)).await.unwrap();
        // A title that is too long to be set is no title: then ours only has to be free.
        if Title::clean(&case.next_title).is_ok() {
            assert_eq!(next.as_str(), case.next_title, "{}", case.id);
        }
        assert!(
            titles.values().all(|title| title != next.as_str()),
            "{}",
            case.id
        );
        let found = match house.store.find(&case.base).await.unwrap() {
            Found::One(session) => titles.get(&session).cloned(),
            Found::Several | Found::Nothing => None,
        };
        assert_eq!(found, case.resolves_to_title, "{}", case.id);
    }
}

#[derive(Deserialize)]
struct Unique {
    id: String,
    titles_before: BTreeMap<String, String>,
    target: String,
    title: String,
    expected: Outcome,
}

#[derive(Deserialize)]
struct Outcome {
    found: Option<bool>,
    #[serde(default)]
    rejected: bool,
    titles: BTreeMap<String, Option<String>>,
}

/// The sessions that the file describes in words.
const SESSIONS: [(&str, Option<(&str, &str)>); 6] = [
    ("a", None),
    ("b", None),
    ("p", None),
    ("child", Some(("p", "continuation"))),
    ("grandchild", Some(("child", "continuation"))),
    ("branch", Some(("b", "branch"))),
];

fn id(name: &str) -> SessionId {
    let place = SESSIONS.iter().position(|(known, _)| *known == name);
    SessionId::from_bits(place.map_or(999, |place| place as u128 + 1))
}

fn build() -> House {
    let house = House::new();
    for (name, _) in SESSIONS {
        house.session(id(name).bits());
    }
    for (child, link) in SESSIONS {
        if let Some((parent, kind)) = link {
            house.link(id(child), id(parent), kind);
        }
    }
    house
}

#[tokio::test]
async fn a_title_has_one_session_as_in_the_reference() {
    for case in cases::<Unique>("sessions/title_unique.json") {
        let house = build();
        for (name, text) in &case.titles_before {
            let claim = call(&house, id(name), Some(clean(text))).await;
            assert_eq!(claim, Some(Claim::Set), "{}", case.id);
        }
        let expected = (case.expected.rejected, case.expected.found);
        let answer = match Title::clean(&case.title) {
            Err(_) => (true, None),
            Ok(title) => match call(&house, id(&case.target), title).await {
                None => (false, Some(false)),
                Some(Claim::Taken(_) | Claim::Keeps) => (true, None),
                Some(Claim::Set | Claim::MovesFrom(_)) => (false, Some(true)),
            },
        };
        assert_eq!(answer, expected, "{}", case.id);
        for (name, title) in &case.expected.titles {
            let read = "SELECT title FROM sessions WHERE id = ?1";
            let held: Option<String> = house
                .file
                .query_row(read, [id(name).to_string()], |row| row.get(0))
                .unwrap();
            assert_eq!(&held, title, "{}: {name}", case.id);
        }
    }
}
