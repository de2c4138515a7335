//! The official `openai` Python package, as it is, against the real binary.
//!
//! `cargo xtask test` makes the Python environment and names its interpreter. Without it the test says
//! loudly that it did not take place; with `CI=true` that is a failure.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use crate::world::{World, ended};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openai/client.py");

#[test]
fn the_official_openai_client_works_as_it_is() {
    let Some(python) = python() else { return };
    let world = World::new();
    let gateway = world.serve();
    let token = std::fs::read_to_string(world.home().join("api-token")).unwrap();
    let mut command = Command::new(python);
    command
        .arg(SCRIPT)
        .arg(format!("http://{}/v1", gateway.address))
        .arg(token.trim());
    let ran = ended(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let told = facts(&ran.stdout);
    assert_eq!(told["whole"]["text"], "hi there");
    assert_eq!(told["whole"]["role"], "assistant");
    assert_eq!(told["whole"]["reason"], "stop");
    let words: Vec<_> = (1..=12).map(|number| format!("word{number}")).collect();
    assert_eq!(told["stream"]["text"], words.join(" "));
    assert!(
        told["stream"]["pieces"].as_u64().unwrap() > 2,
        "it came all at once"
    );
    assert_eq!(
        (&told["stream"]["reason"], &told["stream"]["usage"]),
        (&json!("stop"), &json!(true))
    );
    assert_eq!(told["history"]["text"], "second");
    assert_eq!(told["idempotent"]["texts"], json!(["once", "once"]));
    assert_eq!(told["idempotent"]["rows"], 1);
    assert_eq!(told["stranger"]["status"], 401);
    assert_eq!(told["failed"]["status"], 502);
    assert_eq!(told["nothing said"]["status"], 400);
    responses_are_told(&told);
}

fn responses_are_told(told: &BTreeMap<String, Value>) {
    assert_eq!(told["response"]["text"], "hi there");
    assert_eq!(told["response"]["status"], "completed");
    assert!(told["response"]["usage"].is_u64());
    let words: Vec<_> = (1..=12).map(|number| format!("word{number}")).collect();
    let stream = &told["response stream"];
    assert_eq!(stream["text"], words.join(" "));
    assert_eq!(stream["whole"], words.join(" "));
    assert!(
        stream["pieces"].as_u64().unwrap() > 2,
        "it came all at once"
    );
    let events = stream["events"].as_array().unwrap();
    assert_eq!((events.len(), &events[0]), (9, &json!("response.created")));
    assert_eq!(events[8], "response.completed");
    assert_eq!(told["response helper"]["text"], "word1 word2 word3");
    let follows = &told["response follows"];
    assert_eq!(follows["texts"], json!(["second", "third"]));
    assert_eq!(follows["previous"], true);
    assert_eq!(told["response again"]["ids"], 1);
    assert_eq!(told["response again"]["text"], "once");
    assert_eq!(told["response failed"]["type"], "response.failed");
    assert_eq!(told["response failed"]["code"], "server_error");
    assert_eq!(told["response refused"]["status"], 502);
    assert_eq!(told["response lost"]["status"], 400);
}

pub(crate) fn facts(stdout: &str) -> BTreeMap<String, Value> {
    let lines = stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .map(|line| (line["check"].as_str().unwrap().to_owned(), line))
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test run hands over its tools this way"
)]
pub(crate) fn python() -> Option<String> {
    let python = std::env::var("ANGELIA_TEST_OPENAI_PYTHON").ok();
    if python.is_none() {
        assert_ne!(
            std::env::var("CI").as_deref(),
            Ok("true"),
            "no Python with `openai` was given"
        );
        eprintln!("SKIPPED: no Python with `openai`; run `cargo xtask test`, which makes one");
    }
    python
}
