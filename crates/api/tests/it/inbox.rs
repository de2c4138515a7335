//! Putting messages in, and following them.

use angelia_api::wire::v1::inbox::{ChatType, Entrance};
use angelia_api::wire::v1::message::{MessageState, TurnState};
use serde_json::json;

use crate::house::{House, message};

#[tokio::test]
async fn a_message_is_answered_and_its_story_told() {
    let house = House::open().await;
    let accepted = house.say("c1", "m1", "echo hello").await;
    assert_eq!(accepted.session_key, "agent:main:api:dm:c1");
    assert!(!accepted.duplicate);
    let replies = house.replies("c1", None).await;
    assert_eq!(replies.len(), 1);
    assert_eq!(replies[0].text, "hello");
    assert_eq!(replies[0].inbox_ids, [accepted.inbox_id]);
    assert_eq!(replies[0].session_id, Some(accepted.session_id));
    let story = house.client.message(accepted.inbox_id).await.unwrap();
    assert_eq!(story.state, MessageState::Answered);
    assert_eq!(story.text, "echo hello");
    assert_eq!(story.user.name.as_deref(), Some("Anna"));
    assert_eq!(story.turn.unwrap().state, TurnState::Completed);
    assert_eq!(story.deliveries, replies);
}

#[tokio::test]
async fn a_repeated_message_is_recognised_and_answered_once() {
    let house = House::open().await;
    let first = house.say("c1", "m1", "echo one").await;
    let again = house.say("c1", "m1", "echo two").await;
    assert!(again.duplicate);
    assert_eq!(again.inbox_id, first.inbox_id);
    assert_eq!(again.session_id, first.session_id);
    let elsewhere = house.say("c2", "m1", "echo two").await;
    assert!(!elsewhere.duplicate);
    assert_eq!(house.replies("c2", None).await.len(), 1);
    let replies = house.replies("c1", None).await;
    assert_eq!(replies.len(), 1);
    assert_eq!(replies[0].text, "one");
}

#[tokio::test]
async fn optional_fields_may_be_left_out_or_null() {
    let house = House::open().await;
    let body = json!({"chat": "c", "user": {"id": "u"}, "text": "hi", "message_id": "m",
                      "thread": null});
    let (status, answer) = house.post("/api/v1/inbox", body.to_string()).await;
    assert_eq!(status, 202);
    assert_eq!(answer["session_key"], "agent:main:api:dm:c");
    assert_eq!(answer["duplicate"], false);
}

#[tokio::test]
async fn groups_threads_and_platforms_lead_to_conversations_of_their_own() {
    let house = House::open().await;
    let mut said = message("g1", "m1", "hi");
    said.chat_type = ChatType::Group;
    let group = house.client.inbox(&said).await.unwrap();
    assert_eq!(group.session_key, "agent:main:api:group:g1:u1");
    said.thread = Some("t1".to_owned());
    said.message_id = "m2".to_owned();
    let thread = house.client.inbox(&said).await.unwrap();
    assert_eq!(thread.session_key, "agent:main:api:group:g1:t1");
    said.platform = Entrance::Web;
    let web = house.client.inbox(&said).await.unwrap();
    assert!(!web.duplicate);
    assert_eq!(web.session_key, "agent:main:web:group:g1:t1");
}

#[tokio::test]
async fn the_sixty_fifth_waiting_message_is_refused_and_a_repeat_of_an_earlier_one_is_not() {
    let house = House::open().await;
    house.say("c1", "m0", "sleep 60").await;
    for number in 1..=70 {
        let sent = house
            .client
            .inbox(&message("c1", &format!("m{number}"), "hi"))
            .await;
        let Err(error) = sent else { continue };
        assert_eq!(error.code(), Some("too_many_waiting"));
        assert!(number >= 64, "refused at {number}");
        assert!(house.say("c1", "m1", "hi").await.duplicate);
        return;
    }
    panic!("no message was refused");
}
