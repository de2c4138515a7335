//! Chat completions, streamed and not.

use std::time::Duration;

use angelia_api::client::Rows;
use angelia_api::wire::v1::session::{Order, Role};
use angelia_gateway::feed::Frame;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::house::{House, told};

const PATH: &str = "/v1/chat/completions";

fn ask(house: &House, body: Value) -> RequestBuilder {
    house.request(Method::POST, PATH).body(body.to_string())
}

fn saying(text: &str) -> Value {
    json!({"model": "m", "messages": [{"role": "user", "content": text}]})
}

fn streaming(text: &str) -> Value {
    let mut body = saying(text);
    body["stream"] = json!(true);
    body
}

async fn answered(request: RequestBuilder) -> (u16, Value) {
    told(request.send().await.unwrap()).await
}

fn content(answer: &Value) -> &str {
    answer["choices"][0]["message"]["content"].as_str().unwrap()
}

/// The data of every event of a stream.
async fn read(answer: Response) -> Vec<String> {
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let text = answer.text().await.unwrap();
    let data = text
        .split("\n\n")
        .filter_map(|block| block.strip_prefix("data: "));
    data.map(str::to_owned).collect()
}

fn chunks(data: &[String]) -> Vec<Value> {
    data.iter()
        .map(|each| serde_json::from_str(each).unwrap())
        .collect()
}

#[tokio::test]
async fn the_models_can_be_listed() {
    let house = House::open().await;
    let (status, models) = house.get("/v1/models").await;
    assert_eq!(status, 200);
    assert_eq!(models["object"], "list");
    assert_eq!(models["data"][0]["id"], "angelia");
}

#[tokio::test]
async fn a_request_is_answered_whole() {
    let house = House::open().await;
    let answer = ask(&house, saying("echo hello")).send().await.unwrap();
    let inbox = answer.headers()["x-angelia-inbox-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let (status, answer) = told(answer).await;
    assert_eq!(status, 200);
    assert_eq!(answer["object"], "chat.completion");
    assert_eq!(answer["model"], "m");
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    assert_eq!(answer["choices"][0]["message"]["role"], "assistant");
    assert_eq!(content(&answer), "hello");
    assert!(answer["usage"]["total_tokens"].is_u64());
    let story = house.client.message(inbox.parse().unwrap()).await.unwrap();
    assert!(story.chat.starts_with("req-"));
    assert_eq!(story.user.id, "openai");
}

#[tokio::test]
async fn a_stream_names_the_speaker_adds_words_and_ends() {
    let house = House::open().await;
    let data = read(ask(&house, streaming("stream 5")).send().await.unwrap()).await;
    let (done, chunks) = (
        data.last().unwrap().as_str(),
        chunks(&data[..data.len() - 1]),
    );
    assert_eq!(done, "[DONE]");
    assert!(
        chunks
            .iter()
            .all(|chunk| chunk["object"] == "chat.completion.chunk")
    );
    assert!(chunks.iter().all(|chunk| chunk["id"] == chunks[0]["id"]));
    assert!(chunks.iter().all(|chunk| chunk.get("usage").is_none()));
    assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");
    let words = chunks
        .iter()
        .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str());
    let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
    assert_eq!(words.concat(), "word1 word2 word3 word4 word5");
    assert!(words.len() > 1, "the words came one by one: {words:?}");
    let last = chunks.last().unwrap();
    assert_eq!(last["choices"][0]["finish_reason"], "stop");
    assert_eq!(last["choices"][0]["delta"], json!({}));
}

#[tokio::test]
async fn usage_comes_last_when_asked_for() {
    let house = House::open().await;
    let mut body = streaming("echo hi");
    body["stream_options"] = json!({"include_usage": true});
    let data = read(ask(&house, body).send().await.unwrap()).await;
    let chunks = chunks(&data[..data.len() - 1]);
    let (last, others) = chunks.split_last().unwrap();
    assert_eq!(last["choices"], json!([]));
    assert!(last["usage"]["prompt_tokens"].is_u64());
    assert!(others.iter().all(|chunk| chunk["usage"].is_null()));
}

#[tokio::test]
async fn a_session_keeps_its_conversation_and_other_requests_have_their_own() {
    let house = House::open().await;
    for text in ["echo one", "echo two"] {
        let request = ask(&house, saying(text)).header("x-angelia-session", "notes");
        assert_eq!(answered(request).await.0, 200);
        assert_eq!(answered(ask(&house, saying(text))).await.0, 200);
    }
    let sessions = house
        .client
        .sessions(&Rows::default().into())
        .await
        .unwrap()
        .items;
    assert_eq!(sessions.len(), 3);
    let notes = sessions
        .iter()
        .find(|session| session.chat == "notes")
        .unwrap();
    let said = house
        .client
        .transcript(notes.id, Order::Asc, &Rows::default())
        .await
        .unwrap();
    assert_eq!(said.items.len(), 4);
    assert_eq!(said.items[3].role, Role::Assistant);
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_the_first_ones_reply() {
    let house = House::open().await;
    let keyed = |body: Value| ask(&house, body).header("idempotency-key", "k1");
    let in_session = |body: Value| keyed(body).header("x-angelia-session", "notes");
    let alone = [keyed(saying("echo first")), keyed(saying("echo first"))];
    let kept = [saying("echo first"), saying("echo first")].map(in_session);
    for [first, again] in [alone, kept] {
        let ((_, first), (status, again)) = (answered(first).await, answered(again).await);
        assert_eq!(status, 200);
        assert_eq!(content(&again), "first");
        assert_eq!(first["id"], again["id"]);
    }
    let request = keyed(streaming("echo first"));
    let data = read(request.send().await.unwrap()).await.concat();
    assert!(data.contains("\"content\":\"first\""), "{data}");
    assert_eq!(house.client.status().await.unwrap().sessions, 2);
}

#[tokio::test]
async fn another_question_under_the_same_key_is_not_answered_with_the_first_ones_reply() {
    let house = House::open().await;
    for (text, expected) in [
        ("echo one", "one"),
        ("echo two", "two"),
        ("echo one", "one"),
    ] {
        let request = ask(&house, saying(text)).header("idempotency-key", "k1");
        let (status, answer) = answered(request).await;
        assert_eq!((status, content(&answer)), (200, expected));
    }
    assert_eq!(house.client.status().await.unwrap().sessions, 2);
}

#[tokio::test]
async fn a_repeat_while_the_first_is_under_way_waits_for_the_same_answer() {
    let house = House::open().await;
    let keyed = || ask(&house, saying("stream 6")).header("idempotency-key", "k1");
    let (first, second) = tokio::join!(answered(keyed()), answered(keyed()));
    assert_eq!(first.1["id"], second.1["id"]);
    assert_eq!(content(&first.1), content(&second.1));
    assert_eq!(house.client.status().await.unwrap().sessions, 1);
}

#[tokio::test]
async fn a_failed_turn_is_an_error_in_either_manner() {
    let house = House::open().await;
    let answer = ask(&house, saying("fail")).send().await.unwrap();
    assert_eq!(answer.headers()["x-should-retry"], "false");
    let (status, problem) = told(answer).await;
    assert_eq!(status, 502);
    assert_eq!(problem["error"]["code"], "agent_failed");
    assert_eq!(problem["error"]["type"], "server_error");
    assert!(
        problem["error"]["message"]
            .as_str()
            .unwrap()
            .contains("asked to fail")
    );
    let data = read(ask(&house, streaming("fail")).send().await.unwrap()).await;
    let last: Value = serde_json::from_str(data.last().unwrap()).unwrap();
    assert_eq!(last["error"]["code"], "agent_failed");
}

#[tokio::test]
async fn errors_have_openais_shape() {
    let house = House::open().await;
    let refusals = [
        (400, "bad_request", json!({"messages": []})),
        (
            400,
            "bad_request",
            json!({"messages": [{"role": "tool", "content": "x"}]}),
        ),
        (400, "bad_request", saying(" ")),
        (413, "too_large", saying(&"x".repeat(64 * 1024 + 1))),
        (413, "too_large", saying(&"x".repeat(8 * 1024 * 1024))),
    ];
    for (status, code, body) in refusals {
        let (found, problem) = answered(ask(&house, body)).await;
        assert_eq!(
            (found, problem["error"]["code"].as_str()),
            (status, Some(code)),
            "{problem}"
        );
        assert_eq!(problem["error"]["type"], "invalid_request_error");
        assert!(problem["error"]["message"].is_string());
    }
    let odd = json!({"messages": [
        {"role": "user", "content": "hi"},
        {"role": "user", "content": [{"type": "file"}]},
    ]});
    let (_, problem) = answered(ask(&house, odd)).await;
    assert_eq!(problem["error"]["param"], "messages[1].content");
    let stranger = house
        .stranger(Method::POST, PATH)
        .body(saying("hi").to_string());
    let (status, problem) = answered(stranger).await;
    assert_eq!(
        (status, problem["error"]["type"].as_str()),
        (401, Some("authentication_error"))
    );
    let (status, problem) = house.get("/v1/nothing").await;
    assert_eq!(
        (status, problem["error"]["type"].as_str()),
        (404, Some("not_found_error"))
    );
    let empty = ask(&house, saying("hi")).header("x-angelia-session", "");
    assert_eq!(answered(empty).await.0, 400);
}

#[tokio::test]
async fn earlier_messages_of_a_megabyte_go_along() {
    let house = House::open().await;
    let body = json!({"messages": [
        {"role": "system", "content": "ä".repeat(500 * 1024)},
        {"role": "user", "content": [{"type": "text", "text": "echo "}, {"type": "text", "text": "hi"}]},
    ]});
    let (status, answer) = answered(ask(&house, body)).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(content(&answer), "hi");
}

#[tokio::test]
async fn frames_that_were_missed_cost_no_words() {
    let house = House::open().await;
    let mut answer = ask(&house, streaming("stream 6")).send().await.unwrap();
    let mut text = answer.chunk().await.unwrap().unwrap().to_vec();
    // More than the feed keeps, without an await in which the stream could read.
    let ground = house.gateway.ground();
    for _ in 0..3000 {
        ground.feed.publish(|_| Frame::Turn {
            turn: ground.env.turn_id(),
            session: ground.env.session_id(),
            inbox_ids: [].into(),
            state: "running",
            at: ground.env.now(),
        });
    }
    while let Some(more) = answer.chunk().await.unwrap() {
        text.extend_from_slice(&more);
    }
    let text = String::from_utf8(text).unwrap();
    let data = text
        .split("\n\n")
        .filter_map(|block| block.strip_prefix("data: {"));
    let chunks = data.map(|rest| serde_json::from_str(&format!("{{{rest}")).unwrap());
    let words: String = chunks
        .filter_map(|chunk: Value| {
            let content = &chunk["choices"][0]["delta"]["content"];
            content.as_str().map(str::to_owned)
        })
        .collect();
    assert_eq!(words, "word1 word2 word3 word4 word5 word6");
    assert!(text.ends_with("data: [DONE]\n\n"));
}

#[tokio::test]
async fn a_caller_who_leaves_is_answered_all_the_same() {
    let house = House::open().await;
    let request = ask(&house, streaming("stream 8")).header("x-angelia-session", "left");
    let mut answer = request.send().await.unwrap();
    assert!(answer.chunk().await.unwrap().is_some());
    drop(answer);
    let replies = house.replies("left", None).await;
    assert!(replies[0].text.ends_with("word8"));
}

#[tokio::test]
async fn a_gateway_that_stops_says_how_to_read_the_answer_later() {
    let house = House::open().await;
    house.gateway.stop().await;
    let asked = tokio::time::timeout(Duration::from_secs(20), answered(ask(&house, saying("hi"))));
    let (status, problem) = asked.await.unwrap();
    assert_eq!(
        (status, problem["error"]["code"].as_str()),
        (503, Some("draining"))
    );
}

#[tokio::test]
async fn what_only_needs_time_says_when_to_come_again() {
    let house = House::open().await;
    house.gateway.stop().await;
    let openai = ask(&house, saying("hi")).send().await.unwrap();
    let own = house.request(Method::POST, "/api/v1/inbox");
    let message = crate::house::message("c", "m", "hi");
    let own = own.json(&message).send().await.unwrap();
    for answer in [openai, own] {
        assert_eq!(answer.status(), 503);
        assert_eq!(answer.headers()["retry-after"], "1");
    }
}
