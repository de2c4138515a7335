use proptest::prelude::*;

use super::sharing;
use crate::address::{AccountId, Platform};
use crate::session::key::{self, Isolation, Place, Sharing};
use crate::whatsapp::aliases::Aliases;

fn any_sharing() -> impl Strategy<Value = Sharing> {
    prop::sample::select(vec![Sharing::Shared, Sharing::PerPerson])
}

fn any_isolation() -> impl Strategy<Value = Isolation> {
    let pair = (any_sharing(), any_sharing());
    pair.prop_map(|(groups, threads)| Isolation { groups, threads })
}

fn key_of(kind: &str, thread: Option<&str>, person: &str, isolation: Isolation) -> String {
    let place = Place {
        platform: Platform::Local,
        account: &AccountId::of(Platform::Local),
        kind,
        chat: "c",
        thread,
        person,
        profile: None,
        beside: None,
    };
    let route = key::route(&place, isolation, &Aliases::default());
    route.expect("the chat has an id").key.to_string()
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
        kind in prop::sample::select(vec!["group", "channel", "thread", "forum", "DM", ""]),
        thread in prop::option::of("[a-z0-9]{0,3}"),
        isolation in any_isolation(),
    ) {
        let thread = thread.as_deref();
        let key = |person| key_of(kind, thread, person, isolation);
        let shared = sharing(kind, thread, isolation);
        prop_assert_eq!(key("ann") == key("bob"), shared == Sharing::Shared);
    }

    #[test]
    fn a_private_chat_is_never_shared(
        thread in prop::option::of("[a-z0-9]{0,3}"),
        isolation in any_isolation(),
    ) {
        prop_assert_eq!(sharing("dm", thread.as_deref(), isolation), Sharing::PerPerson);
    }
}
