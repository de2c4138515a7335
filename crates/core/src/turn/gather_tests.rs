use super::*;
use crate::about::About;
use crate::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use crate::inbound::EventKey;
use crate::time::Span;

const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

fn said(person: &str, text: &str) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Telegram,
            account: AccountId::of(Platform::Telegram),
            chat: Chat {
                id: "c".to_owned(),
                kind: ChatKind::Group,
            },
            thread: None,
        },
        person: Person {
            id: person.to_owned(),
            name: None,
        },
        event_key: EventKey::in_chat("c", text),
        message_id: text.to_owned(),
        text: text.to_owned(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

fn item(inbound: &Inbound, ms: i64) -> Item<'_> {
    let received_at = NOW + Span::ms(ms);
    Item {
        inbound,
        received_at,
        due_at: Some(received_at + limits::GATHER_TIME),
    }
}

#[test]
fn neighbours_of_one_sender_are_one_question() {
    let all = [
        said("u", "a"),
        said("u", "b"),
        said("v", "c"),
        said("u", "d"),
    ];
    let items: Vec<Item<'_>> = all.iter().map(|one| item(one, 0)).collect();
    assert_eq!(together(&items), 2);
    assert_eq!(together(&items[2..]), 1, "D-11: nobody's words vanish");
    assert_eq!(together(&[]), 0);
    assert!(is_closed(2, 4), "somebody else has written since");
    assert!(!is_closed(4, 4), "more may come");
}

#[test]
fn commands_other_places_and_what_is_answered_by_itself_end_it() {
    let first = said("u", "a");
    let mut elsewhere = said("u", "b");
    elsewhere.address.thread = Some("t".to_owned());
    for next in [said("u", "/status"), elsewhere] {
        assert_eq!(together(&[item(&first, 0), item(&next, 1)]), 1);
    }
    let next = said("u", "b");
    let alone = Item {
        due_at: None,
        ..item(&next, 1)
    };
    assert_eq!(together(&[item(&first, 0), alone]), 1);
    assert_eq!(together(&[alone, item(&first, 2)]), 1);
}

#[test]
fn together_they_are_no_longer_than_one_message_may_be() {
    let long = said("u", &"x".repeat(limits::TEXT_BYTES_MAX / 2 + 1));
    assert_eq!(together(&[item(&long, 0), item(&long, 1)]), 1);
    let short = said("u", "x");
    let many: Vec<Item<'_>> = (0..100).map(|ms| item(&short, ms)).collect();
    assert_eq!(together(&many), limits::GATHERED_MAX);
    assert!(is_closed(limits::GATHERED_MAX, limits::GATHERED_MAX));
}

#[test]
fn a_turn_waits_a_moment_after_the_last_and_not_for_ever() {
    let at = |ms: &[i64]| {
        let came: Vec<Timestamp> = ms.iter().map(|ms| NOW + Span::ms(*ms)).collect();
        due_at(&came).map(|due| due.since(NOW).as_ms())
    };
    assert_eq!(at(&[]), None);
    assert_eq!(at(&[0]), Some(350));
    assert_eq!(at(&[0, 200, 400]), Some(750));
    assert_eq!(at(&[0, 300, 600, 900]), Some(1_000), "at most a second");
    assert_eq!(at(&[0, 60_000]), Some(60_350), "another go");
    assert!(is_due(NOW, NOW) && !is_due(NOW + Span::ms(1), NOW));
    assert!(is_due(NOW + Span::hours(1), NOW), "the clock was set back");
}
