//! Reading replies: in order, each once, with pages and with waiting.

use std::time::Duration;

use angelia_api::client::{Replies, Rows};
use angelia_core::address::Platform;

use crate::house::House;

fn replies(chat: &str, rows: Rows, wait: Option<Duration>) -> Replies {
    Replies {
        platform: Platform::Api,
        chat: chat.to_owned(),
        rows,
        wait,
    }
}

#[tokio::test]
async fn replies_come_in_order_each_once_page_by_page() {
    let house = House::open().await;
    for number in 0..7 {
        house
            .say("c1", &format!("m{number}"), &format!("echo {number}"))
            .await;
        house.say("c2", &format!("m{number}"), "echo other").await;
    }
    let mut rows = Rows::first(3);
    let mut texts = Vec::new();
    while texts.len() < 7 {
        let wait = Some(Duration::from_secs(20));
        let page = house
            .client
            .deliveries(&replies("c1", rows.clone(), wait))
            .await
            .unwrap();
        assert!((1..=3).contains(&page.items.len()));
        assert!(page.next.is_some());
        texts.extend(page.items.into_iter().map(|delivery| delivery.text));
        rows.after = page.next;
    }
    assert_eq!(texts, ["0", "1", "2", "3", "4", "5", "6"]);
    let end = house
        .client
        .deliveries(&replies("c1", rows, None))
        .await
        .unwrap();
    assert!(end.items.is_empty());
    assert_eq!(end.next, None);
}

#[tokio::test]
async fn an_empty_page_is_held_back_until_a_reply_arrives() {
    let house = House::open().await;
    let waiting = house.replies("c1", None);
    let speaking = async {
        house.say("c2", "m1", "echo not for them").await;
        house.say("c1", "m1", "echo at last").await;
    };
    let (replies, ()) = tokio::join!(waiting, speaking);
    assert_eq!(replies[0].text, "at last");
}

#[tokio::test]
async fn waiting_ends_with_an_empty_page() {
    let house = House::open().await;
    let asked = replies("nobody", Rows::default(), Some(Duration::from_secs(1)));
    let page = house.client.deliveries(&asked).await.unwrap();
    assert!(page.items.is_empty());
}

#[tokio::test]
async fn a_chat_may_have_any_name() {
    let house = House::open().await;
    for chat in ["a/b", "ä ö?&=#%", "100%25", "+", "..a", "\u{1f600}"] {
        house.say(chat, "m1", "echo found").await;
        let replies = house.replies(chat, None).await;
        assert_eq!(replies[0].chat, chat);
    }
}
