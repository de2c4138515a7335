//! What of earlier answers goes back to servers that demand it.

use angelia_agents::model::provider::Place;
use angelia_agents::model::wire::Wire;
use angelia_testkit::fakes::model::{FakeModel, Heard as Asked, Piece, Reply, Script};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::talk::{Heard, answer, input, model, place, turn};

fn call(id: &str) -> Piece {
    Piece::Call {
        id: id.to_owned(),
        name: "terminal".to_owned(),
        arguments: json!({ "command": "echo one" }),
    }
}

/// A call behind a thought.
fn thinking() -> Reply {
    Reply::of([Piece::Think("hm".to_owned()), call("a")])
}

/// A turn in which one model of a server thinks and calls a tool, and another one of the same server goes on.
async fn taken_over(wire: Wire, script: Script) -> (Heard, Vec<Asked>) {
    let fake = FakeModel::start(script).await.unwrap();
    let other = Place {
        model: "fake-2".to_owned(),
        ..place(&fake, wire)
    };
    let model = model(vec![place(&fake, wire), other]);
    let heard = turn(&model, input("go", Vec::new()), CancellationToken::new()).await;
    (heard, fake.heard())
}

/// The message with the call.
fn called(asked: &Asked) -> Value {
    let messages = asked.body["messages"].as_array().unwrap();
    let is_answer = |message: &&Value| message["role"] == "assistant";
    messages.iter().find(is_answer).cloned().unwrap_or_default()
}

fn is_begun(asked: &Asked) -> bool {
    called(asked) != Value::Null
}

#[tokio::test]
async fn what_one_model_of_a_server_thought_goes_back_to_the_others_but_not_with_seals() {
    let script = || {
        Script::in_order(vec![
            thinking(),
            Reply::refuses(401, "gone"),
            Reply::says(["Done."]),
        ])
    };
    let (heard, asked) = taken_over(Wire::OpenAi, script()).await;
    assert_eq!(heard.reply, "Done.");
    assert_eq!(asked[2].body["model"], "fake-2");
    assert_eq!(called(&asked[2])["reasoning_content"], "hm");
    let (heard, asked) = taken_over(Wire::Anthropic, script()).await;
    assert_eq!(heard.reply, "Done.");
    assert_eq!(called(&asked[2])["content"][0]["type"], "tool_use");
}

#[tokio::test]
async fn a_server_that_misses_thoughts_on_the_wire_of_seals_is_given_those_of_all_its_models() {
    const WHY: &str =
        "The `content[].thinking` in the thinking mode must be passed back to the API.";
    let script = |asked: &Asked, _: usize| {
        let has_thought = called(asked)["content"][0]["type"] == "thinking";
        match (is_begun(asked), asked.body["model"] == "fake-1") {
            (false, _) => thinking(),
            (true, true) => Reply::refuses(401, "gone"),
            (true, false) if has_thought => Reply::says(["Done."]),
            (true, false) => Reply::refuses(400, WHY),
        }
    };
    let (heard, asked) = taken_over(Wire::Anthropic, Script::new(script)).await;
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Done."));
    assert_eq!(asked.len(), 4);
}

/// A turn with a call over a server that refuses it as it is, and what the server had in the end.
async fn refused_once(wire: Wire, why: &'static str, is_wrong: fn(&Asked) -> bool) -> Asked {
    let script = move |asked: &Asked, _: usize| match is_begun(asked) {
        false => Reply::of([call("call_abc-1")]),
        true if is_wrong(asked) => Reply::refuses(400, why),
        true => Reply::says(["Done."]),
    };
    let fake = FakeModel::start(Script::new(script)).await.unwrap();
    let heard = answer(&fake, wire, "go").await;
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Done."));
    assert_eq!(fake.asked(), 3);
    fake.heard().pop().unwrap()
}

#[tokio::test]
async fn a_server_that_misses_thoughts_has_one_without_words_in_their_place() {
    let why = "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2";
    let is_wrong = |asked: &Asked| called(asked).get("reasoning_content").is_none();
    let asked = refused_once(Wire::OpenAi, why, is_wrong).await;
    assert_eq!(called(&asked)["reasoning_content"], " ");
}

#[tokio::test]
async fn a_call_whose_seal_is_missing_is_sealed_with_the_one_that_is_not_checked() {
    let why = "Function call is missing a thought_signature in functionCall parts. This is required for tools to work \
               correctly, and missing thought_signature may lead to degraded model performance.";
    let is_wrong = |asked: &Asked| {
        called(asked)["tool_calls"][0]
            .get("extra_content")
            .is_none()
    };
    let asked = refused_once(Wire::OpenAi, why, is_wrong).await;
    let sealed = &called(&asked)["tool_calls"][0]["extra_content"];
    let skipped = json!({ "google": { "thought_signature": "skip_thought_signature_validator" } });
    assert_eq!(sealed, &skipped);
}

#[tokio::test]
async fn ids_of_calls_and_results_are_as_short_as_a_server_wants_them() {
    let why = "Tool call id was call_abc-1 but must be a-z, A-Z, 0-9, with a length of 9.";
    let is_wrong = |asked: &Asked| called(asked)["tool_calls"][0]["id"] == "call_abc-1";
    let asked = refused_once(Wire::OpenAi, why, is_wrong).await;
    let id = called(&asked)["tool_calls"][0]["id"].clone();
    let short = id.as_str().unwrap();
    assert!(
        short.len() == 9 && short.chars().all(|one| one.is_ascii_alphanumeric()),
        "{short}"
    );
    assert_eq!(asked.body["messages"][3]["tool_call_id"], id);
}
