use proptest::prelude::*;

use super::sharing;
use crate::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use crate::session::key::{self, Isolation, Sharing};

fn any_sharing() -> impl Strategy<Value = Sharing> {
    prop::sample::select(vec![Sharing::Shared, Sharing::PerPerson])
}

fn any_isolation() -> impl Strategy<Value = Isolation> {
    let pair = (any_sharing(), any_sharing());
    pair.prop_map(|(groups, threads)| Isolation { groups, threads })
}

fn key_of(address: &Address, id: &str, isolation: Isolation) -> String {
    let person = Person {
        id: id.to_owned(),
        name: None,
    };
    let key = key::route(address, &person, isolation).map(|route| route.key);
    key.expect("the chat has an id").to_string()
}

#[test]
fn a_thread_is_shared_when_its_group_is_whatever_threads_are_set_to() {
    let isolation = Isolation {
        groups: Sharing::Shared,
        threads: Sharing::PerPerson,
    };
    assert_eq!(sharing("group", Some("t1"), isolation), Sharing::Shared);
}

#[test]
fn an_empty_thread_is_none() {
    let isolation = Isolation::default();
    assert_eq!(sharing("group", Some(""), isolation), Sharing::PerPerson);
    assert_eq!(sharing("group", Some("t1"), isolation), Sharing::Shared);
}

proptest! {
    #[test]
    fn people_share_a_conversation_exactly_when_they_have_one_key(
        kind in prop::sample::select(vec![ChatKind::Group, ChatKind::Channel, ChatKind::Thread]),
        thread in prop::option::of("[a-z0-9]{0,3}"),
        isolation in any_isolation(),
    ) {
        let address = Address {
            platform: Platform::Local,
            account: AccountId::of(Platform::Local),
            chat: Chat { id: "c".to_owned(), kind },
            thread,
        };
        let one_key = key_of(&address, "ann", isolation) == key_of(&address, "bob", isolation);
        let shared = sharing(kind.name(), address.thread.as_deref(), isolation);
        prop_assert_eq!(one_key, shared == Sharing::Shared);
    }

    #[test]
    fn a_private_chat_is_never_shared(
        thread in prop::option::of("[a-z0-9]{0,3}"),
        isolation in any_isolation(),
    ) {
        prop_assert_eq!(sharing("dm", thread.as_deref(), isolation), Sharing::PerPerson);
    }
}
