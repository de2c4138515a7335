//! Shapes in which real servers answer, other than the book says.

use angelia_agents::model::wire::Wire;
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use serde_json::{Value, json};

use crate::talk::{Heard, WIRES, answer};

/// Longer than an answer takes, and far shorter than a line may be silent.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

async fn fake(replies: Vec<Reply>) -> FakeModel {
    FakeModel::start(Script::in_order(replies)).await.unwrap()
}

/// A chunk of OpenAI's wire with this delta, whatever it holds.
fn chunk(delta: &Value) -> Piece {
    let chunk = json!({ "choices": [{ "index": 0, "delta": delta }] });
    Piece::Raw(format!("data: {chunk}\n\n"))
}

/// One whole call with the number 0, as some servers send each of several.
fn zeroth(id: &str, command: &str, extra: Option<&Value>) -> Piece {
    let arguments = json!({ "command": command }).to_string();
    let function = json!({ "name": "terminal", "arguments": arguments });
    let mut call = json!({ "index": 0, "id": id, "type": "function", "function": function });
    if let Some(extra) = extra {
        call["extra_content"] = extra.clone();
    }
    chunk(&json!({ "tool_calls": [call] }))
}

fn ended(heard: &Heard, reply: &str) {
    assert_eq!((heard.ended.clone(), heard.reply.as_str()), (Ok(()), reply));
}

#[tokio::test]
async fn a_last_word_without_a_reason_ends_an_answer_that_said_something() {
    for wire in WIRES {
        let fake = fake(vec![Reply::says(["All ", "is said."]).without_reason()]).await;
        ended(&answer(&fake, wire, "hello").await, "All is said.");
        assert_eq!(fake.asked(), 1);
    }
}

#[tokio::test]
async fn calls_before_a_last_word_without_a_reason_are_made() {
    for wire in WIRES {
        let call = Reply::calls("c", "terminal", json!({ "command": "echo 4$((1+1))" }));
        let fake = fake(vec![call.without_reason(), Reply::says(["It is 42."])]).await;
        let heard = answer(&fake, wire, "add").await;
        ended(&heard, "It is 42.");
        assert!(heard.outputs()[0].contains("42"), "{:?}", heard.steps);
    }
}

#[tokio::test]
async fn a_last_word_after_nothing_or_after_half_a_call_is_no_end() {
    for wire in WIRES {
        let nothing = Reply::of([]).without_reason();
        let fake = fake(vec![nothing, Reply::says(["Here."])]).await;
        ended(&answer(&fake, wire, "hello").await, "Here.");
        assert_eq!(fake.asked(), 2);
    }
    let function = json!({ "name": "terminal", "arguments": "{\"command\":" });
    let half = json!({ "tool_calls": [{ "index": 0, "id": "a", "function": function }] });
    let half = Reply::of([chunk(&half)]).without_reason();
    let fake = fake(vec![half, Reply::says(["Here."])]).await;
    let heard = answer(&fake, Wire::OpenAi, "hello").await;
    ended(&heard, "Here.");
    assert_eq!((fake.asked(), heard.outputs().len()), (2, 0));
}

#[tokio::test]
async fn what_stands_in_a_chunk_as_a_piece_and_as_a_whole_is_said_once() {
    let piece = |more: &str, whole: &str| {
        let chunk = json!({ "choices": [{
            "index": 0, "delta": { "content": more }, "message": { "content": whole },
        }] });
        Piece::Raw(format!("data: {chunk}\n\n"))
    };
    let pieces = [piece("Good ", "Good "), piece("day.", "Good day.")];
    let fake = fake(vec![Reply::of(pieces)]).await;
    ended(&answer(&fake, Wire::OpenAi, "hello").await, "Good day.");
}

#[tokio::test]
async fn calls_that_share_a_number_are_told_apart_by_their_ids() {
    let calls = Reply::of([zeroth("a", "echo one", None), zeroth("b", "echo two", None)]);
    let fake = fake(vec![calls, Reply::says(["Both."])]).await;
    let heard = answer(&fake, Wire::OpenAi, "both").await;
    ended(&heard, "Both.");
    let outputs = heard.outputs();
    assert_eq!(outputs.len(), 2, "{outputs:?}");
    assert!(
        outputs[0].contains("one") && outputs[1].contains("two"),
        "{outputs:?}"
    );
}

#[tokio::test]
async fn what_a_server_puts_beside_a_call_goes_back_with_it() {
    let extra = json!({ "google": { "thought_signature": "c2lnbmVk" } });
    let calls = Reply::of([
        zeroth("a", "echo one", Some(&extra)),
        zeroth("b", "echo two", None),
    ]);
    let fake = fake(vec![calls, Reply::says(["Done."])]).await;
    ended(&answer(&fake, Wire::OpenAi, "go").await, "Done.");
    let asked = &fake.heard()[1].body["messages"];
    let messages = asked.as_array().unwrap();
    let mut calls = messages.iter().filter_map(|one| one.get("tool_calls"));
    let calls = calls.next().unwrap();
    assert_eq!(calls[0]["extra_content"], extra);
    assert_eq!(calls[1].get("extra_content"), None);
    assert_eq!(calls[0].get("index"), None, "{calls}");
}

#[tokio::test]
async fn a_server_that_asks_for_patience_by_a_date_far_away_is_not_asked_again() {
    for wire in WIRES {
        let busy = Reply::refuses(429, "come later");
        let fake = fake(vec![
            busy.and_asks_until("Fri, 01 Jan 2100 00:00:00 GMT"),
            Reply::says(["Here."]),
        ])
        .await;
        let heard = answer(&fake, wire, "hello").await;
        assert!(heard.ended.is_err(), "{}", heard.reply);
        assert_eq!(fake.asked(), 1);
    }
}

#[tokio::test]
async fn a_line_that_stays_open_behind_the_last_word_delays_no_answer() {
    for wire in WIRES {
        let fake = fake(vec![Reply::says(["All ", "is said."]).lingering()]).await;
        let heard = tokio::time::timeout(PATIENCE, answer(&fake, wire, "hello")).await;
        ended(
            &heard.expect("nobody waits for the end of the line"),
            "All is said.",
        );
        assert_eq!(fake.asked(), 1);
    }
}

#[tokio::test]
async fn an_answer_without_words_and_calls_is_asked_for_once_more() {
    for wire in WIRES {
        let nothing = || Reply::of([Piece::Think("hm".to_owned())]);
        let asked_again = fake(vec![nothing(), Reply::says(["Here."])]).await;
        let heard = answer(&asked_again, wire, "hello").await;
        ended(&heard, "Here.");
        assert_eq!((asked_again.asked(), heard.steps.len()), (2, 1));
        let silent = fake(vec![nothing()]).await;
        ended(&answer(&silent, wire, "hello").await, "");
        assert_eq!(
            silent.asked(),
            2,
            "who has nothing to say is not asked for ever"
        );
    }
}
