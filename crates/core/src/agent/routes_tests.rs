use super::*;

use crate::about::About;
use crate::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use crate::inbound::EventKey;

fn name(text: &str) -> AgentName {
    text.parse().unwrap()
}

fn message(account: &str, chat: &str) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Telegram,
            account: AccountId(account.to_owned()),
            chat: Chat {
                id: chat.to_owned(),
                kind: ChatKind::Group,
            },
            thread: None,
        },
        person: Person {
            id: "p".to_owned(),
            name: None,
        },
        event_key: EventKey::in_chat(chat, "1"),
        message_id: "1".to_owned(),
        text: "hello".to_owned(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

fn routes(entries: &[(&str, &str)]) -> Routes {
    let mut routes = Routes::default();
    for (place, agent) in entries {
        routes.lead(place, &name(agent)).unwrap();
    }
    routes
}

fn led(routes: &Routes, inbound: &Inbound) -> Option<String> {
    routes.decide(inbound).map(|led| match led {
        Led::Asked(name) => format!("asked {name}"),
        Led::Routed(name) => name.to_string(),
    })
}

#[test]
fn the_most_specific_place_counts() {
    let routes = routes(&[
        ("telegram", "platform"),
        ("work", "account"),
        ("telegram:1", "chat"),
        ("work:1", "mine"),
    ]);
    assert_eq!(led(&routes, &message("work", "1")).as_deref(), Some("mine"));
    assert_eq!(led(&routes, &message("home", "1")).as_deref(), Some("chat"));
    assert_eq!(
        led(&routes, &message("work", "2")).as_deref(),
        Some("account")
    );
    assert_eq!(
        led(&routes, &message("home", "2")).as_deref(),
        Some("platform")
    );
    assert_eq!(led(&Routes::default(), &message("work", "1")), None);
}

#[test]
fn a_chat_that_hangs_on_another_is_found_by_either() {
    let mut inbound = message("home", "child");
    inbound.about.parent_chat = Some("parent".to_owned());
    let by_parent = routes(&[("telegram:parent", "p")]);
    assert_eq!(led(&by_parent, &inbound).as_deref(), Some("p"));
    let both = routes(&[("home:parent", "p"), ("telegram:child", "c")]);
    assert_eq!(led(&both, &inbound).as_deref(), Some("c"));
}

#[test]
fn a_profile_has_the_agent_of_its_name_where_no_place_says_otherwise() {
    let mut inbound = message("home", "1");
    inbound.about.profile = Some("work".parse().unwrap());
    let mut routes = Routes::default();
    assert_eq!(led(&routes, &inbound), None);
    routes.add(name("work"));
    assert_eq!(led(&routes, &inbound).as_deref(), Some("work"));
    routes.lead("telegram:1", &name("other")).unwrap();
    assert_eq!(led(&routes, &inbound).as_deref(), Some("other"));
}

#[test]
fn who_asks_by_name_is_led_nowhere_else() {
    let mut inbound = message("home", "1");
    inbound.about.agent = Some(Led::Asked(name("wanted")));
    let routes = routes(&[("telegram", "t")]);
    assert_eq!(led(&routes, &inbound).as_deref(), Some("asked wanted"));
}

#[test]
fn an_entry_without_a_place_and_one_of_two_agents_are_refused() {
    let mut routes = routes(&[("telegram", "a")]);
    let twice = routes.lead("telegram", &name("b"));
    assert!(matches!(twice, Err(Wrong::Taken { .. })));
    assert_eq!(routes.lead("telegram", &name("a")), Ok(()));
    for bad in ["", ":1", "telegram:", " "] {
        assert!(matches!(routes.lead(bad, &name("a")), Err(Wrong::Form(_))));
    }
}
