use angelia_core::about::About;
use angelia_core::address::{ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Utterance};
use rusqlite::Connection;

use super::*;
use crate::database::row::Row;

fn said() -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat: Chat {
                id: "c1".into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: "u1".into(),
            name: Some("Anna".into()),
        },
        event_key: EventKey::in_chat("c1", "m1"),
        message_id: "m1".into(),
        text: "hello".into(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: vec![Utterance {
            pictures: Vec::new(),
            role: Role::System,
            text: "be brief".into(),
        }],
        about: About::default(),
    }
}

fn read<T>(text: &str, read: impl FnOnce(&Row<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
    let conn = Connection::open_in_memory()?;
    let mut statement = conn.prepare("SELECT ?1")?;
    let mut found = statement.query([text])?;
    let found = found.next()?.expect("a SELECT without a table has one row");
    read(&Row::Sqlite(found))
}

#[test]
fn a_message_is_stored_in_this_shape() {
    let stored = inbound_body(&said()).unwrap();
    assert_eq!(
        stored,
        r#"{"v":1,"body":{"address":{"platform":"api","account":"api","chat":{"id":"c1","kind":"dm"},"thread":null},"person":{"id":"u1","name":"Anna"},"event_key":"c:2:m1:c1","message_id":"m1","text":"hello","context":[{"role":"system","text":"be brief"}]}}"#
    );
    assert_eq!(
        read(&stored, |row| body::<Inbound>(row, 0)).unwrap(),
        said()
    );
}

#[test]
fn a_step_is_stored_in_this_shape() {
    let step = Step::finished("1", "done");
    let stored = step_body(&step).unwrap();
    let shape = r#"{"v":1,"body":{"kind":"tool_finished","call":"1","output":"done"}}"#;
    assert_eq!(stored, shape);
    assert_eq!(read(&stored, |row| body::<Step>(row, 0)).unwrap(), step);
}

#[test]
fn a_batch_is_stored_in_this_shape() {
    let stored = batch_body(&[InboxId::from_bits(1)]).unwrap();
    assert_eq!(stored, r#"["inb_00000000000000000000000001"]"#);
    assert_eq!(
        read(&stored, |row| batch(row, 0)).unwrap(),
        [InboxId::from_bits(1)]
    );
}

#[test]
fn a_body_of_an_unknown_version_is_not_guessed_at() {
    let stored = r#"{"v":2,"body":{"kind":"emitted","text":"x"}}"#;
    let fault = read(stored, |row| body::<Step>(row, 0)).unwrap_err();
    assert!(matches!(fault, Fault::Newer(2, 1)), "{fault:?}");
    let stored = r#"{"v":0,"body":{"kind":"emitted","text":"x"}}"#;
    let fault = read(stored, |row| body::<Step>(row, 0)).unwrap_err();
    assert!(matches!(fault, Fault::Undecodable(words) if words.contains("version 0")));
    let stored = r#"{"v":1,"body":{"kind":"danced","text":"x"}}"#;
    let fault = read(stored, |row| body::<Step>(row, 0)).unwrap_err();
    assert!(matches!(fault, Fault::Undecodable(words) if words.contains("danced")));
}

#[test]
fn every_role_is_read_back_and_anybody_else_is_the_house() {
    for known in [
        Role::User,
        Role::Assistant,
        Role::System,
        Role::Notice,
        Role::Tool,
    ] {
        assert_eq!(read(known.name(), |row| role(row, 0)).unwrap(), known);
    }
    assert_eq!(read("somebody", |row| role(row, 0)).unwrap(), Role::Notice);
}

#[test]
fn every_reach_is_read_back() {
    for known in [Reach::Message, Reach::Chat, Reach::Account] {
        assert_eq!(read(reach_name(known), |row| reach(row, 0)).unwrap(), known);
    }
    assert!(read("far", |row| reach(row, 0)).is_err());
}
