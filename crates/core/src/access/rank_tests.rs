use super::*;
use crate::about::About;
use crate::access::grant::{By, Deed, Holder};
use crate::address::{AccountId, Chat, Person, Platform};
use crate::id::GrantId;
use crate::inbound::EventKey;
use crate::time::Timestamp;

fn at(platform: Platform, kind: ChatKind) -> Address {
    Address {
        platform,
        account: AccountId::of(platform),
        chat: Chat {
            id: "c".into(),
            kind,
        },
        thread: None,
    }
}

fn lines(list: &[&str]) -> Vec<Entry> {
    list.iter().map(|one| one.parse().unwrap()).collect()
}

fn grant(role: Role) -> Grant {
    Grant {
        id: GrantId::from_bits(1),
        holder: Holder {
            platform: Platform::Telegram,
            account: AccountId("telegram".into()),
            person: "7".into(),
            name: None,
        },
        role,
        given: Deed {
            by: By::Token,
            at: Timestamp::from_ms(0),
            why: None,
        },
        revoked: None,
    }
}

#[test]
fn a_door_of_the_house_makes_an_operator_and_a_name_a_member() {
    let policy = Policy {
        people: lines(&["telegram:7", "telegram:*"]),
        ..Policy::default()
    };
    let (house, chat) = (
        at(Platform::Web, ChatKind::Dm),
        at(Platform::Telegram, ChatKind::Dm),
    );
    assert_eq!(rank(&policy, &house, "anybody", None), Role::Operator);
    assert_eq!(rank(&policy, &chat, "7", None), Role::Member);
    assert_eq!(rank(&policy, &chat, "8", None), Role::Guest);
    assert_eq!(rank(&policy, &chat, "", None), Role::Guest);
}

#[test]
fn a_grant_gives_its_role_and_takes_nothing_from_a_list() {
    let chat = at(Platform::Telegram, ChatKind::Dm);
    let nobody = Policy::default();
    for role in Role::ALL {
        assert_eq!(rank(&nobody, &chat, "7", Some(&grant(role))), role);
    }
    let listed = Policy {
        people: lines(&["telegram:7"]),
        ..Policy::default()
    };
    let guest = grant(Role::Guest);
    assert_eq!(rank(&listed, &chat, "7", Some(&guest)), Role::Member);
    let operator = grant(Role::Operator);
    assert_eq!(rank(&listed, &chat, "7", Some(&operator)), Role::Operator);
}

#[test]
fn whoever_runs_it_in_groups_does_not_run_it_alone() {
    let policy = Policy {
        groups: Rights {
            operators: lines(&["telegram:7"]),
            ..Rights::default()
        },
        ..Policy::default()
    };
    let (alone, group) = (
        at(Platform::Telegram, ChatKind::Dm),
        at(Platform::Telegram, ChatKind::Group),
    );
    assert_eq!(rank(&policy, &alone, "7", None), Role::Guest);
    assert_eq!(rank(&policy, &group, "7", None), Role::Operator);
}

fn said(text: &str) -> Inbound {
    Inbound {
        address: at(Platform::Telegram, ChatKind::Dm),
        person: Person {
            id: "7".into(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: "1".into(),
        text: text.into(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

#[test]
fn what_reaches_other_people_is_an_operators_even_without_a_list() {
    let nobody = Policy::default();
    let access = said("/access approve ABCDEFGH");
    assert_eq!(barred(&nobody, &access, Role::Operator), None);
    for role in [Role::Member, Role::Guest] {
        assert_eq!(barred(&nobody, &access, role), Some("access"));
        assert_eq!(barred(&nobody, &said("/new"), role), None);
        assert_eq!(barred(&nobody, &said("new"), role), None);
    }
}

#[test]
fn with_a_list_of_operators_the_others_have_the_commands_that_are_listed() {
    let policy = Policy {
        direct: Rights {
            operators: lines(&["telegram:1"]),
            commands: BTreeSet::from(["status".to_owned(), "new".to_owned()]),
        },
        ..Policy::default()
    };
    let bars = |text: &str| barred(&policy, &said(text), Role::Member);
    for text in [
        "/status",
        "/NEW",
        "/reset",
        "/help",
        "/whoami",
        "/answer 2",
        "words",
        "/nothing_like",
    ] {
        assert_eq!(bars(text), None, "{text}");
    }
    for (text, name) in [
        ("/stop", "stop"),
        ("/approve", "approve"),
        ("/model x", "model"),
    ] {
        assert_eq!(bars(text), Some(name), "{text}");
    }
}

#[test]
fn a_room_that_guests_share_has_the_tools_of_a_guest_whoever_speaks() {
    let group = at(Platform::Telegram, ChatKind::Group);
    let open = Policy {
        chats: lines(&["telegram:c"]),
        ..Policy::default()
    };
    let of =
        |policy, sharing, roles: &[Role]| of_turn(policy, &group, sharing, roles.iter().copied());
    let operator = [Role::Operator];
    assert_eq!(of(&open, Sharing::Shared, &operator), Role::Guest);
    assert_eq!(of(&open, Sharing::PerPerson, &operator), Role::Operator);
    let closed = Policy::default();
    assert_eq!(of(&closed, Sharing::Shared, &operator), Role::Operator);
    let both = [Role::Operator, Role::Member];
    assert_eq!(of(&closed, Sharing::Shared, &both), Role::Member);
}
