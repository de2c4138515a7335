use super::*;
use crate::about::About;
use crate::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use crate::inbound::{EventKey, Role, Utterance};

fn message() -> Inbound {
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
            name: None,
        },
        event_key: EventKey::in_chat("c1", "m1"),
        message_id: "m1".into(),
        text: "hello".into(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

fn checked(change: impl FnOnce(&mut Inbound)) -> Result<Route, Refusal> {
    let mut inbound = message();
    change(&mut inbound);
    check(&inbound, Isolation::default(), &Aliases::default())
}

#[test]
fn an_ordinary_message_gets_its_key() {
    assert_eq!(
        checked(|_| ()).unwrap().key.as_str(),
        "agent:main:api:dm:c1"
    );
}

#[test]
fn a_message_without_sender_or_words_is_refused() {
    assert_eq!(checked(|m| m.person.id.clear()), Err(Refusal::NoPerson));
    assert_eq!(checked(|m| m.text = " \n".into()), Err(Refusal::Empty));
}

#[test]
fn a_message_at_the_limit_passes_and_one_over_does_not() {
    assert!(checked(|m| m.text = "x".repeat(limits::TEXT_BYTES_MAX)).is_ok());
    assert_eq!(
        checked(|m| m.text = "x".repeat(limits::TEXT_BYTES_MAX + 1)),
        Err(Refusal::TooLong)
    );
    let long = Utterance {
        pictures: Vec::new(),
        role: Role::User,
        text: "x".repeat(limits::CONTEXT_BYTES_MAX + 1),
    };
    assert_eq!(checked(|m| m.context = vec![long]), Err(Refusal::TooLong));
    assert_eq!(
        checked(|m| m.address.chat.id = "x".repeat(limits::NAME_BYTES_MAX + 1)),
        Err(Refusal::NameTooLong)
    );
}

#[test]
fn a_full_conversation_refuses_for_now() {
    assert_eq!(
        decide(limits::WAITING_PER_SESSION - 1, Urgency::Ordinary),
        Ok(())
    );
    let refusal = decide(limits::WAITING_PER_SESSION, Urgency::Ordinary).unwrap_err();
    assert!(refusal.may_pass_later());
    let full = limits::WAITING_PER_SESSION;
    assert_eq!(
        decide(full, Urgency::Stop),
        Ok(()),
        "who calls to stop is heard"
    );
    assert_eq!(
        decide(full, Urgency::Answer),
        Ok(()),
        "so is who answers what is waited for"
    );
    let answered = full + limits::ANSWERS_PER_SESSION;
    assert!(decide(answered, Urgency::Answer).is_err());
    assert_eq!(
        decide(answered, Urgency::Stop),
        Ok(()),
        "answers keep no call to stop out"
    );
    assert!(decide(answered + limits::STOPS_PER_SESSION, Urgency::Stop).is_err());
    assert!(!Refusal::Empty.may_pass_later());
}

#[test]
fn event_keys_of_different_chats_never_meet() {
    assert_ne!(EventKey::in_chat("a", "b:c"), EventKey::in_chat("a:b", "c"));
    assert_ne!(EventKey::in_chat("a", "bc"), EventKey::in_chat("ab", "c"));
}

#[test]
fn the_profile_and_the_steadier_id_decide_the_conversation_and_nothing_else_known_does() {
    let group = |inbound: &mut Inbound| inbound.address.chat.kind = ChatKind::Group;
    let plain = checked(group).unwrap();
    let told = checked(|inbound| {
        group(inbound);
        inbound.person.name = Some("Anna".into());
        inbound.message_id = "m9".into();
        inbound.about = About {
            chat_name: Some("Ops".into()),
            chat_topic: Some("talk".into()),
            chat_alt: Some("alt".into()),
            scope: Some("server".into()),
            parent_chat: Some("parent".into()),
            ..About::default()
        };
    });
    assert_eq!(told.unwrap(), plain);

    let steady = checked(|inbound| {
        group(inbound);
        inbound.about.person_alt = Some("uuid".into());
        inbound.about.profile = Some("work".parse().unwrap());
    });
    assert_eq!(steady.unwrap().key.as_str(), "agent:work:api:group:c1:uuid");
}

#[test]
fn what_else_is_known_is_limited_like_the_rest() {
    let long = |length: usize| Some("x".repeat(length));
    let id = checked(|inbound| inbound.about.scope = long(limits::NAME_BYTES_MAX + 1));
    assert_eq!(id, Err(Refusal::NameTooLong));
    let words = checked(|inbound| inbound.about.chat_topic = long(limits::TEXT_BYTES_MAX + 1));
    assert_eq!(words, Err(Refusal::TooLong));
    assert!(checked(|inbound| inbound.about.chat_topic = long(limits::NAME_BYTES_MAX + 1)).is_ok());
}
