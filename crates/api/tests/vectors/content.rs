//! `gateway/api_content`: what a message of a request says, as it reaches the agent.

use std::collections::BTreeMap;

use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cases;
use crate::house::{House, told};
use crate::script::{Player, Saw, house_of};

#[derive(Deserialize)]
struct Case {
    id: String,
    content: Value,
    text_only: Value,
    multimodal: Value,
    error_code: Option<String>,
    visible: bool,
}

/// Long contents are described.
fn spelled(described: &Value) -> Value {
    let times = |one: &Value| usize::try_from(one["times"].as_u64().unwrap()).unwrap();
    let repeated = |one: &Value| one["repeat"].as_str().unwrap().repeat(times(one));
    if described["repeat"].is_string() {
        json!(repeated(described))
    } else if let Some(parts) = described["list_repeat"].as_array() {
        json!(parts.iter().map(repeated).collect::<Vec<_>>())
    } else if !described["list_of"].is_null() {
        json!(vec![described["list_of"].clone(); times(described)])
    } else {
        described.clone()
    }
}

/// The words that the reference makes of it, if it spells them out.
fn theirs(described: &Value) -> Option<&str> {
    described.as_str()
}

fn is_cut(case: &Case) -> bool {
    case.text_only["len"].is_u64()
}

async fn asked(house: &House, player: &Player, said: Value) -> (u16, Value, Vec<Saw>) {
    let body = json!({ "messages": said }).to_string();
    let request = house
        .request(Method::POST, "/v1/chat/completions")
        .body(body);
    let (status, answer) = told(request.send().await.unwrap()).await;
    (status, answer, player.saw())
}

#[tokio::test]
async fn words_reach_the_agent_as_in_the_reference_and_nothing_is_guessed_or_cut() {
    let player = Player::new(Vec::new());
    let house = house_of(player.clone()).await;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases::<Case>("gateway/api_content.json") {
        let content = spelled(&case.content);
        let said = json!([{ "role": "user", "content": content }]);
        let (status, answer, saw) = asked(&house, &player, said).await;
        let verdict = verdict(&case, (status, &answer), saw.first());
        *counts.entry(verdict).or_default() += 1;
        if status == 200 {
            as_a_system_message(&house, &player, &case, &content).await;
        }
    }
    eprintln!("api_content: {counts:?}");
    assert!(counts["same"] > 0);
}

fn verdict(case: &Case, (status, answer): (u16, &Value), saw: Option<&Saw>) -> &'static str {
    let code = answer["error"]["code"].as_str();
    let is_list_or_text = matches!(case.content, Value::Array(_) | Value::String(_));
    let is_described = case.content.is_object() && is_cut(case);
    match (saw, theirs(&case.multimodal)) {
        (Some(saw), Some(words)) if saw.user == words => "same",
        (None, _) if case.error_code.is_some() => {
            assert_eq!(
                (status, code),
                (400, case.error_code.as_deref()),
                "{}",
                case.id
            );
            "same"
        }
        // A message that says nothing is refused by both.
        (None, Some(words)) if words.trim().is_empty() && !case.visible => {
            assert_eq!(status, 400, "{}", case.id);
            "same"
        }
        (None, _) if is_described => {
            assert_eq!((status, code), (413, Some("too_large")), "{}", case.id);
            "too long is refused, not cut"
        }
        (Some(saw), None) if is_described => {
            let all = spelled(&case.content);
            let lines = all.as_array().unwrap();
            assert_eq!(saw.user.lines().count(), lines.len(), "{}", case.id);
            "every part is said"
        }
        (None, _) if case.multimodal.is_array() => {
            assert_eq!(status / 100, 4, "{}", case.id);
            "pictures come in the request, and are pictures"
        }
        (None, _) if !is_list_or_text => {
            assert_eq!(status, 400, "{}", case.id);
            "no text and no list is refused"
        }
        other => panic!("{}: {status} {answer} {other:?}", case.id),
    }
}

/// As what is said about the agent it has the same words, or all of them where the reference cuts.
async fn as_a_system_message(house: &House, player: &Player, case: &Case, content: &Value) {
    let said = json!([
        { "role": "system", "content": content },
        { "role": "user", "content": "hi" },
    ]);
    let (status, answer, saw) = asked(house, player, said).await;
    assert_eq!(status, 200, "{}: {answer}", case.id);
    if let Some(words) = theirs(&case.text_only) {
        assert!(saw[0].prompt.ends_with(words), "{}", case.id);
    }
}
