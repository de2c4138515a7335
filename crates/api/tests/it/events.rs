//! What happens, as it happens.

use std::time::Duration;

use angelia_api::client::Events;
use angelia_api::wire::v1::event::Event;
use angelia_api::wire::v1::message::TurnState;
use reqwest::Method;

use crate::house::House;

/// Reads events until one is the right one.
pub(crate) async fn until(events: &mut Events, is_right: impl Fn(&Event) -> bool) -> Event {
    let reading = async {
        loop {
            let event = events.next().await.unwrap().expect("the stream goes on");
            if is_right(&event) {
                return event;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reading)
        .await
        .expect("the event comes")
}

#[tokio::test]
async fn a_message_is_seen_from_acceptance_to_delivery() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    let accepted = house.say("c1", "m1", "stream 3").await;
    let mut names = Vec::new();
    let mut drafts = Vec::new();
    loop {
        let event = events.next().await.unwrap().unwrap();
        names.push(event.name());
        match event {
            Event::Message(message) => assert_eq!(message.inbox_id, accepted.inbox_id),
            Event::Turn(turn) => assert_eq!(turn.inbox_ids, [accepted.inbox_id]),
            Event::Draft(draft) => drafts.push(draft.text),
            Event::Delivery(delivery) => {
                assert_eq!(delivery.text, "word1 word2 word3");
                break;
            }
            Event::Session(session) => assert_eq!(session.session_id, accepted.session_id),
            Event::Step(step) => panic!("{step:?}"),
            Event::Process(process) => panic!("{process:?}"),
            Event::Approval(approval) => panic!("{approval:?}"),
            Event::Lagged(lagged) => panic!("{lagged:?}"),
        }
    }
    names.retain(|name| *name != "session");
    names.dedup();
    assert_eq!(names, ["message", "turn", "draft", "turn", "delivery"]);
    assert!(drafts.is_sorted_by(|shorter, longer| longer.starts_with(shorter.as_str())));
}

#[tokio::test]
async fn a_filtered_stream_tells_of_one_conversation_only() {
    let house = House::open().await;
    let first = house.say("c1", "m1", "echo one").await;
    house.replies("c1", None).await;
    let mut events = house.client.events(Some(first.session_id)).await.unwrap();
    house.say("c2", "m1", "echo other").await;
    house.replies("c2", None).await;
    house.say("c1", "m2", "echo two").await;
    let event = until(&mut events, |_| true).await;
    let Event::Message(message) = event else {
        panic!("{event:?}")
    };
    assert_eq!(message.text, "echo two");
}

#[tokio::test]
async fn a_reader_that_fell_behind_is_told() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    // More than the feed keeps, in one go and without an await in which the stream could read.
    let accepted = house.say("c1", "m0", "sleep 60").await;
    let ground = house.gateway.ground();
    let (at, inbox_ids) = (ground.env.now(), [accepted.inbox_id]);
    for _ in 0..3000 {
        ground.feed.publish(|_| angelia_gateway::feed::Frame::Turn {
            turn: ground.env.turn_id(),
            session: accepted.session_id,
            inbox_ids: inbox_ids.into(),
            state: "failed",
            at,
        });
    }
    let event = until(&mut events, |event| event.name() == "lagged").await;
    assert!(matches!(event, Event::Lagged(lagged) if lagged.missed > 1000));
    until(
        &mut events,
        |event| matches!(event, Event::Turn(turn) if turn.state == TurnState::Failed),
    )
    .await;
}

#[tokio::test]
async fn the_stream_ends_when_the_node_stops() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    house.gateway.stop().await;
    assert_eq!(events.next().await.unwrap(), None);
}

#[tokio::test]
async fn events_are_server_sent_events_that_nobody_may_keep() {
    let house = House::open().await;
    let answer = house
        .request(Method::GET, "/api/v1/events")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    assert!(
        answer.headers()["cache-control"]
            .to_str()
            .unwrap()
            .starts_with("no-")
    );
}
