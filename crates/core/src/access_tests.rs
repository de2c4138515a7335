use super::*;
use crate::about::{About, Trust};
use crate::address::{AccountId, Chat, Person};
use crate::id::GrantId;
use crate::inbound::EventKey;
use crate::time::Timestamp;
use crate::toolset::Role;
use grant::{By, Deed, Holder};

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
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

fn policy(people: &[&str], chats: &[&str]) -> Policy {
    let read = |list: &[&str]| list.iter().map(|one| one.parse().unwrap()).collect();
    Policy {
        people: read(people),
        chats: read(chats),
        ..Policy::default()
    }
}

#[test]
fn without_a_list_a_stranger_is_not_let_in_and_the_house_is() {
    let nobody = Policy::default();
    assert_eq!(
        decide(&nobody, &said(Platform::Telegram, "telegram", "7"), None),
        None
    );
    let local = said(Platform::Local, "local", "me");
    assert_eq!(decide(&nobody, &local, None), Some(Admission::Guarded));
}

#[test]
fn a_list_names_people_by_platform_by_account_or_anywhere() {
    let work = said(Platform::Telegram, "work", "7");
    for entry in ["telegram:7", "work:7", "*:7"] {
        assert_eq!(
            decide(&policy(&[entry], &[]), &work, None),
            Some(Admission::Listed),
            "{entry}"
        );
    }
    for entry in ["telegram:8", "home:7", "discord:7"] {
        assert_eq!(decide(&policy(&[entry], &[]), &work, None), None, "{entry}");
    }
    for entry in ["telegram:*", "work:*", "*"] {
        assert_eq!(
            decide(&policy(&[entry], &[]), &work, None),
            Some(Admission::Everyone),
            "{entry}"
        );
    }
}

#[test]
fn an_open_chat_lets_everyone_in_and_never_a_private_one() {
    let open = policy(&[], &["telegram:c"]);
    let mut group = said(Platform::Telegram, "telegram", "");
    assert_eq!(decide(&open, &group, None), None);
    group.address.chat.kind = ChatKind::Group;
    assert_eq!(decide(&open, &group, None), Some(Admission::Chat));
    group.address.chat.id = "other".into();
    assert_eq!(decide(&open, &group, None), None);
}

#[test]
fn nobody_without_a_name_is_let_in_whatever_the_list_says() {
    for person in ["", "  "] {
        let nameless = said(Platform::Telegram, "telegram", person);
        assert_eq!(decide(&Policy::everyone(), &nameless, None), None);
    }
}

#[test]
fn a_role_that_the_platform_vouches_for_and_a_relay_let_in() {
    let mut role = said(Platform::Discord, "discord", "1");
    role.about.trust = Trust {
        grant: Vouched::Role,
        ..Trust::default()
    };
    assert_eq!(
        decide(&Policy::default(), &role, None),
        Some(Admission::Role)
    );
    role.about.trust.path = Path::Relay;
    assert_eq!(
        decide(&Policy::default(), &role, None),
        Some(Admission::Relayed)
    );
}

#[test]
fn what_is_no_entry_is_said_with_an_example() {
    for text in ["", "7", ":7", "telegram:", " : "] {
        let error = text.parse::<Entry>().unwrap_err();
        assert!(error.to_string().contains("telegram:12345"), "{text}");
    }
}

fn granted() -> Grant {
    Grant {
        id: GrantId::from_bits(1),
        holder: Holder {
            platform: Platform::Telegram,
            account: AccountId("telegram".into()),
            person: "7".into(),
            name: None,
        },
        role: Role::Member,
        given: Deed {
            by: By::Token,
            at: Timestamp::from_ms(0),
            why: None,
        },
        revoked: None,
    }
}

#[test]
fn somebody_who_was_let_in_is_and_a_program_is_not_by_that() {
    let mut said = said(Platform::Telegram, "telegram", "7");
    let grant = granted();
    let nobody = Policy::default();
    assert_eq!(
        decide(&nobody, &said, Some(&grant)),
        Some(Admission::Granted)
    );
    said.about.trust.author = Author::Bot;
    assert_eq!(decide(&nobody, &said, Some(&grant)), None);
}

#[test]
fn a_program_needs_a_line_of_its_own() {
    let mut program = said(Platform::Telegram, "telegram", "7");
    program.about.trust.author = Author::Bot;
    let mut all = Policy::everyone();
    assert_eq!(decide(&all, &program, None), None);
    for (line, admitted) in [("telegram:*", true), ("*:7", true), ("telegram:8", false)] {
        all.bots = vec![line.parse().unwrap()];
        let decided = decide(&all, &program, None);
        assert_eq!(decided.is_some(), admitted, "{line}");
    }
}

#[test]
fn people_of_groups_are_let_in_there_alone() {
    let mut policy = policy(&[], &[]);
    policy.people_in_groups = vec!["telegram:7".parse().unwrap()];
    let mut message = said(Platform::Telegram, "telegram", "7");
    assert_eq!(decide(&policy, &message, None), None);
    message.address.chat.kind = ChatKind::Group;
    assert_eq!(decide(&policy, &message, None), Some(Admission::Listed));
}

#[test]
fn only_a_person_with_a_name_who_writes_alone_gets_a_code() {
    let nobody = Policy::default();
    let stranger = |message: &Inbound| super::stranger(&nobody, message);
    let alone = said(Platform::Telegram, "telegram", "7");
    assert_eq!(stranger(&alone), Stranger::Pairs);
    for id in ["", " "] {
        let nameless = said(Platform::Telegram, "telegram", id);
        assert_eq!(stranger(&nameless), Stranger::Ignored, "`{id}`");
    }
    let mut group = alone.clone();
    group.address.chat.kind = ChatKind::Group;
    let mut program = alone.clone();
    program.about.trust.author = Author::Bot;
    let mail = said(Platform::Email, "email", "7");
    for message in [group, program, mail] {
        assert_eq!(stranger(&message), Stranger::Ignored, "{message:?}");
    }
}

#[test]
fn where_a_list_stands_strangers_get_a_code_only_if_the_file_says_so() {
    let message = said(Platform::Telegram, "telegram", "7");
    let mut listed = policy(&["telegram:1"], &[]);
    assert_eq!(stranger(&listed, &message), Stranger::Ignored);
    listed.pairing = Pairing::Direct;
    assert_eq!(stranger(&listed, &message), Stranger::Pairs);
    listed.pairing = Pairing::Off;
    assert_eq!(stranger(&listed, &message), Stranger::Ignored);
    let elsewhere = policy(&["discord:1"], &[]);
    assert_eq!(stranger(&elsewhere, &message), Stranger::Pairs);
}
