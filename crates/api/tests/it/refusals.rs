//! Every bad input has a status, a code and words.

use reqwest::Method;
use serde_json::{Value, json};

use crate::house::{House, told};

fn good() -> Value {
    json!({"chat": "c", "user": {"id": "u"}, "text": "hi", "message_id": "m"})
}

fn with(field: &str, value: Value) -> String {
    let mut body = good();
    body[field] = value;
    body.to_string()
}

#[track_caller]
fn assert_refused((status, body): (u16, Value), expected: (u16, &str)) {
    let code = body["error"]["code"].as_str().unwrap_or_default();
    assert_eq!((status, code), expected, "{body}");
    assert!(!body["error"]["message"].as_str().unwrap().is_empty());
    assert!(!body["error"]["hint"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn a_body_that_cannot_be_used_is_a_bad_request() {
    let house = House::open().await;
    let bodies = [
        String::new(),
        "{".to_owned(),
        "[]".to_owned(),
        "null".to_owned(),
        "{\"chat\": \"\u{0}\"".to_owned(),
        good().to_string() + "x",
        with("txt", json!("hi")),
        with("text", json!(7)),
        with("text", json!("   ")),
        with("chat", json!("")),
        with("chat", json!("..")),
        with("chat", json!("x".repeat(513))),
        with("message_id", json!("")),
        with("chat_type", json!("room")),
        with("platform", json!("telegram")),
        with("user", json!({"id": ""})),
        with("user", json!({"id": "u", "nick": "A"})),
        with("user", json!("u")),
        json!({"chat": "c"}).to_string(),
    ];
    for body in bodies {
        assert_refused(
            house.post("/api/v1/inbox", body).await,
            (400, "bad_request"),
        );
    }
    assert_eq!(house.client.status().await.unwrap().sessions, 0);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_a_bad_request() {
    let house = House::open().await;
    let request = house.request(Method::POST, "/api/v1/inbox");
    let body = b"{\"chat\":\"\xff\xfe\"}".to_vec();
    let answer = told(request.body(body).send().await.unwrap()).await;
    assert_refused(answer, (400, "bad_request"));
}

#[tokio::test]
async fn a_text_or_body_over_its_limit_is_too_large_and_one_at_the_limit_is_not() {
    let house = House::open().await;
    for bytes in [64 * 1024 + 1, 500 * 1024, 5 * 1024 * 1024] {
        let over = with("text", json!("x".repeat(bytes)));
        assert_refused(house.post("/api/v1/inbox", over).await, (413, "too_large"));
    }
    let at_limit = with("text", json!("\u{1}".repeat(64 * 1024)));
    assert_eq!(house.post("/api/v1/inbox", at_limit).await.0, 202);
}

#[tokio::test]
async fn nobody_enters_without_the_token() {
    let house = House::open().await;
    let paths = [
        "/api/v1/status",
        "/api/v1/me",
        "/api/v1/events",
        "/metrics",
        "/api/v1/nothing",
    ];
    for path in paths {
        let answer = house.stranger(Method::GET, path).send().await.unwrap();
        assert_eq!(answer.headers()["www-authenticate"], "Bearer");
        assert_refused(told(answer).await, (401, "unauthorized"));
        let wrong = house.stranger(Method::GET, path).bearer_auth("wrong");
        assert_refused(
            told(wrong.send().await.unwrap()).await,
            (401, "unauthorized"),
        );
    }
    let post = house
        .stranger(Method::POST, "/api/v1/inbox")
        .body(good().to_string());
    assert_refused(
        told(post.send().await.unwrap()).await,
        (401, "unauthorized"),
    );
    assert_eq!(house.client.status().await.unwrap().sessions, 0);
}

#[tokio::test]
async fn what_does_not_exist_is_not_found() {
    let house = House::open().await;
    let digits = "0".repeat(26);
    let paths = [
        "/api/v1/nothing".to_owned(),
        "/api/v2/inbox".to_owned(),
        "/api/v1/messages/inb_x".to_owned(),
        format!("/api/v1/messages/ses_{digits}"),
        format!("/api/v1/messages/inb_{digits}"),
        format!("/api/v1/sessions/ses_{digits}"),
        format!("/api/v1/sessions/ses_{digits}/transcript"),
        "/assets/nothing.js".to_owned(),
        "/assets/../Cargo.toml".to_owned(),
        "/assets/..%2f..%2fCargo.toml".to_owned(),
    ];
    for path in paths {
        assert_refused(house.get(&path).await, (404, "not_found"));
    }
    for wish in ["retry", "drop"] {
        let path = format!("/api/v1/outbox/dlv_{digits}/{wish}");
        assert_refused(house.post(&path, "").await, (404, "not_found"));
    }
}

#[tokio::test]
async fn a_wrong_method_is_named() {
    let house = House::open().await;
    assert_refused(
        house.get("/api/v1/inbox").await,
        (405, "method_not_allowed"),
    );
    assert_refused(house.post("/health", "").await, (405, "method_not_allowed"));
    let delete = house.request(Method::DELETE, "/api/v1/sessions");
    let answer = delete.send().await.unwrap();
    assert_eq!(answer.headers()["allow"], "GET,HEAD");
    assert_refused(told(answer).await, (405, "method_not_allowed"));
}

#[tokio::test]
async fn a_query_out_of_range_is_a_bad_request() {
    let house = House::open().await;
    for path in [
        "/api/v1/sessions?limit=0",
        "/api/v1/sessions?limit=201",
        "/api/v1/sessions?limit=-1",
        "/api/v1/sessions?limit=many",
        "/api/v1/sessions?limt=5",
        "/api/v1/outbox?state=lost",
        "/api/v1/chats/c/deliveries?wait=31",
        "/api/v1/chats/c/deliveries?wait=-1",
        "/api/v1/chats/c/deliveries?platform=telegram",
        "/api/v1/chats/%ff/deliveries",
        "/api/v1/events?session=here",
    ] {
        assert_refused(house.get(path).await, (400, "bad_request"));
    }
}

#[tokio::test]
async fn a_stopping_gateway_takes_nothing_new() {
    let house = House::open().await;
    house.gateway.stop().await;
    assert_refused(
        house.post("/api/v1/inbox", good().to_string()).await,
        (503, "draining"),
    );
    let (status, body) = house.get("/ready").await;
    assert_eq!((status, body["status"].as_str()), (503, Some("stopping")));
    assert_eq!(house.get("/health").await.0, 200);
}
