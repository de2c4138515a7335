//! Conversations and what was said in them.

use angelia_api::client::{Listing, Rows};
use angelia_api::wire::v1::session::{LifeChoice, Order, Role, SessionState};
use angelia_core::address::Platform;

use crate::house::House;

#[tokio::test]
async fn conversations_are_listed_most_recently_active_first_page_by_page() {
    let house = House::open().await;
    for chat in ["c1", "c2", "c3"] {
        house.say(chat, "m1", "echo hi").await;
        house.replies(chat, None).await;
    }
    let first = house.client.sessions(&Rows::first(2).into()).await.unwrap();
    let after = first.next.clone();
    assert!(after.is_some());
    let limit = None;
    let second = house
        .client
        .sessions(&Rows { after, limit }.into())
        .await
        .unwrap();
    assert_eq!(second.next, None);
    let all = first.items.into_iter().chain(second.items);
    let chats: Vec<String> = all.map(|session| session.chat).collect();
    assert_eq!(chats, ["c3", "c2", "c1"]);
}

#[tokio::test]
async fn a_list_is_narrowed_by_place_life_and_words() {
    let house = House::open().await;
    for (chat, text) in [("garden", "echo roses"), ("kitchen", "echo soup")] {
        house.say(chat, "m1", text).await;
        house.replies(chat, None).await;
    }
    let chats = async |listing: Listing| {
        let page = house.client.sessions(&listing).await.unwrap();
        let chats = page.items.into_iter().map(|session| session.chat);
        chats.collect::<Vec<_>>()
    };
    let words = |text: &str| Listing {
        text: Some(text.to_owned()),
        ..Listing::default()
    };
    assert_eq!(chats(words("ROSES")).await, ["garden"]);
    let chat = Listing {
        chat: Some("kitchen".to_owned()),
        platform: Some(Platform::Api),
        life: Some(LifeChoice::Live),
        ..Listing::default()
    };
    assert_eq!(chats(chat).await, ["kitchen"]);
    let ended = Listing {
        life: Some(LifeChoice::Ended),
        ..Listing::default()
    };
    assert!(chats(ended).await.is_empty());
    for wrong in ["life=dead", "platform=mars", "colour=red", "limit=0"] {
        let (status, told) = house.get(&format!("/api/v1/sessions?{wrong}")).await;
        assert_eq!(
            (status, &told["error"]["code"]),
            (400, &"bad_request".into()),
            "{wrong}"
        );
    }
    let long = "x".repeat(201);
    let (status, _) = house.get(&format!("/api/v1/sessions?q={long}")).await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn a_conversation_shows_what_waits_and_what_runs() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    let first = house.say("c1", "m1", "sleep 60").await;
    crate::events::until(&mut events, |event| event.name() == "turn").await;
    let second = house.say("c1", "m2", "echo later").await;
    let detail = house.client.session(first.session_id).await.unwrap();
    assert_eq!(detail.session.state, SessionState::Working);
    assert_eq!(detail.session.title, None);
    assert_eq!(detail.session.label, "Anna");
    assert!(detail.session.current);
    let waiting: Vec<_> = detail
        .waiting
        .iter()
        .map(|message| message.inbox_id)
        .collect();
    assert_eq!(waiting, [first.inbox_id, second.inbox_id]);
    assert_eq!(detail.turn.unwrap().attempts, 1);
}

#[tokio::test]
async fn a_transcript_reads_both_ways() {
    let house = House::open().await;
    let said = house.say("c1", "m1", "echo one").await;
    house.replies("c1", None).await;
    let read = |order| {
        let client = house.client.clone();
        async move {
            let page = client
                .transcript(said.session_id, order, &Rows::default())
                .await;
            let entries = page.unwrap().items.into_iter();
            entries
                .map(|entry| (entry.role, entry.text))
                .collect::<Vec<_>>()
        }
    };
    let mut expected = vec![
        (Role::User, "echo one".to_owned()),
        (Role::Assistant, "one".to_owned()),
    ];
    assert_eq!(read(Order::Asc).await, expected);
    expected.reverse();
    assert_eq!(read(Order::Desc).await, expected);
}

#[tokio::test]
async fn a_failure_is_told_as_a_notice() {
    let house = House::open().await;
    let said = house.say("c1", "m1", "fail").await;
    house.replies("c1", None).await;
    let page = house
        .client
        .transcript(said.session_id, Order::Desc, &Rows::first(1))
        .await
        .unwrap();
    assert_eq!(page.items[0].role, Role::Notice);
    assert!(page.next.is_some());
}
