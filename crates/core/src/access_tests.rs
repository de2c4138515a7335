use super::*;
use crate::about::{About, Trust};
use crate::address::{AccountId, Chat, Person};
use crate::inbound::EventKey;

fn said(platform: Platform, account: &str, person: &str) -> Inbound {
    Inbound {
        address: Address {
            platform,
            account: AccountId(account.into()),
            chat: Chat {
                id: "c".into(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: person.into(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: "1".into(),
        text: "hi".into(),
        pictures: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

fn policy(people: &[&str], chats: &[&str]) -> Policy {
    let read = |list: &[&str]| list.iter().map(|one| one.parse().unwrap()).collect();
    Policy {
        people: read(people),
        chats: read(chats),
    }
}

#[test]
fn without_a_list_a_stranger_is_not_let_in_and_the_house_is() {
    let nobody = Policy::default();
    assert_eq!(
        decide(&nobody, &said(Platform::Telegram, "telegram", "7")),
        None
    );
    let local = said(Platform::Local, "local", "me");
    assert_eq!(decide(&nobody, &local), Some(Admission::Guarded));
}

#[test]
fn a_list_names_people_by_platform_by_account_or_anywhere() {
    let work = said(Platform::Telegram, "work", "7");
    for entry in ["telegram:7", "work:7", "*:7"] {
        assert_eq!(
            decide(&policy(&[entry], &[]), &work),
            Some(Admission::Listed),
            "{entry}"
        );
    }
    for entry in ["telegram:8", "home:7", "discord:7"] {
        assert_eq!(decide(&policy(&[entry], &[]), &work), None, "{entry}");
    }
    for entry in ["telegram:*", "work:*", "*"] {
        assert_eq!(
            decide(&policy(&[entry], &[]), &work),
            Some(Admission::Everyone),
            "{entry}"
        );
    }
}

#[test]
fn an_open_chat_lets_everyone_in_and_never_a_private_one() {
    let open = policy(&[], &["telegram:c"]);
    let mut group = said(Platform::Telegram, "telegram", "");
    assert_eq!(decide(&open, &group), None);
    group.address.chat.kind = ChatKind::Group;
    assert_eq!(decide(&open, &group), Some(Admission::Chat));
    group.address.chat.id = "other".into();
    assert_eq!(decide(&open, &group), None);
}

#[test]
fn nobody_without_a_name_is_let_in_whatever_the_list_says() {
    for person in ["", "  "] {
        let nameless = said(Platform::Telegram, "telegram", person);
        assert_eq!(decide(&Policy::everyone(), &nameless), None);
    }
}

#[test]
fn a_role_that_the_platform_vouches_for_and_a_relay_let_in() {
    let mut role = said(Platform::Discord, "discord", "1");
    role.about.trust = Trust {
        grant: Grant::Role,
        ..Trust::default()
    };
    assert_eq!(decide(&Policy::default(), &role), Some(Admission::Role));
    role.about.trust.path = Path::Relay;
    assert_eq!(decide(&Policy::default(), &role), Some(Admission::Relayed));
}

#[test]
fn what_is_no_entry_is_said_with_an_example() {
    for text in ["", "7", ":7", "telegram:", " : "] {
        let error = text.parse::<Entry>().unwrap_err();
        assert!(error.to_string().contains("telegram:12345"), "{text}");
    }
}
