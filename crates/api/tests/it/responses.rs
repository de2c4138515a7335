//! Responses, streamed and not.

use angelia_api::client::Rows;
use angelia_api::wire::v1::session::Order;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::house::{House, told};

fn ask(house: &House, body: Value) -> RequestBuilder {
    house
        .request(Method::POST, "/v1/responses")
        .body(body.to_string())
}

async fn answered(request: RequestBuilder) -> (u16, Value) {
    told(request.send().await.unwrap()).await
}

fn words(response: &Value) -> &Value {
    &response["output"][0]["content"][0]["text"]
}

/// The events of a stream: each name, and what stands under it.
async fn events(request: RequestBuilder) -> Vec<(String, Value)> {
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let text = answer.text().await.unwrap();
    let event = |block: &str| {
        let (name, data) = block.strip_prefix("event: ")?.split_once("\ndata: ")?;
        Some((name.to_owned(), serde_json::from_str(data).unwrap()))
    };
    text.split("\n\n").filter_map(event).collect()
}

#[tokio::test]
async fn responses_are_given_whole() {
    let house = House::open().await;
    let body = json!({ "model": "m", "input": "echo hello", "instructions": "be kind" });
    let (status, response) = answered(ask(&house, body)).await;
    assert_eq!(status, 200);
    assert_eq!(response["object"], "response");
    assert_eq!(response["status"], "completed");
    assert_eq!(response["instructions"], "be kind");
    assert_eq!(response["error"], Value::Null);
    assert_eq!(*words(&response), "hello");
    assert_eq!(response["output"][0]["role"], "assistant");
    assert!(response["usage"]["total_tokens"].is_u64());
}

#[tokio::test]
async fn responses_are_streamed_in_the_order_that_clients_expect() {
    let house = House::open().await;
    let body = json!({ "input": "stream 5", "stream": true });
    let events = events(ask(&house, body)).await;
    let mut names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    let deltas = names
        .iter()
        .filter(|name| **name == "response.output_text.delta");
    assert!(deltas.count() > 1, "the words came one by one: {names:?}");
    names.dedup();
    let expected = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(names, expected);
    for (number, (name, event)) in events.iter().enumerate() {
        assert_eq!(
            (&event["type"], &event["sequence_number"]),
            (&json!(name), &json!(number))
        );
    }
    let whole = "word1 word2 word3 word4 word5";
    let deltas = events
        .iter()
        .filter_map(|(_, event)| event["delta"].as_str());
    assert_eq!(deltas.collect::<String>(), whole);
    let (_, last) = events.last().unwrap();
    assert_eq!(*words(&last["response"]), whole);
    assert_eq!(last["response"]["id"], events[0].1["response"]["id"]);
    assert_eq!(events[0].1["response"]["status"], "in_progress");
}

#[tokio::test]
async fn responses_that_fail_are_errors_and_in_a_stream_their_last_event() {
    let house = House::open().await;
    let (status, error) = answered(ask(&house, json!({ "input": "fail" }))).await;
    assert_eq!(
        (status, &error["error"]["code"]),
        (502, &json!("agent_failed"))
    );
    let events = events(ask(&house, json!({ "input": "fail", "stream": true }))).await;
    let (name, last) = events.last().unwrap();
    assert_eq!(name, "response.failed");
    assert_eq!(last["response"]["status"], "failed");
    assert_eq!(last["response"]["error"]["code"], "server_error");
    assert_eq!(
        error["error"]["message"],
        last["response"]["error"]["message"]
    );
}

#[tokio::test]
async fn responses_go_on_with_the_conversation_of_the_one_before() {
    let house = House::open().await;
    let (_, first) = answered(ask(&house, json!({ "input": "echo one" }))).await;
    let next = json!({ "input": "echo two", "previous_response_id": first["id"] });
    let second = ask(&house, next).send().await.unwrap();
    let inbox = second.headers()["x-angelia-inbox-id"].to_str().unwrap();
    let story = house.client.message(inbox.parse().unwrap()).await.unwrap();
    let (_, second) = told(second).await;
    assert_eq!(*words(&second), "two");
    assert_eq!(second["previous_response_id"], first["id"]);
    let rows = Rows::default();
    let said = house
        .client
        .whole_transcript(story.session_id, Order::Asc, &rows);
    let said: Vec<String> = said
        .await
        .unwrap()
        .items
        .into_iter()
        .map(|row| row.text)
        .collect();
    assert_eq!(said, ["echo one", "one", "echo two", "two"]);
}

#[tokio::test]
async fn responses_follow_nothing_that_is_not_theirs() {
    let house = House::open().await;
    for odd in ["resp_1", "resp_01890000000000000000000000", "else"] {
        let body = json!({ "input": "echo x", "previous_response_id": odd });
        let (status, error) = answered(ask(&house, body)).await;
        assert_eq!(
            (status, &error["error"]["param"]),
            (400, &json!("previous_response_id"))
        );
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains("X-Angelia-Session"), "{message}");
    }
    let kept = ask(&house, json!({ "input": "echo x" })).header("X-Angelia-Session", "kept");
    let (_, kept) = answered(kept).await;
    let body = json!({ "input": "echo y", "previous_response_id": kept["id"] });
    let same = ask(&house, body.clone()).header("X-Angelia-Session", "kept");
    assert_eq!(answered(same).await.0, 200);
    let other = ask(&house, body).header("X-Angelia-Session", "other");
    assert_eq!(answered(other).await.0, 400);
}

#[tokio::test]
async fn responses_are_found_again_by_their_key() {
    let house = House::open().await;
    let keyed =
        |input: &str| ask(&house, json!({ "input": input })).header("Idempotency-Key", "k1");
    let (_, first) = answered(keyed("echo once")).await;
    let (_, again) = answered(keyed("echo once")).await;
    assert_eq!((&first["id"], words(&first)), (&again["id"], words(&again)));
    let (_, other) = answered(keyed("echo other")).await;
    assert_ne!(first["id"], other["id"]);
}

#[tokio::test]
async fn responses_name_the_part_of_the_input_that_is_wrong() {
    let house = House::open().await;
    let part = json!([{ "type": "input_image", "image_url": "https://example.org/a.png" }]);
    for (input, field) in [
        (json!([{ "role": "king", "content": "x" }]), "input[0].role"),
        (
            json!([{ "role": "user", "content": part }]),
            "input[0].content",
        ),
        (
            json!([{ "type": "item_reference", "id": "msg_1" }]),
            "input[0].type",
        ),
    ] {
        let body = json!({ "input": input, "instructions": "be kind" });
        let (status, error) = answered(ask(&house, body)).await;
        assert_eq!((status, &error["error"]["param"]), (400, &json!(field)));
    }
    let (status, error) = answered(ask(&house, json!({ "input": [] }))).await;
    assert_eq!(status, 400);
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains("`input` has none"), "{message}");
}
