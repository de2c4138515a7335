//! Servers that want to be asked otherwise, and what they are asked besides.

use angelia_agents::model::provider::Place;
use angelia_agents::model::trial;
use angelia_agents::model::wire::Wire;
use angelia_core::transcript::entry::{Content, Entry, Role, ToolCall};
use angelia_core::turn::journal::Step;
use angelia_testkit::fakes::model::{FakeModel, Heard, Piece, Reply, Script};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::talk::{WIRES, answer, input, model, place, turn};

const EFFORT: &str = "Function tools with reasoning_effort are not supported for fake-1 in /v1/chat/completions. \
                      Please use /v1/responses or set reasoning_effort to 'none'.";

/// A fake that refuses with these words whatever is wrong with a request.
async fn particular(why: &'static str, is_wrong: fn(&Value) -> bool) -> FakeModel {
    let script = move |heard: &Heard, _| match is_wrong(&heard.body) {
        true => Reply::refuses(400, why),
        false => Reply::says(["Here."]),
    };
    FakeModel::start(Script::new(script)).await.unwrap()
}

#[tokio::test]
async fn tools_are_shown_again_without_effort_and_that_is_remembered() {
    let has_effort = |body: &Value| body["reasoning_effort"] != "none";
    let fake = particular(EFFORT, has_effort).await;
    let model = model(vec![place(&fake, Wire::OpenAi)]);
    for asked in [2, 3] {
        let heard = turn(&model, input("hi", Vec::new()), CancellationToken::new()).await;
        assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Here."));
        assert_eq!(fake.asked(), asked);
    }
}

#[tokio::test]
async fn a_model_that_takes_tools_only_elsewhere_is_told_of_in_plain_words() {
    let fake = particular(EFFORT, |_| true).await;
    let told = answer(&fake, Wire::OpenAi, "hi").await.ended.unwrap_err();
    assert!(
        told.to_string()
            .contains("takes tools only over another interface"),
        "{told}"
    );
    assert_eq!(fake.asked(), 2);
    let tried = trial::call(&place(&fake, Wire::OpenAi)).await.unwrap_err();
    assert!(
        tried.contains("takes tools only over another interface"),
        "{tried}"
    );
}

#[tokio::test]
async fn the_length_of_an_answer_has_the_name_that_the_server_wants() {
    let why = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    let fake = particular(why, |body| body.get("max_tokens").is_some()).await;
    let place = Place {
        answer_tokens: Some(2_000),
        ..place(&fake, Wire::OpenAi)
    };
    let model = model(vec![place]);
    for asked in [2, 3] {
        let heard = turn(&model, input("hi", Vec::new()), CancellationToken::new()).await;
        assert_eq!((heard.ended, fake.asked()), (Ok(()), asked));
    }
    let last = &fake.heard()[2].body;
    assert_eq!(
        (&last["max_completion_tokens"], last.get("max_tokens")),
        (&json!(2_000), None)
    );
}

#[tokio::test]
async fn what_was_set_goes_into_each_request_of_a_turn_and_of_a_trial() {
    for wire in WIRES {
        let fake = particular("never", |_| false).await;
        let wishes = json!({ "temperature": 0.2, "thinking": { "type": "adaptive" } });
        let place = Place {
            answer_tokens: Some(2_000),
            request: wishes.as_object().cloned().unwrap(),
            ..place(&fake, wire)
        };
        trial::call(&place).await.unwrap();
        turn(
            &model(vec![place]),
            input("hi", Vec::new()),
            CancellationToken::new(),
        )
        .await;
        for heard in fake.heard() {
            assert_eq!(heard.body["temperature"], 0.2);
            assert_eq!(heard.body["thinking"]["type"], "adaptive");
            assert_eq!(heard.body["max_tokens"], 2_000);
            assert!(!heard.body["tools"].as_array().unwrap().is_empty());
        }
        assert_eq!(fake.asked(), 2);
    }
}

#[tokio::test]
async fn nothing_is_said_of_the_length_where_nothing_was_set() {
    for (wire, tokens) in [
        (Wire::OpenAi, None),
        (Wire::Anthropic, Some(&json!(16_384))),
    ] {
        let fake = particular("never", |_| false).await;
        answer(&fake, wire, "hi").await;
        assert_eq!(fake.heard()[0].body.get("max_tokens"), tokens);
    }
}

/// A turn in which a tool is called and then something is answered; its calls, and all that was heard of it.
async fn called(first: Wire, second: Wire) -> (Vec<Step>, Vec<Heard>) {
    let call = json!({ "command": "echo one" });
    let thinking = Reply::of([
        Piece::Think("hm".to_owned()),
        Piece::Call {
            id: "functions.terminal:0".to_owned(),
            name: "terminal".to_owned(),
            arguments: call,
        },
    ]);
    let script = Script::in_order(vec![thinking, Reply::refuses(401, "gone")]);
    let fake = FakeModel::start(script).await.unwrap();
    let other = FakeModel::start(Script::in_order(vec![Reply::says(["Done."])]))
        .await
        .unwrap();
    let places = vec![place(&fake, first), place(&other, second)];
    let heard = turn(
        &model(places),
        input("go", Vec::new()),
        CancellationToken::new(),
    )
    .await;
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Done."));
    (heard.steps, [fake.heard(), other.heard()].concat())
}

#[tokio::test]
async fn thoughts_go_back_to_where_they_came_from_and_nowhere_else() {
    let (_, heard) = called(Wire::OpenAi, Wire::OpenAi).await;
    let asked = |number: usize| heard[number].body["messages"][2].clone();
    let (back, elsewhere) = (asked(1), asked(2));
    assert_eq!(back["reasoning_content"], "hm");
    assert_eq!(back["tool_calls"][0]["id"], "functions.terminal:0");
    assert_eq!(elsewhere.get("reasoning_content"), None);
    let id = elsewhere["tool_calls"][0]["id"].as_str().unwrap();
    assert!(id.len() <= 40 && !id.contains([':', '.']), "{id}");
    assert_eq!(heard[2].body["messages"][3]["tool_call_id"], id);
    let (_, heard) = called(Wire::Anthropic, Wire::Anthropic).await;
    let kinds = |number: usize| {
        let blocks = heard[number].body["messages"][1]["content"]
            .as_array()
            .unwrap()
            .clone();
        blocks
            .iter()
            .map(|block| block["type"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(1), ["thinking", "tool_use"]);
    assert_eq!(kinds(2), ["tool_use"]);
}

#[tokio::test]
async fn a_server_that_does_not_take_its_thoughts_back_is_asked_without_them() {
    let script = |heard: &Heard, _: usize| {
        let body = heard.body["messages"].to_string();
        match (body.contains("tool_result"), body.contains("signature")) {
            (false, _) => Reply::of([
                Piece::Think("hm".to_owned()),
                Piece::Call {
                    id: "a".to_owned(),
                    name: "terminal".to_owned(),
                    arguments: json!({ "command": "echo one" }),
                },
            ]),
            (true, true) => Reply::refuses(
                400,
                "messages.1.content.0: Invalid `signature` in `thinking` block",
            ),
            (true, false) => Reply::says(["Done."]),
        }
    };
    let fake = FakeModel::start(Script::new(script)).await.unwrap();
    let heard = answer(&fake, Wire::Anthropic, "go").await;
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Done."));
    assert_eq!(fake.asked(), 3);
}

/// What DeepSeek says on Anthropic's wire.
const MISSED: &str =
    "The `content[].thinking` in the thinking mode must be passed back to the API.";

/// A turn whose first call was made before the server began to think; the conversation, then how often it was asked.
async fn taken_over(is_wrong: fn(&Value) -> bool) -> (Heard, usize) {
    let call = json!({ "id": "a", "type": "function", "function": { "name": "terminal", "arguments": "{}" } });
    let asked = Entry {
        tool_calls: vec![ToolCall::new(call)],
        ..Entry::new(Role::Assistant, Content::Nothing)
    };
    let before = vec![Step::Answer {
        row: Box::new(asked),
        spent: None,
    }];
    let fake = particular(MISSED, is_wrong).await;
    let model = model(vec![place(&fake, Wire::Anthropic)]);
    let heard = turn(&model, input("go", before), CancellationToken::new()).await;
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Here."));
    (fake.heard().pop().unwrap(), fake.asked())
}

#[tokio::test]
async fn a_call_of_a_time_without_thoughts_goes_to_a_server_that_misses_them() {
    let has_none = |body: &Value| !body["messages"].to_string().contains("\"thinking\"");
    let (last, asked) = taken_over(has_none).await;
    assert_eq!((last.body.get("thinking"), asked), (None, 2));
    let blocks = last.body["messages"][1]["content"]
        .as_array()
        .unwrap()
        .clone();
    let kinds: Vec<_> = blocks.iter().map(|block| block["type"].as_str()).collect();
    assert_eq!(kinds, [Some("thinking"), Some("tool_use")]);
}

#[tokio::test]
async fn a_server_that_takes_no_thought_of_ours_is_asked_not_to_think() {
    let (last, asked) = taken_over(|body| body["thinking"]["type"] != "disabled").await;
    assert_eq!(asked, 3);
    assert!(!last.body["messages"].to_string().contains("\"thinking\""));
}

#[tokio::test]
async fn calls_without_an_id_have_one_that_no_other_call_has() {
    let nameless = || {
        Reply::of([Piece::Call {
            id: String::new(),
            name: "terminal".to_owned(),
            arguments: json!({ "command": "echo one" }),
        }])
    };
    let script = Script::steps(vec![nameless(), nameless(), Reply::says(["Done."])]);
    let fake = FakeModel::start(script).await.unwrap();
    let heard = answer(&fake, Wire::OpenAi, "go").await;
    assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Done."));
    let last = fake.heard().pop().unwrap();
    let messages = last.body["messages"].as_array().unwrap().clone();
    let results = messages
        .iter()
        .filter_map(|one| one["tool_call_id"].as_str());
    assert_eq!(results.collect::<Vec<_>>(), ["call_0", "call_1"]);
}
