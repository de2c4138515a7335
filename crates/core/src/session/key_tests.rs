use super::*;
use crate::address::{AccountId, Chat, Platform};

fn at(account: &str, kind: ChatKind, chat: &str, thread: Option<&str>) -> Address {
    Address {
        platform: Platform::Api,
        account: AccountId(account.into()),
        chat: Chat {
            id: chat.into(),
            kind,
        },
        thread: thread.map(Into::into),
    }
}

fn named(person: &str) -> Person {
    Person {
        id: person.into(),
        name: Some("Anna".into()),
    }
}

fn key(
    kind: ChatKind,
    chat: &str,
    thread: Option<&str>,
    person: &str,
) -> Result<String, Unroutable> {
    keyed(kind, chat, thread, person, Isolation::default())
}

fn keyed(
    kind: ChatKind,
    chat: &str,
    thread: Option<&str>,
    person: &str,
    isolation: Isolation,
) -> Result<String, Unroutable> {
    let address = at("api", kind, chat, thread);
    route(&address, &named(person), isolation).map(|route| route.key.to_string())
}

#[test]
fn a_private_chat_has_one_lane_whoever_writes() {
    assert_eq!(
        key(ChatKind::Dm, "c1", None, "u1").unwrap(),
        "agent:main:api:dm:c1"
    );
    assert_eq!(
        key(ChatKind::Dm, "c1", Some("t"), "u2").unwrap(),
        "agent:main:api:dm:c1:t"
    );
}

#[test]
fn a_private_chat_without_a_chat_id_is_known_by_its_person_or_refused() {
    assert_eq!(
        key(ChatKind::Dm, "", None, "u1").unwrap(),
        "agent:main:api:dm:u1"
    );
    assert_eq!(
        key(ChatKind::Dm, "", Some("t"), "u1").unwrap(),
        "agent:main:api:dm:u1:t"
    );
    assert_eq!(key(ChatKind::Dm, "", None, ""), Err(Unroutable));
}

#[test]
fn each_person_in_a_group_has_an_own_conversation() {
    assert_eq!(
        key(ChatKind::Group, "g", None, "u1").unwrap(),
        "agent:main:api:group:g:u1"
    );
    assert_eq!(
        key(ChatKind::Group, "g", None, "u2").unwrap(),
        "agent:main:api:group:g:u2"
    );
}

#[test]
fn a_thread_is_shared_unless_both_are_divided() {
    let divided = Isolation {
        groups: Sharing::PerPerson,
        threads: Sharing::PerPerson,
    };
    let half = Isolation {
        groups: Sharing::Shared,
        threads: Sharing::PerPerson,
    };
    assert_eq!(
        key(ChatKind::Group, "g", Some("t"), "u").unwrap(),
        "agent:main:api:group:g:t"
    );
    assert_eq!(
        keyed(ChatKind::Group, "g", Some("t"), "u", divided).unwrap(),
        "agent:main:api:group:g:t:u"
    );
    assert_eq!(
        keyed(ChatKind::Group, "g", Some("t"), "u", half).unwrap(),
        "agent:main:api:group:g:t"
    );
}

fn scope(account: &str, kind: ChatKind, chat: &str, thread: Option<&str>, person: &str) -> Scope {
    let address = at(account, kind, chat, thread);
    route(&address, &named(person), Isolation::default())
        .unwrap()
        .scope
}

#[test]
fn places_that_share_a_key_do_not_share_a_conversation() {
    use ChatKind::{Dm, Group};
    assert_eq!(
        key(Dm, "a:b", None, "u").unwrap(),
        key(Dm, "a", Some("b"), "u").unwrap()
    );
    assert_ne!(
        scope("x", Dm, "a:b", None, "u"),
        scope("x", Dm, "a", Some("b"), "u")
    );
    assert_ne!(
        scope("x", Group, "g", None, "p:q"),
        scope("x", Group, "g:p", None, "q")
    );
    assert_ne!(
        scope("x", Dm, "a", None, "u"),
        scope("y", Dm, "a", None, "u")
    );
    assert_ne!(
        scope("x", Dm, "", None, "a"),
        scope("x", Dm, "a", None, "u")
    );
    assert_eq!(
        scope("x", Dm, "a", None, "u"),
        scope("x", Dm, "a", None, "v")
    );
}
