//! What a turn does: as it happens, and afterwards.

use angelia_api::wire::v1::event::Event;
use angelia_api::wire::v1::step::{StepKind, StepState};
use serde_json::Value;

use crate::events::until;
use crate::house::House;

/// A word that looks like what opens a door.
const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

async fn steps_of(house: &House, turn: &str, query: &str) -> (u16, Value) {
    let path = format!("/api/v1/turns/{turn}/steps{query}");
    house.get(&path).await
}

#[tokio::test]
async fn a_call_is_seen_when_it_begins_and_when_it_ends() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    house.say("c1", "m1", &format!("run echo {SECRET}")).await;
    let is_step = |event: &Event| matches!(event, Event::Step(_));
    let (Event::Step(begun), Event::Step(ended)) = (
        until(&mut events, is_step).await,
        until(&mut events, is_step).await,
    ) else {
        panic!("only steps were waited for")
    };
    assert_eq!(begun.step.id, ended.step.id);
    assert!(begun.step.seq < ended.step.seq);
    assert_eq!(begun.step.kind, StepKind::Tool);
    assert_eq!(begun.step.title.as_deref(), Some("terminal"));
    assert_eq!(
        (begun.step.state, ended.step.state),
        (StepState::Running, StepState::Done)
    );
    let told = format!("{begun:?}{ended:?}");
    assert!(!told.contains(SECRET), "{told}");

    house.replies("c1", None).await;
    let turn = begun.turn.to_string();
    let (status, page) = steps_of(&house, &turn, "").await;
    assert_eq!(status, 200);
    assert_eq!(page["turn"]["state"], "completed");
    assert_eq!(page["items"].as_array().unwrap().len(), 2);
    assert_eq!(page["items"][1]["output"]["exit_code"], 0);
    assert!(!page.to_string().contains(SECRET), "{page}");
    assert_eq!(page["next"], Value::Null);
}

#[tokio::test]
async fn steps_come_in_pages() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    house.say("c1", "m1", "run true").await;
    let event = until(&mut events, |event| matches!(event, Event::Turn(_))).await;
    let Event::Turn(turn) = event else { panic!() };
    house.replies("c1", None).await;
    let turn = turn.turn.to_string();
    let (mut states, mut query) = (Vec::new(), "?limit=1".to_owned());
    loop {
        let (_, page) = steps_of(&house, &turn, &query).await;
        let items = page["items"].as_array().unwrap();
        states.extend(items.iter().map(|step| step["state"].clone()));
        let Some(after) = page["next"].as_str() else {
            break;
        };
        query = format!("?limit=1&after={after}");
    }
    assert_eq!(states, ["running", "done"]);
}

#[tokio::test]
async fn a_turn_that_does_not_exist_has_no_steps() {
    let house = House::open().await;
    let (status, _) = steps_of(&house, "trn_00000000000000000000000001", "").await;
    assert_eq!(status, 404);
    let (status, _) = steps_of(&house, "nonsense", "").await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn a_transcript_tells_where_there_are_steps_to_see() {
    let house = House::open().await;
    let said = house.say("c1", "m1", "run true").await;
    house.replies("c1", None).await;
    house.say("c1", "m2", "echo hi").await;
    let path = format!("/api/v1/sessions/{}/transcript", said.session_id);
    let rows = loop {
        let (_, page) = house.get(&path).await;
        let rows = page["items"].as_array().unwrap().clone();
        if rows.len() == 4 {
            break rows;
        }
        tokio::task::yield_now().await;
    };
    let work: Vec<bool> = rows
        .iter()
        .map(|row| row["work"].as_bool().unwrap())
        .collect();
    assert_eq!(work, [false, true, false, false], "{rows:?}");
}
