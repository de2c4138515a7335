//! What a model says and asks for.

use angelia_core::transcript::entry::Entry;
use angelia_core::transcript::usage::Tokens;
use angelia_core::turn::journal::Step;
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script, Stop};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::talk::{self, KEY, WIRES, answer};

fn answers(steps: &[Step]) -> Vec<&Entry> {
    let mut rows = Vec::new();
    for step in steps {
        if let Step::Answer { row, .. } = step {
            rows.push(&**row);
        }
    }
    rows
}

fn run(id: &str, command: &str) -> Piece {
    Piece::Call {
        id: id.to_owned(),
        name: "terminal".to_owned(),
        arguments: json!({ "command": command }),
    }
}

#[tokio::test]
async fn words_come_in_order_as_they_are_said() {
    for wire in WIRES {
        let script = Script::in_order(vec![Reply::says(["Good ", "mor", "ning."])]);
        let fake = FakeModel::start(script).await.unwrap();
        let heard = answer(&fake, wire, "hello").await;
        assert_eq!(heard.ended, Ok(()));
        assert_eq!(heard.pieces, ["Good ", "mor", "ning."]);
        let [
            Step::Answer {
                row,
                spent: Some(spent),
            },
        ] = &heard.steps[..]
        else {
            panic!("{:?}", heard.steps);
        };
        assert_eq!(row.content.plain_text(), "Good morning.");
        assert_eq!(
            (spent.tokens.input, spent.tokens.output, spent.calls),
            (100, 10, 1)
        );
        let asked = &fake.heard()[0];
        assert_eq!(asked.key.as_deref(), Some(KEY));
        assert_eq!(asked.body["model"], "fake-1");
        let whole = asked.body.to_string();
        for words in ["You are under test.", "You are in a chat.", "hello"] {
            assert!(whole.contains(words), "{whole}");
        }
        assert!(asked.body["tools"].as_array().unwrap().len() >= 2);
    }
}

#[tokio::test]
async fn a_call_is_made_and_its_result_goes_back() {
    for wire in WIRES {
        let script = Script::steps(vec![
            Reply::of([
                Piece::Think("they want a sum".to_owned()),
                Piece::Say("Let me see.".to_owned()),
                run("c1", "echo $((40 + 2))"),
            ]),
            Reply::says(["It is 42."]),
        ]);
        let fake = FakeModel::start(script).await.unwrap();
        let heard = answer(&fake, wire, "add").await;
        assert_eq!(heard.ended, Ok(()));
        assert_eq!(heard.reply, "Let me see.\n\nIt is 42.");
        assert!(heard.outputs()[0].contains("42"), "{:?}", heard.steps);
        let asked = fake.heard();
        assert_eq!(asked.len(), 2);
        let told = asked[1].body["messages"].as_array().unwrap();
        let last = told.last().unwrap().to_string();
        assert!(last.contains("42"), "{last}");
        let rows = answers(&heard.steps);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].tool_calls[0].id(), Some("c1"));
    }
}

#[tokio::test]
async fn calls_that_are_asked_for_together_are_answered_together() {
    for wire in WIRES {
        let script = Script::steps(vec![
            Reply::of([run("a", "echo one"), run("b", "echo two")]),
            Reply::says(["done"]),
        ]);
        let fake = FakeModel::start(script).await.unwrap();
        let heard = answer(&fake, wire, "both").await;
        assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "done"));
        let body = fake.heard()[1].body.to_string();
        let places = ["one", "two"].map(|word| body.rfind(&format!("\\\"output\\\":\\\"{word}")));
        assert!(places[0].is_some() && places[0] < places[1], "{body}");
    }
}

#[tokio::test]
async fn a_tool_that_does_not_exist_is_told_to_the_model() {
    for wire in WIRES {
        let call = Reply::calls("x", "teleport", json!({ "to": "the moon" }));
        let script = Script::steps(vec![call, Reply::says(["I cannot."])]);
        let fake = FakeModel::start(script).await.unwrap();
        let heard = answer(&fake, wire, "go").await;
        assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "I cannot."));
        assert!(fake.heard()[1].body.to_string().contains("teleport"));
    }
}

#[tokio::test]
async fn odd_cuts_keep_alives_and_missing_numbers_do_no_harm() {
    for wire in WIRES {
        let pieces = [
            Piece::KeepAlive,
            Piece::Raw(": a remark\r\n\r\n".to_owned()),
            Piece::Say("Grüß ".to_owned()),
            Piece::Raw("data: no JSON at all\n".to_owned()),
            Piece::Raw("\n".to_owned()),
            Piece::KeepAlive,
            Piece::Say("Gott".to_owned()),
        ];
        let script = Script::in_order(vec![Reply::of(pieces).uncounted()]);
        let fake = FakeModel::start(script).await.unwrap();
        let heard = answer(&fake, wire, "hello").await;
        assert_eq!((heard.ended, heard.reply.as_str()), (Ok(()), "Grüß Gott"));
        let [
            Step::Answer {
                spent: Some(spent), ..
            },
        ] = &heard.steps[..]
        else {
            panic!("{:?}", heard.steps);
        };
        assert_eq!((spent.tokens, spent.calls), (Tokens::default(), 1));
    }
}

#[tokio::test]
async fn an_answer_without_room_says_so_and_makes_no_half_call() {
    for wire in WIRES {
        let reply = Reply {
            stop: Stop::Length,
            ..Reply::of([Piece::Say("Once upon".to_owned()), run("c", "echo no")])
        };
        let fake = FakeModel::start(Script::in_order(vec![reply]))
            .await
            .unwrap();
        let heard = answer(&fake, wire, "a tale").await;
        assert_eq!(heard.ended, Ok(()));
        assert!(heard.reply.starts_with("Once upon\n\n("), "{}", heard.reply);
        assert_eq!(heard.outputs().len(), 0);
        let said = answers(&heard.steps)[0].content.plain_text();
        assert_eq!(said, heard.reply);
    }
}

#[tokio::test]
async fn a_model_that_only_calls_tools_is_asked_for_its_last_words() {
    for wire in WIRES {
        let script = Script::new(|heard, number| match heard.body["tool_choice"].is_null() {
            true => Reply::calls(&format!("c{number}"), "nothing", json!({})),
            false => Reply::of([Piece::Say("So far.".to_owned()), run("last", "echo no")]),
        });
        let fake = FakeModel::start(script).await.unwrap();
        let heard = talk::answer(&fake, wire, "go").await;
        assert_eq!(heard.ended, Ok(()));
        assert!(
            heard.reply.starts_with("So far.\n\n(I stop here"),
            "{}",
            heard.reply
        );
        assert_eq!(
            (fake.asked(), heard.outputs().len()),
            (91, 90),
            "the last call is not made"
        );
        let asked = fake.heard().pop().unwrap().body;
        assert!(!asked["tools"].as_array().unwrap().is_empty());
        let last = answers(&heard.steps).pop().unwrap();
        assert_eq!(last.content.plain_text(), heard.reply);
        assert!(last.tool_calls.is_empty());
        // Whoever takes the turn over says them again.
        let again = talk::model(vec![talk::place(&fake, wire)]);
        let input = talk::input("go", heard.steps.clone());
        let again = talk::turn(&again, input, CancellationToken::new()).await;
        assert_eq!((again.reply, fake.asked()), (heard.reply, 91));
    }
}
