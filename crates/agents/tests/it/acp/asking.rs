//! What people are asked, in the ways in which the agents of the world ask.

use std::sync::Arc;

use angelia_agents::consent::Question;
use angelia_core::approval::Grant;
use angelia_core::danger::gate::Rules;
use serde_json::{Value, json};

use super::people::Person;
use super::scene::Scene;

/// A turn of an agent that tells of a call piece by piece and asks with the last: what it picked, and what a person
/// who says yes was asked. The operator allows `make install`.
async fn asked(scene: &Scene, calls: &Value) -> (String, Vec<Question>) {
    let person = Person::who_says(Some(Grant::Once));
    let mut turn = scene.turn(&format!("asks {calls}"));
    turn.consent = person.clone();
    turn.terms.rules = Arc::new(Rules {
        allow: vec!["make install".to_owned()],
        ..Rules::default()
    });
    let heard = turn.run().await;
    assert_eq!(heard.ended, Ok(()));
    let asked = person.asked.lock().unwrap().clone();
    (heard.reply, asked)
}

/// A command as OpenCode asks for it: once it is told, the request has an empty input.
fn hollow(command: &str) -> Value {
    let call = |input| json!({ "toolCallId": "c1", "title": "bash", "kind": "execute", "rawInput": input });
    let told = call(json!({ "command": command }));
    json!([call(json!({})), told, call(json!({}))])
}

/// A command as Claude asks for it: what it says about it stands beside it.
fn described(command: &str, about: &str) -> Value {
    let words = json!({ "type": "content", "content": { "type": "text", "text": about } });
    json!([{
        "toolCallId": "c1", "title": format!("`{command}`"), "kind": "execute", "content": [words],
        "rawInput": { "command": command, "description": about },
    }])
}

/// A command as Codex asks for it: with all that it knows of the question.
fn event(words: &[&str], number: u64) -> Value {
    json!({
        "call_id": format!("call_{number}"), "turn_id": number.to_string(),
        "started_at_ms": 1_700_000_000_000 + number, "command": words,
        "reason": format!("it is needed for step {number}"),
        "parsed_cmd": [{ "type": "unknown", "cmd": words.join(" ") }],
        "available_decisions": ["approved", "abort"], "network_approval_context": null,
    })
}

fn eventful(input: &Value) -> Value {
    json!([{ "toolCallId": input["call_id"], "title": "Run it", "kind": "execute", "rawInput": input }])
}

#[tokio::test]
async fn an_empty_input_takes_nothing_back_of_what_was_told() {
    let scene = Scene::new(&[]);
    let (picked, questions) = asked(&scene, &hollow("rm -rf /")).await;
    assert_eq!((picked.as_str(), questions.len()), ("picked no", 0));
    let (_, questions) = asked(&scene, &hollow("make clean")).await;
    assert_eq!(questions[0].command, "make clean");
}

#[tokio::test]
async fn what_an_agent_says_about_a_command_makes_nothing_else_of_it() {
    let scene = Scene::new(&[]);
    let (picked, questions) = asked(&scene, &described("make install", "Installs it")).await;
    assert_eq!((picked.as_str(), questions.len()), ("picked now", 0));
    let (_, first) = asked(&scene, &described("make clean", "Clears up")).await;
    let (_, again) = asked(&scene, &described("make clean", "Clears up again")).await;
    assert_eq!(first[0].command, "make clean");
    assert_eq!(first[0].fingerprint, again[0].fingerprint);
    let told = first[0].reasons.concat();
    assert!(told.contains("Clears up"), "{told}");
}

#[tokio::test]
async fn a_command_that_comes_again_is_the_same_whatever_its_question_is_called() {
    let scene = Scene::new(&[]);
    let place = scene.workdir();
    let at = |mut input: Value| {
        input["cwd"] = json!(place);
        eventful(&input)
    };
    let (picked, questions) = asked(&scene, &at(event(&["make", "install"], 1))).await;
    assert_eq!((picked.as_str(), questions.len()), ("picked now", 0));
    let (_, first) = asked(&scene, &at(event(&["make", "clean"], 2))).await;
    let (_, again) = asked(&scene, &at(event(&["make", "clean"], 3))).await;
    assert_eq!(first[0].command, "make clean");
    assert_eq!(first[0].fingerprint, again[0].fingerprint);
}

#[tokio::test]
async fn what_changes_a_command_is_shown_and_asked_about() {
    let scene = Scene::new(&[]);
    for (name, value) in [
        ("cwd", json!("/elsewhere")),
        ("additional_permissions", json!({ "network": true })),
    ] {
        let command = |number| {
            let mut input = event(&["make", "install"], number);
            input[name] = value.clone();
            eventful(&input)
        };
        let (_, first) = asked(&scene, &command(1)).await;
        let (_, again) = asked(&scene, &command(2)).await;
        let words = &first[0].command;
        assert!(words.contains(&value.to_string()), "{words}");
        assert_eq!(first[0].fingerprint, again[0].fingerprint, "{words}");
        let (_, plain) = asked(&scene, &eventful(&event(&["make", "clean"], 3))).await;
        assert_ne!(first[0].fingerprint, plain[0].fingerprint);
    }
}

#[tokio::test]
async fn numbers_that_are_no_names_of_a_call_are_part_of_what_is_done() {
    let scene = Scene::new(&[]);
    let hang_up = |number: u64| {
        let input = json!({ "command": "hang-up", "call_id": number.to_string() });
        json!([{ "toolCallId": "c1", "title": "Phone", "kind": "execute", "rawInput": input }])
    };
    let (_, first) = asked(&scene, &hang_up(1)).await;
    let (_, other) = asked(&scene, &hang_up(2)).await;
    assert_ne!(first[0].fingerprint, other[0].fingerprint);
}
