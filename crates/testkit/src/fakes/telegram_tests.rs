use super::*;
use serde_json::json;

fn http() -> reqwest::Client {
    // Somebody else may have chosen the same before; that is fine.
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

async fn call(fake: &FakeTelegram, method: &str, params: Value) -> (u16, Value) {
    let url = format!("{}/bot{TOKEN}/{method}", fake.url());
    let answer = http().post(url).json(&params).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn fake() -> FakeTelegram {
    let fake = FakeTelegram::start().await.unwrap();
    fake.meets(7, "Anna");
    fake
}

fn description(answer: &Value) -> &str {
    answer["description"].as_str().unwrap()
}

#[tokio::test]
async fn updates_stay_until_a_later_offset_confirms_them() {
    let fake = fake().await;
    fake.says(Place::dm(7), "one");
    fake.says(Place::dm(7), "two");
    let (_, first) = call(&fake, "getUpdates", json!({ "limit": 1 })).await;
    let number = first["result"][0]["update_id"].as_i64().unwrap();
    let (_, again) = call(&fake, "GETUPDATES", json!({})).await;
    assert_eq!(again["result"].as_array().unwrap().len(), 2);
    let (_, rest) = call(&fake, "getUpdates", json!({ "offset": number + 1 })).await;
    assert_eq!(rest["result"][0]["message"]["text"], "two");
    assert_eq!(fake.waiting(), 1);
    let (_, none) = call(&fake, "getUpdates", json!({ "offset": number + 2 })).await;
    assert_eq!(none["result"], json!([]));
    fake.repeats(number);
    let (_, repeated) = call(&fake, "getUpdates", json!({})).await;
    assert_eq!(repeated["result"][0]["update_id"], number);
}

#[tokio::test]
async fn an_offset_made_for_other_numbers_forgets_nothing() {
    let fake = fake().await;
    fake.says(Place::dm(7), "one");
    let (_, found) = call(&fake, "getUpdates", json!({ "offset": 990_000_000 })).await;
    assert_eq!(found["result"].as_array().unwrap().len(), 1);
    let (_, last) = call(&fake, "getUpdates", json!({ "offset": -1 })).await;
    assert_eq!(last["result"][0]["message"]["text"], "one");
}

#[tokio::test]
async fn a_poll_waits_for_words_and_another_poller_ends_it() {
    let fake = fake().await;
    let polling = call(&fake, "getUpdates", json!({ "timeout": 20 }));
    let writing = async {
        while fake.calls_of("getUpdates").is_empty() {
            tokio::task::yield_now().await;
        }
        fake.says(Place::dm(7), "late")
    };
    let ((_, heard), _) = tokio::join!(polling, writing);
    assert_eq!(heard["result"][0]["message"]["text"], "late");
    let confirmed = heard["result"][0]["update_id"].as_i64().unwrap() + 1;
    let first = call(
        &fake,
        "getUpdates",
        json!({ "timeout": 20, "offset": confirmed }),
    );
    let second = async {
        while fake.calls_of("getUpdates").len() < 2 {
            tokio::task::yield_now().await;
        }
        call(&fake, "getUpdates", json!({ "offset": confirmed })).await
    };
    let ((code, ended), (_, alone)) = tokio::join!(first, second);
    assert_eq!(code, 409);
    assert!(description(&ended).starts_with("Conflict: terminated by other"));
    assert_eq!(alone["result"], json!([]));
}

#[tokio::test]
async fn words_are_limited_in_utf16_units_and_refused_with_the_words_of_telegram() {
    let fake = fake().await;
    let send = |params: Value| call(&fake, "sendMessage", params);
    let (code, sent) = send(json!({ "chat_id": 7, "text": "😀".repeat(2048) })).await;
    assert_eq!((code, &sent["result"]["message_id"]), (200, &json!(1)));
    let cases = [
        (
            json!({ "chat_id": 7, "text": "😀".repeat(2049) }),
            400,
            "Bad Request: message is too long",
        ),
        (
            json!({ "chat_id": 7, "text": " " }),
            400,
            "Bad Request: message text is empty",
        ),
        (
            json!({ "chat_id": 8, "text": "x" }),
            400,
            "Bad Request: chat not found",
        ),
        (
            json!({ "chat_id": 7, "text": "a.b", "parse_mode": "MarkdownV2" }),
            400,
            "Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
        ),
        (
            json!({ "chat_id": 7, "text": "a *b", "parse_mode": "MarkdownV2" }),
            400,
            "Bad Request: can't parse entities: Can't find end of Bold entity at byte offset 2",
        ),
        (
            json!({ "chat_id": 7, "text": "<x>y", "parse_mode": "HTML" }),
            400,
            "Bad Request: can't parse entities: Unsupported start tag \"x\" at byte offset 0",
        ),
        (
            json!({ "chat_id": 7, "text": "x", "reply_parameters": { "message_id": 99 } }),
            400,
            "Bad Request: message to be replied not found",
        ),
    ];
    for (params, code, words) in cases {
        let (found, answer) = send(params).await;
        assert_eq!((found, description(&answer)), (code, words));
    }
    fake.blocks(7);
    let (code, answer) = send(json!({ "chat_id": 7, "text": "x" })).await;
    assert_eq!(
        (code, description(&answer)),
        (403, "Forbidden: bot was blocked by the user")
    );
}

#[tokio::test]
async fn markdown_is_read_into_entities() {
    let read =
        markdown::read("*b _i_* `c.` [l](http://a/\\)) \\. ||s||\n```rust\nx*\n```").unwrap();
    assert_eq!(read.text, "b i c. l . s\nx*\n");
    let kinds = read
        .entities
        .iter()
        .map(|one| one["type"].as_str().unwrap());
    let kinds: Vec<&str> = kinds.collect();
    assert_eq!(
        kinds,
        ["italic", "bold", "code", "text_link", "spoiler", "pre"]
    );
}

#[tokio::test]
async fn a_group_that_moved_says_where_and_the_token_opens_nothing_else() {
    let fake = fake().await;
    fake.group(-5, "group", "Team");
    fake.becomes(-5, -1005, 7);
    let (code, answer) = call(&fake, "sendMessage", json!({ "chat_id": -5, "text": "x" })).await;
    assert_eq!(
        (code, &answer["parameters"]["migrate_to_chat_id"]),
        (400, &json!(-1005))
    );
    let url = format!("{}/bot1:wrong/getMe", fake.url());
    let answer = http().get(url).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 401);
}

#[tokio::test]
async fn trouble_is_what_the_test_says() {
    let fake = fake().await;
    fake.trouble(|call| call.is("sendMessage").then_some(Trouble::Flood(3)));
    let (code, answer) = call(&fake, "sendMessage", json!({ "chat_id": 7, "text": "x" })).await;
    assert_eq!(
        (code, &answer["parameters"]["retry_after"]),
        (429, &json!(3))
    );
    assert!(fake.texts(7).is_empty());
    fake.trouble(|_| Some(Trouble::AnswerLost));
    let url = format!("{}/bot{TOKEN}/sendMessage", fake.url());
    let params = json!({ "chat_id": 7, "text": "seen" });
    let lost = http().post(&url).json(&params).send().await;
    let lost = match lost {
        Ok(answer) => answer.bytes().await.err(),
        Err(error) => Some(error),
    };
    assert!(lost.is_some());
    assert_eq!(fake.texts(7), ["seen"]);
    fake.fair();
    assert_eq!(call(&fake, "getMe", json!({})).await.0, 200);
}
