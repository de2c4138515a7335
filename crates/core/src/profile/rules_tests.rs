use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::about::About;
use crate::address::{AccountId, Address, Chat, ChatKind, Person};
use crate::inbound::EventKey;

fn rules(written: Value) -> Rules {
    let written = written.as_array().unwrap();
    Rules::read(written).strict().unwrap()
}

fn spot(chat: &str) -> Spot<'_> {
    Spot {
        platform: Platform::Discord,
        scope: Some("G"),
        chat,
        thread: None,
        parent: None,
    }
}

fn chosen(rules: &Rules, spot: Spot<'_>) -> Option<String> {
    rules.choose(&spot).map(|rule| rule.profile().to_string())
}

#[test]
fn the_most_specific_rule_wins_and_equals_keep_their_order() {
    let rules = rules(json!([
        {"platform": "discord", "profile": "all"},
        {"platform": "discord", "scope": "G", "profile": "server"},
        {"platform": "Discord", "chat": "C", "profile": "first"},
        {"platform": "discord", "chat": "C", "profile": "second"},
        {"platform": "discord", "thread": 7, "profile": "thread"},
    ]));
    assert_eq!(chosen(&rules, spot("C")).unwrap(), "first");
    assert_eq!(chosen(&rules, spot("D")).unwrap(), "server");
    let elsewhere = Spot {
        scope: None,
        ..spot("D")
    };
    assert_eq!(chosen(&rules, elsewhere).unwrap(), "all");
    let threaded = Spot {
        thread: Some("7"),
        ..spot("C")
    };
    assert_eq!(chosen(&rules, threaded).unwrap(), "thread");
    let other = Spot {
        platform: Platform::Slack,
        ..spot("C")
    };
    assert_eq!(chosen(&rules, other), None);
}

#[test]
fn a_rule_for_a_chat_holds_in_what_hangs_on_it_and_a_disabled_one_nowhere() {
    let rules = rules(json!([
        {"platform": "discord", "chat": "C", "thread": "T", "profile": "off", "enabled": false},
        {"platform": "discord", "chat": "C", "profile": "on"},
    ]));
    let below = Spot {
        parent: Some("C"),
        thread: Some("T"),
        ..spot("X")
    };
    assert_eq!(chosen(&rules, below).unwrap(), "on");
}

#[test]
fn every_wrong_rule_is_found_and_the_problem_says_what_to_write() {
    let read = Rules::read(&[
        json!({"platform": "discord", "profile": "fine"}),
        json!("text"),
        json!({"platform": "discord"}),
        json!({"platform": "diskord", "profile": "p"}),
        json!({"platform": "discord", "profile": "../up"}),
        json!({"platform": "discord", "profile": "p", "chat": ""}),
        json!({"platform": "discord", "profile": "p", "chanel": "C"}),
    ]);
    assert_eq!(read.value.in_order().len(), 1);
    let said: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
    let expected = [
        "profile rule 2: invalid type: string \"text\", expected a table; write `platform`",
        "profile rule 3: missing field `profile`; write `platform`",
        "profile rule 4: `platform`: `diskord` is not known here; write the name of a platform",
        "profile rule 5: `profile`: `../up` cannot name a profile: use 1 to 64 of",
        "profile rule 6: `chat` is empty; leave it out if it does not matter",
        "profile rule 7: unknown field `chanel`, expected one of",
    ];
    assert_eq!(said.len(), expected.len());
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.starts_with(expected), "{said}");
    }
}

fn message(profile: Option<&str>) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Discord,
            account: AccountId::of(Platform::Discord),
            chat: Chat {
                id: "C".into(),
                kind: ChatKind::Group,
            },
            thread: None,
        },
        person: Person {
            id: "u".into(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: "1".into(),
        text: "hello".into(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About {
            profile: profile.map(|name| name.parse().unwrap()),
            ..About::default()
        },
    }
}

#[test]
fn what_the_adapter_set_comes_before_the_rules_and_these_before_the_active_profile() {
    let to = |mode: &Multiplexing, inbound: &Inbound| mode.profile(inbound).map(Profile::to_string);
    let active = Some("active".parse().unwrap());
    let bare = Multiplexing::On {
        rules: Rules::default(),
        active: active.clone(),
    };
    let ruled = Multiplexing::On {
        rules: rules(json!([{"platform": "discord", "chat": "C", "profile": "ruled"}])),
        active,
    };
    assert_eq!(to(&Multiplexing::Off, &message(Some("own"))), None);
    assert_eq!(to(&bare, &message(None)).unwrap(), "active");
    assert_eq!(to(&ruled, &message(None)).unwrap(), "ruled");
    assert_eq!(to(&ruled, &message(Some("own"))).unwrap(), "own");
}

fn any_constraint() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::of(prop::sample::select(vec!["A", "B"]))
}

proptest! {
    #[test]
    fn no_rule_that_holds_is_more_specific_than_the_chosen_one(
        written in prop::collection::vec((any_constraint(), any_constraint(), any_constraint()), 0..6),
        scope in any_constraint(),
        thread in any_constraint(),
        parent in any_constraint(),
    ) {
        let written: Vec<Value> = written.iter().map(|(scope, chat, thread)| json!({
            "platform": "discord", "profile": "p", "scope": scope, "chat": chat, "thread": thread,
        })).collect();
        let rules = Rules::read(&written).strict().unwrap();
        let spot = Spot { scope, thread, parent, ..spot("A") };
        let best = rules.in_order().iter().filter(|rule| rule.holds(&spot));
        let best = best.map(Rule::specificity).max();
        prop_assert_eq!(rules.choose(&spot).map(Rule::specificity), best);
    }
}
