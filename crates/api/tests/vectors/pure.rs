//! `gateway/api_pure`: small rules of the reference's interface, asked of ours over HTTP.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::cases;
use crate::house::House;
use crate::script::{Player, house_of};

const CHAT: &str = "/v1/chat/completions";

#[tokio::test]
async fn small_rules_are_the_same_or_a_value_is_refused() {
    let player = Player::new(Vec::new());
    let house = house_of(player).await;
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for case in cases::<Map<String, Value>>("gateway/api_pure.json") {
        let kind = case["kind"].as_str().unwrap().to_owned();
        let verdict = match kind.as_str() {
            "bool" => of_a_flag(&house, &case).await,
            "nonneg" => of_a_page(&house, &case).await,
            "session_id" => of_a_session(&house, &case).await,
            "cors" => of_another_page(&house, &case).await,
            // Settings of its server, its models, its questions, and items of an interface that is not here.
            "origins" | "port" | "model_routes" | "approval_choices" | "turn" => "not ours",
            other => panic!("{}: nobody judged `{other}`", case["id"]),
        };
        *counts.entry((kind, verdict)).or_default() += 1;
    }
    eprintln!("api_pure: {counts:?}");
}

fn hi() -> Value {
    json!({ "messages": [{ "role": "user", "content": "hi" }] })
}

/// `stream` is yes, no or not said. Whatever else it is, nobody guesses.
async fn of_a_flag(house: &House, case: &Map<String, Value>) -> &'static str {
    let mut body = hi();
    body["stream"] = case["value"].clone();
    let request = house.request(Method::POST, CHAT).body(body.to_string());
    let answer = request.send().await.unwrap();
    if answer.status() == 400 {
        assert!(!case["value"].is_boolean() && !case["value"].is_null());
        return "refused";
    }
    let is_streamed = answer.headers()["content-type"] == "text/event-stream";
    assert_eq!(Value::from(is_streamed), case["default_false"]);
    "same"
}

/// How many rows a page has. What is no number of rows is refused, not replaced.
async fn of_a_page(house: &House, case: &Map<String, Value>) -> &'static str {
    let limit = case["value"].as_str().unwrap();
    let path = format!("/api/v1/sessions?limit={limit}");
    let answer = house.request(Method::GET, &path).send().await.unwrap();
    if answer.status() == 400 {
        let is_ours = limit
            .parse::<u64>()
            .is_ok_and(|rows| (1..=200).contains(&rows));
        assert!(!is_ours, "{limit}");
        return "refused";
    }
    assert_eq!(answer.status(), 200);
    assert_eq!(case["result"].to_string(), limit);
    "same"
}

/// D-24: the same opening words of two callers are two conversations.
async fn of_a_session(house: &House, case: &Map<String, Value>) -> &'static str {
    let mut messages = vec![json!({ "role": "user", "content": case["first_user"] })];
    if !case["system"].is_null() {
        messages.insert(0, json!({ "role": "system", "content": case["system"] }));
    }
    let body = json!({ "messages": messages }).to_string();
    let mut chats = Vec::new();
    for _ in 0..2 {
        let request = house.request(Method::POST, CHAT).body(body.clone());
        let answer = request.send().await.unwrap();
        let Some(inbox) = answer.headers().get("x-angelia-inbox-id") else {
            assert_eq!(
                (answer.status().as_u16(), &case["first_user"]),
                (400, &json!(""))
            );
            return "refused";
        };
        let inbox = inbox.to_str().unwrap().parse().unwrap();
        chats.push(house.client.message(inbox).await.unwrap().session_key);
    }
    assert_ne!(chats[0], chats[1]);
    "two callers are two (D-24)"
}

/// No page but the console can read an answer: nothing is said to a browser that would let it.
async fn of_another_page(house: &House, case: &Map<String, Value>) -> &'static str {
    let origin = case["origin"].as_str().unwrap();
    for method in [Method::GET, Method::OPTIONS] {
        let request = house.request(method, "/v1/models").header("origin", origin);
        let answer = request.send().await.unwrap();
        let names = answer.headers().keys();
        assert!(
            names
                .into_iter()
                .all(|name| !name.as_str().starts_with("access-control"))
        );
    }
    "no page is let in"
}
