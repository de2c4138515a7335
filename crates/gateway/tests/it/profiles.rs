//! Which profile's conversation a message comes into, and that commands find it there.

use angelia_core::inbound::Inbound;
use angelia_core::profile::rules::{Multiplexing, Rules};
use angelia_core::turn::busy::Mode;
use angelia_gateway::gateway::Gateway;
use angelia_store::intake::{Accepted, Place};
use serde_json::json;

use crate::commands::Parrot;
use crate::house::{House, message};

fn house(profiles: Multiplexing) -> House<Parrot> {
    let mut house = House::new(Parrot::default(), Mode::Queue);
    house.profiles = profiles;
    house
}

/// The chat `c` goes to `work`, and everything else to `home`.
fn routed() -> Multiplexing {
    let route = json!({ "platform": "api", "chat": "c", "profile": "work" });
    Multiplexing::On {
        rules: Rules::read(&[route]).strict().unwrap(),
        active: Some("home".parse().unwrap()),
    }
}

fn owned(chat: &str, number: u32) -> Inbound {
    let mut inbound = message(chat, number, "hello");
    inbound.about.profile = Some("own".parse().unwrap());
    inbound
}

async fn accept(gateway: &Gateway, inbound: Inbound) -> Place {
    match gateway.door().accept(inbound, None).await.unwrap() {
        Accepted::New(place) => place,
        other @ (Accepted::Duplicate(_) | Accepted::Refused(_)) => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_goes_to_the_profile_of_its_adapter_or_of_the_rules() {
    let house = house(routed());
    let gateway = house.start(1).await;
    let keys = [
        accept(&gateway, message("c", 1, "hello")).await.key,
        accept(&gateway, message("d", 2, "hello")).await.key,
        accept(&gateway, owned("c", 3)).await.key,
    ];
    assert_eq!(
        keys.map(|key| key.to_string()),
        [
            "agent:work:api:dm:c",
            "agent:home:api:dm:d",
            "agent:own:api:dm:c"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn without_multiplexing_not_even_the_adapters_profile_counts() {
    let house = house(Multiplexing::Off);
    let gateway = house.start(1).await;
    let place = accept(&gateway, owned("c", 1)).await;
    assert_eq!(place.key.as_str(), "agent:main:api:dm:c");
}

#[tokio::test(start_paused = true)]
async fn a_command_finds_the_conversation_of_its_profile() {
    let house = house(routed());
    let gateway = house.start(1).await;
    let before = accept(&gateway, message("c", 1, "hello")).await;
    house.until_answered(before.inbox).await;
    let anew = accept(&gateway, message("c", 2, "/new")).await;
    assert_eq!(anew.session, before.session);
    house.until_answered(anew.inbox).await;
    let after = accept(&gateway, message("c", 3, "hello again")).await;
    assert_eq!(after.key, before.key);
    assert_ne!(after.session, before.session);
}
