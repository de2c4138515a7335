//! A conversation that began anew by itself says so, once.

use std::collections::BTreeMap;

use angelia_core::session::reset::ResetPolicies;
use angelia_core::session::reset::policy::Written;
use angelia_core::session::rules::Rules;
use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;
use angelia_store::views::Story;

use crate::commands::Parrot;
use crate::house::{House, state, write};

pub(crate) fn idle_house() -> House<Parrot> {
    let written = Written {
        mode: Some("idle".to_owned()),
        idle_minutes: Some(60),
        // By default programs, which come through `api`, are not told.
        notify_exclude_platforms: Some(Vec::new()),
        ..Written::default()
    };
    let resets = ResetPolicies::read(&written, &BTreeMap::new(), &["api"]);
    let mut house = House::new(Parrot::default(), Mode::Queue);
    house.rules = Rules {
        resets: resets.strict().unwrap(),
        ..Rules::default()
    };
    house
}

fn texts(story: &Story) -> Vec<&str> {
    let all = story.deliveries.iter();
    all.map(|delivery| delivery.text.as_str()).collect()
}

#[tokio::test(start_paused = true)]
async fn the_chat_is_told_once_why_a_conversation_began_anew() {
    let house = idle_house();
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "one").await;
    let first = house.until_answered(first).await;
    house.clock_jumps(Span::minutes(61));
    let second = write(&gateway, "c", 2, "two").await;
    let second = house.until_answered(second).await;
    let third = write(&gateway, "c", 3, "three").await;
    let third = house.until_answered(third).await;
    assert_eq!(texts(&first), ["re: one"]);
    let [notice, reply] = texts(&second)[..] else {
        panic!("{second:?}")
    };
    assert!(
        notice.contains("new conversation") && notice.contains("1 hour"),
        "{notice}"
    );
    assert_eq!(reply, "re: two");
    assert_eq!(texts(&third), ["re: three"]);
    assert_ne!(first.session, second.session);
    assert_eq!(second.session, third.session);
}

#[tokio::test(start_paused = true)]
async fn a_crash_before_the_answer_neither_loses_nor_doubles_the_news() {
    let house = idle_house();
    let gateway = house.start(1).await;
    let first = write(&gateway, "c", 1, "one").await;
    house.until_answered(first).await;
    house.clock_jumps(Span::minutes(61));
    let second = write(&gateway, "c", 2, "hang").await;
    house.until(second, |story| state(story) == "running").await;
    gateway.kill();
    let gateway = house.start(2).await;
    house
        .until(second, |story| {
            story.turn.as_ref().is_some_and(|turn| turn.attempts > 1)
        })
        .await;
    let stop = write(&gateway, "c", 3, "/stop").await;
    house.until_answered(stop).await;
    let story = house.story(second).await;
    let told = texts(&story).concat();
    assert_eq!(told.matches("new conversation").count(), 1, "{told}");
}
