//! The fake model as the official clients of both wires see it: what they take for real is real enough.
//!
//! `cargo xtask test` makes the Python environment and names its interpreter. Without it the tests say loudly
//! that they did not take place; with `CI=true` that is a failure.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should end")]

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use angelia_testkit::fakes::model::{FakeModel, Heard, Piece, Reply, Script};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// Does what the last words say.
fn script() -> Script {
    Script::new(|heard, _| reply(&wish(heard)))
}

fn wish(heard: &Heard) -> String {
    let messages = heard.body["messages"].as_array();
    let last = messages.and_then(|messages| messages.last());
    let content = last.and_then(|last| last["content"].as_str());
    content.unwrap_or_default().to_owned()
}

fn reply(wish: &str) -> Reply {
    let say = |words: &str| Piece::Say(words.to_owned());
    let call = |id: &str, arguments: Value| Piece::Call {
        id: id.to_owned(),
        name: "look".to_owned(),
        arguments,
    };
    let pause = || Piece::Pause(Duration::from_millis(150));
    match wish {
        "words" => Reply::says(["one ", "grün ", "three"]).cached(64),
        "tools" => Reply::of([
            say("Let me look."),
            call("c1", json!({ "at": "a \"b\"" })),
            call("c2", json!({})),
        ]),
        "slow" => Reply::of([
            Piece::KeepAlive,
            say("one "),
            pause(),
            Piece::KeepAlive,
            say("two"),
            pause(),
        ]),
        "bare" => Reply::says(["bare"]).uncounted().without_farewell(),
        "think" => Reply::of([Piece::Think("Hm.".to_owned()), say("So.")]),
        "busy" => Reply::refuses(429, "busy on purpose").and_asks_for(7),
        "broken" => Reply::refuses(500, "broken on purpose"),
        "cut" => Reply::of([say("half"), Piece::HangUp]),
        other => panic!("nobody asks for {other:?}"),
    }
}

/// What a client tells of its checks.
fn told(client: &str) -> Option<BTreeMap<String, Value>> {
    let python = python()?;
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeModel::start(script())).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/");
    let mut command = Command::new(python);
    command
        .arg(format!("{folder}{client}"))
        .arg(fake.base_url());
    let ran = command.output().unwrap();
    let (said, wrong) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success(), "{wrong}");
    let facts = said
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    Some(
        facts
            .map(|fact| (fact["check"].as_str().unwrap().to_owned(), fact))
            .collect(),
    )
}

fn check_faults(told: &BTreeMap<String, Value>) {
    assert_eq!(
        (
            &told["busy"]["status"],
            &told["busy"]["after"],
            &told["busy"]["words"]
        ),
        (&json!(429), &json!("7"), &json!(true))
    );
    assert_eq!(
        (&told["broken"]["status"], &told["broken"]["words"]),
        (&json!(500), &json!(true))
    );
    assert!(told["cut"]["kind"].is_string(), "a cut line went unnoticed");
}

#[test]
fn the_official_openai_client_takes_the_fake_for_a_model() {
    let Some(told) = told("openai_client.py") else {
        return;
    };
    let calls = json!([["c1", "look", { "at": "a \"b\"" }], ["c2", "look", {}]]);
    let words = json!("one grün three");
    assert_eq!(told["whole"]["text"], words);
    assert_eq!(told["whole"]["reason"], "stop");
    assert_eq!(told["whole"]["tokens"], json!([100, 10]));
    assert_eq!(told["whole"]["cached"], 64);
    assert_eq!(told["whole tools"]["calls"], calls);
    assert_eq!(told["whole tools"]["reason"], "tool_calls");
    assert_eq!(
        (&told["words"]["text"], &told["words"]["pieces"]),
        (&words, &json!(3))
    );
    assert_eq!(told["words"]["tokens"], json!([100, 10]));
    assert_eq!(told["tools"]["calls"], calls);
    assert_eq!(told["tools"]["reason"], "tool_calls");
    assert_eq!(told["slow"]["text"], "one two");
    assert_eq!(told["bare"]["text"], "bare");
    assert_eq!(told["bare"]["tokens"], Value::Null);
    assert_eq!(told["think"]["thoughts"], "Hm.");
    check_faults(&told);
}

#[test]
fn the_official_anthropic_client_takes_the_fake_for_a_model() {
    let Some(told) = told("anthropic_client.py") else {
        return;
    };
    let calls = json!([["c1", "look", { "at": "a \"b\"" }], ["c2", "look", {}]]);
    for way in ["whole ", ""] {
        let words = &told[&format!("{way}words")];
        assert_eq!(words["text"], "one grün three");
        assert_eq!(words["reason"], "end_turn");
        assert_eq!(
            (&words["tokens"], &words["cached"]),
            (&json!([100, 10]), &json!(64))
        );
        let tools = &told[&format!("{way}tools")];
        assert_eq!(
            (&tools["calls"], &tools["text"]),
            (&calls, &json!("Let me look."))
        );
        assert_eq!(tools["reason"], "tool_use");
        let thoughts = &told[&format!("{way}think")];
        assert_eq!(
            (&thoughts["thoughts"], &thoughts["sealed"]),
            (&json!("Hm."), &json!(true))
        );
    }
    assert_eq!(told["words"]["pieces"], 3);
    assert_eq!(told["slow"]["text"], "one two");
    assert_eq!(told["bare"]["text"], "bare");
    check_faults(&told);
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test run hands over its tools this way"
)]
fn python() -> Option<String> {
    let python = std::env::var("ANGELIA_TEST_OPENAI_PYTHON").ok();
    if python.is_none() {
        assert_ne!(
            std::env::var("CI").as_deref(),
            Ok("true"),
            "no Python with `openai` and `anthropic` was given"
        );
        eprintln!("SKIPPED: no Python with `openai`; run `cargo xtask test`, which makes one");
    }
    python
}
